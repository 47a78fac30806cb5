"""Serve the app to browsers of this computer, with one process for each page (`lms-tui serve --web`).

Other users of this computer could use a signed-in session, so the address contains a random key, new at each start.
Other sites in the same browser could open the socket, so the socket accepts pages of this server only.
"""

import asyncio
import hmac
import logging
import secrets
import shlex
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    from aiohttp import web
    from textual_serve.app_service import AppService

_MOST_PAGES: Final = 20
_LARGEST_MESSAGE: Final = 1024 * 1024
_SMALLEST, _LARGEST = 20, 500
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>lms-tui</title>
<link rel="stylesheet" href="/static/css/xterm.css">
<style>
@font-face {{ font-family: "Roboto Mono"; src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf"); }}
body {{ margin: 0; background: #101418; color: #e6e6e6; font-family: "Roboto Mono", monospace; }}
.textual-terminal {{ width: 100vw; height: 100vh; }}
#ended {{ display: none; position: fixed; inset: 0; background: #101418; text-align: center; padding-top: 30vh; }}
body.-closed #ended {{ display: block; }}
#ended a {{ color: #8ab4f8; }}
</style>
<link rel="icon" href="data:,">
<script src="/static/js/textual.js"></script>
<script src="/focus.js"></script>
</head>
<body>
<div id="terminal" class="textual-terminal" data-session-websocket-url="{socket}" data-font-size="16"></div>
<div id="ended">The app has ended. Your saved answers are safe. <a href="">Start again</a></div>
</body>
</html>
"""

_FOCUS: Final = """// Focus the app, so keys work without a click.
new MutationObserver((_, observer) => {
  const keys = document.querySelector(".xterm-helper-textarea");
  if (keys) { observer.disconnect(); keys.focus(); }
}).observe(document, { childList: true, subtree: true });
"""

_log = logging.getLogger(__name__)


class CannotServeError(AdvisedError):
    """The app cannot be served to browsers."""


def command_of(data_dir: Path, *, demo: bool) -> list[str]:
    """Return the command that runs for each page."""
    return [sys.executable, "-m", "lms_tui", *(["demo"] if demo else []), "--data-dir", str(data_dir)]


def run_web(command: list[str], host: str, port: int) -> int:
    """Print the address with its key and serve until a signal. Raises CannotServeError."""
    if find_spec("textual_serve") is None:
        raise CannotServeError(
            "The extra for browsers is not installed.",
            "Install it: pip install 'lms-tui[web]'. `lms-tui help extras` shows other ways.",
        )
    address = "127.0.0.1" if host == "localhost" else host
    if not is_loopback(address):
        raise CannotServeError(
            "The app is served to this computer only.", "Leave out --host. From another computer, use ssh -L."
        )
    try:
        listener = socket.create_server((address, port), family=_family(address))
    except OSError as error:
        raise CannotServeError(
            f"Port {port} cannot be used ({error.strerror}).", "Choose another one, or 0 for a free one."
        ) from error
    with listener:
        asyncio.run(_serve(Pages(command), listener))
    return 0


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


async def _serve(pages: "Pages", listener: socket.socket) -> None:
    from aiohttp import web  # noqa: PLC0415 - an extra

    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    host, port = listener.getsockname()[:2]
    origin = f"http://{in_url(host)}:{port}"
    runner = web.AppRunner(pages.application(origin), access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        print(f"Listening on {origin}", flush=True)  # noqa: T201 - a parent process waits for this line
        print(f"Open {origin}/{pages.key}/ in a browser on this computer.", flush=True)  # noqa: T201 - a person opens this address
        await ended.wait()
        await pages.close()
    finally:
        await runner.cleanup()


class Pages:
    """The pages of one run. `key` is part of the address of every page and socket."""

    def __init__(self, command: list[str]) -> None:
        from textual_serve.download_manager import DownloadManager  # noqa: PLC0415 - an extra

        self.key = secrets.token_urlsafe(24)
        self._command = shlex.join(command)
        self._downloads: DownloadManager = DownloadManager()
        self._running: set[AppService] = set()
        self._origin = ""

    def application(self, origin: str) -> "web.Application":
        """Return the web application. Pages of any other origin are refused."""
        import textual_serve  # noqa: PLC0415 - an extra
        from aiohttp import web  # noqa: PLC0415 - an extra

        self._origin = origin
        statics = Path(textual_serve.__file__).parent / "static"
        application = web.Application(middlewares=[self._guard()], client_max_size=_LARGEST_MESSAGE)
        application.add_routes(
            [
                web.get("/{key}/", self._page),
                web.get("/{key}/ws", self._socket),
                web.get("/focus.js", self._focus),
                web.get("/download/{download}", self._download),
                web.static("/static", statics),
            ]
        )
        return application

    async def close(self) -> None:
        for service in tuple(self._running):
            await service.stop()

    def _guard(self) -> Callable[..., Any]:
        from aiohttp import web  # noqa: PLC0415 - an extra

        @web.middleware
        async def guard(request: web.Request, handler: Callable[..., Any]) -> web.StreamResponse:
            """Refuse other host names (DNS rebinding) and addresses without the key."""
            key = request.match_info.get("key")
            if request.host != self._origin.partition("://")[2] or (
                key is not None and not hmac.compare_digest(key.encode(), self.key.encode())
            ):
                raise web.HTTPNotFound
            response: web.StreamResponse = await handler(request)
            if not response.prepared:
                response.headers["X-Content-Type-Options"] = "nosniff"
                response.headers["Referrer-Policy"] = "no-referrer"
            return response

        return guard

    async def _page(self, _: "web.Request") -> "web.Response":
        from aiohttp import web  # noqa: PLC0415 - an extra

        page = _PAGE.format(socket=f"ws{self._origin.removeprefix('http')}/{self.key}/ws")
        headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-store"}
        return web.Response(text=page, content_type="text/html", headers=headers)

    async def _focus(self, _: "web.Request") -> "web.Response":
        from aiohttp import web  # noqa: PLC0415 - an extra

        return web.Response(text=_FOCUS, content_type="text/javascript")

    async def _socket(self, request: "web.Request") -> "web.WebSocketResponse":
        from aiohttp import web  # noqa: PLC0415 - an extra
        from textual_serve.app_service import AppService  # noqa: PLC0415 - an extra

        if request.headers.get("Origin") != self._origin:
            raise web.HTTPForbidden(text="Open the address that lms-tui printed.")
        if len(self._running) >= _MOST_PAGES:
            raise web.HTTPServiceUnavailable(text="Too many pages are open.", headers={"Retry-After": "10"})
        connection = web.WebSocketResponse(heartbeat=15, max_msg_size=_LARGEST_MESSAGE)
        await connection.prepare(request)
        service = AppService(
            self._command,
            write_bytes=connection.send_bytes,
            write_str=connection.send_str,
            close=connection.close,  # type: ignore[arg-type]  # its result is not used
            download_manager=self._downloads,
        )
        self._running.add(service)
        try:
            await service.start(_cells(request.query.get("width"), 80), _cells(request.query.get("height"), 24))
            await _pass_on(connection, service)
        finally:
            self._running.discard(service)
            with suppress(ConnectionError):
                await service.stop()
        return connection

    async def _download(self, request: "web.Request") -> "web.StreamResponse":
        """Send a file of the app. Its random key is known to the page only."""
        from aiohttp import web  # noqa: PLC0415 - an extra

        key = request.match_info["download"]
        try:
            about = await self._downloads.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound from None
        name = "".join(char for char in about.file_name if char.isalnum() or char in " .-_") or "file"
        response = web.StreamResponse(
            headers={
                "Content-Type": "application/octet-stream",
                "Content-Disposition": f'attachment; filename="{name}"',
                "X-Content-Type-Options": "nosniff",
            }
        )
        await response.prepare(request)
        async for chunk in self._downloads.download(key):
            await response.write(chunk)
        await response.write_eof()
        return response


async def _pass_on(connection: "web.WebSocketResponse", service: "AppService") -> None:
    """Pass the messages of the page to the app, and ignore invalid ones."""
    from aiohttp import WSMsgType  # noqa: PLC0415 - an extra

    async for message in connection:
        if message.type != WSMsgType.TEXT:
            continue
        try:
            match message.json():
                case ["stdin", str(text)]:
                    await service.send_bytes(text.encode("utf-8", "replace"))
                case ["resize", {"width": int(width), "height": int(height)}]:
                    await service.set_terminal_size(_cells(width, 80), _cells(height, 24))
                case ["ping", answer]:
                    await connection.send_json(["pong", answer])
                case ["blur"] | ["blur", *_]:
                    await service.blur()
                case ["focus"] | ["focus", *_]:
                    await service.focus()
                case _:
                    _log.warning("a page sent an unknown message")
        except ValueError:
            _log.warning("a page sent a message that is not JSON")


def _cells(told: object, usual: int) -> int:
    number = int(told) if isinstance(told, int | str) and str(told).isdecimal() else usual
    return min(max(number, _SMALLEST), _LARGEST)
