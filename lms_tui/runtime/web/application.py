"""The pages and the socket of the app in browsers: who may open them, and with which limits."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import parse_qs

from aiohttp import web

from lms_tui.common.frozen import frozen
from lms_tui.runtime.sessions.hosted import HostState
from lms_tui.runtime.sessions.limits import Connections, Place
from lms_tui.runtime.web.addresses import Origins, Proxies
from lms_tui.runtime.web.browsers import Browser, Browsers
from lms_tui.runtime.web.pages import (
    FOCUS,
    SIGN_IN_POLICY,
    STYLE,
    TERMINAL_STYLE,
    sign_in_page,
    terminal_page,
    terminal_policy,
)
from lms_tui.runtime.web.tab import LARGEST_MESSAGE, Tab, cells
from lms_tui.wire.errors import ApiError, Invalid

_LARGEST_FORM: Final = 16 * 1024
_FORM_FIELDS: Final = 4
_LONGEST_FORM: Final = 10.0
_LONGEST_SIGN_IN: Final = 45.0
_LONGEST_REQUEST: Final = 120.0
"""Seconds for a form to come, for the service to sign in, and for a whole request except the socket."""
_HEARTBEAT: Final = 20.0
_STATICS: Final = {
    "textual.js": ("js/textual.js", "text/javascript"),
    "xterm.css": ("css/xterm.css", "text/css"),
    "font.ttf": ("fonts/RobotoMono-VariableFont_wght.ttf", "font/ttf"),
}
"""The files of textual-serve that the page needs, with their types."""
_OWN: Final = {
    "style.css": (STYLE, "text/css"),
    "terminal.css": (TERMINAL_STYLE, "text/css"),
    "focus.js": (FOCUS, "text/javascript"),
}
_HEADERS: Final = {
    "Server": "lms-tui",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""With the policy `no-referrer`, browsers would not tell the origin of a form."""

_log = logging.getLogger(__name__)


@frozen
class Visit:
    """A request that was admitted. `origin`: of this host, by the name that the browser sent."""

    request: web.Request
    origin: str
    place: Place

    @property
    def cookie(self) -> str:
        """Return the name of the cookie. Browsers accept the prefix over TLS only, and from this host only."""
        return "__Host-lms-tui" if self.secure else "lms-tui"

    @property
    def secure(self) -> bool:
        return self.origin.startswith("https:")

    @property
    def key(self) -> str:
        return self.request.cookies.get(self.cookie, "")

    def check_origin(self) -> None:
        """Refuse a form or a socket of another site. Raises HTTPForbidden."""
        if self.request.headers.get("Origin") != self.origin:
            _log.info("%s: refused: a request of another site", self.place.address)
            raise web.HTTPForbidden(text="This page belongs to another site. Open the address of your institute.")


_Handler = Callable[[Visit], Awaitable[web.StreamResponse]]


class WebApplication:
    """Serves the sign-in, the terminal and its socket."""

    def __init__(self, host: HostState, origins: Origins, proxies: Proxies, browsers: Browsers) -> None:
        self._host = host
        self._origins = origins
        self._proxies = proxies
        self._browsers = browsers
        self._requests = Connections(host.limits)
        self._static = _folder_of("textual_serve") / "static"

    def application(self) -> web.Application:
        application = web.Application(client_max_size=_LARGEST_FORM)
        application.on_response_prepare.append(_add_headers)
        application.add_routes(
            [
                web.get("/", self._admit(self._home)),
                web.post("/sign-in", self._admit(self._sign_in)),
                web.post("/sign-out", self._admit(self._sign_out)),
                web.get("/ws", self._admit(self._socket, None)),
                *(web.get(f"/{name}", self._admit(_own_file)) for name in _OWN),
                *(web.get(f"/{name}", self._admit(self._file)) for name in _STATICS),
            ]
        )
        return application

    def _admit(
        self, handler: _Handler, seconds: float | None = _LONGEST_REQUEST
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Refuse foreign host names (DNS rebinding), and too many requests of an address."""

        async def admitted(request: web.Request) -> web.StreamResponse:
            origin = self._origins.of(request.host)
            if origin is None:
                _log.info("a host name was refused that --web-origin does not give")
                raise web.HTTPMisdirectedRequest(text="This host name is not served here.")
            address = self._proxies.client_of(request.remote or "", request.headers.getall("X-Forwarded-For", ()))
            place = Place(address, lambda: _abort(request))
            if refusal := self._requests.connect(place):
                _log.info("%s: refused: %s", address, refusal)
                return _busy("Too many pages are being opened. Try again in a minute.", 60)
            try:
                async with asyncio.timeout(seconds):
                    response = await handler(Visit(request, origin, place))
                    with suppress(ConnectionError):  # the person has left
                        await response.prepare(request)
                    return response
            except TimeoutError:
                _abort(request)
                raise web.HTTPRequestTimeout from None
            finally:
                self._requests.disconnect(place)

        return admitted

    async def _home(self, visit: Visit) -> web.Response:
        if self._browsers.find(visit.key) is None:
            return _page(sign_in_page(), SIGN_IN_POLICY)
        return _page(terminal_page(visit.origin), terminal_policy(visit.origin))

    async def _sign_in(self, visit: Visit) -> web.Response:
        visit.check_origin()
        form = await _read_form(visit.request)
        username, plain = form.username, form.plain
        address = visit.place.address
        try:
            async with asyncio.timeout(_LONGEST_SIGN_IN):
                user = await self._host.sign_in.by_password(username, form.password, address)
        except Invalid:
            _log.info("%s: a sign-in was refused", address)
            trouble = "Wrong user name or password."
            return _page(sign_in_page(username, trouble, plain=plain), SIGN_IN_POLICY, HTTPStatus.UNAUTHORIZED)
        except (ApiError, TimeoutError) as error:
            _log.info("%s: a sign-in had to wait", address)
            wait = getattr(error, "retry_after", None) or 60.0
            return _busy(f"The sign-in has to wait. Try again in {wait:.0f} seconds.", wait, username, plain=plain)
        self._browsers.sign_out(visit.key)
        response = web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "/", "Cache-Control": "no-store"})
        key = self._browsers.add(user, plain=plain)
        response.set_cookie(visit.cookie, key, path="/", httponly=True, samesite="Strict", secure=visit.secure)
        _log.info("%s: user %s signed in with a browser", address, user.user_id)
        return response

    async def _sign_out(self, visit: Visit) -> web.Response:
        visit.check_origin()
        self._browsers.sign_out(visit.key)
        response = web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": "/", "Cache-Control": "no-store"})
        response.del_cookie(visit.cookie, path="/", httponly=True, samesite="Strict", secure=visit.secure)
        return response

    async def _socket(self, visit: Visit) -> web.StreamResponse:
        visit.check_origin()
        browser = self._browser_of(visit)
        socket = web.WebSocketResponse(
            heartbeat=_HEARTBEAT, max_msg_size=LARGEST_MESSAGE, compress=False, autoping=False
        )
        if not socket.can_prepare(visit.request):
            raise web.HTTPBadRequest(text="This address is for the page of the app.")
        await socket.prepare(visit.request)
        self._requests.signed_in(visit.place)
        query = visit.request.query
        tab = Tab(self._host, self._browsers, browser, socket, visit.place.address, visit.place.cut)
        with suppress(ConnectionError):
            await tab.run(_told(query.get("width"), 80), _told(query.get("height"), 24))
        return socket

    def _browser_of(self, visit: Visit) -> Browser:
        """Raises HTTPUnauthorized, and closes the connection."""
        if (browser := self._browsers.find(visit.key)) is None:
            _log.info("%s: refused: a tab without a sign-in", visit.place.address)
            refusal = web.HTTPUnauthorized(text="Sign in first.")
            refusal.force_close()
            raise refusal
        return browser

    async def _file(self, visit: Visit) -> web.StreamResponse:
        name, kind = _STATICS[visit.request.path.removeprefix("/")]
        headers = {"Content-Type": kind, "Cache-Control": "max-age=86400"}
        return web.FileResponse(self._static / name, headers=headers)


async def _own_file(visit: Visit) -> web.Response:
    text, kind = _OWN[visit.request.path.removeprefix("/")]
    return web.Response(text=text, content_type=kind)


class _Form(NamedTuple):
    username: str
    password: str
    plain: bool


async def _read_form(request: web.Request) -> _Form:
    """Return the fields of the sign-in form. Raises HTTPException."""
    if request.content_type != "application/x-www-form-urlencoded":
        raise web.HTTPUnsupportedMediaType
    try:
        async with asyncio.timeout(_LONGEST_FORM):
            body = await request.read()
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_FORM_FIELDS)
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except ValueError:
        raise web.HTTPBadRequest(text="The form has too many fields.") from None
    return _Form(fields.get("username", [""])[0], fields.get("password", [""])[0], "plain" in fields)


def _page(text: str, policy: str, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    headers = {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return web.Response(text=text, content_type="text/html", headers=headers, status=status)


def _busy(words: str, wait: float, username: str = "", *, plain: bool = False) -> web.Response:
    page = _page(sign_in_page(username, words, plain=plain), SIGN_IN_POLICY, HTTPStatus.SERVICE_UNAVAILABLE)
    page.headers["Retry-After"] = f"{wait:.0f}"
    return page


def _folder_of(package: str) -> Path:
    """Return the folder of a package without importing it."""
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(package)
    return Path(found.origin).parent


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(_HEADERS)


def _abort(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.abort()


def _told(number: str | None, usual: int) -> int:
    return cells(int(number)) if number is not None and number.isdecimal() and len(number) < len("10000") else usual
