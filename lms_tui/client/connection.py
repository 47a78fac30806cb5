"""Requests to one server with bounded replies. Every failure is an `ApiError`.

Of redirects, only one to the same address with a slash at its end is followed.
"""

import re
import ssl
import sys
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

import anyio
import httpx

from lms_tui import __version__
from lms_tui.client.address import follow, is_loopback, no_address, origin_of
from lms_tui.client.decoding import decode, read_body
from lms_tui.client.errors import from_response, from_transport, unsendable
from lms_tui.client.recording import Exchange, Headers, Recorder
from lms_tui.client.redaction import guard_logs
from lms_tui.client.retry import pause_before_retry
from lms_tui.client.slashes import Slashes
from lms_tui.common.frozen import frozen
from lms_tui.wire.errors import ApiError, Defect, Invalid, SignInNeeded

_CONNECT: Final = 10.0
_HEADER: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_WHOLE: Final = 3
_LONGEST_TOKEN: Final = 8_192
_BINARY: Final = "application/octet-stream"
_LARGEST_FILE: Final = 64 * 1024 * 1024
_PATIENCE: Final = 10
"""Download deadline as a multiple of the timeout, because a server may have to create the file first."""


_ONE_AT_A_TIME: Final = threading.Lock()
"""Held while modules are imported early, because a second thread would do the same work beside the first."""
NO_ANSWER: Final = (httpx.HTTPError, httpx.InvalidURL, UnicodeError, OSError)
"""Exceptions of a request without a reply. httpx parses the address of a redirect even if it does not follow it."""


@frozen
class Access:
    """Settings of a connection. `timeout` is the wait for bytes in seconds. A whole reply may take three times as long.

    Tests replace the network with `transport` and waiting with `sleep`. `recorder` receives every request. Some servers
    want the token in another header than the API document says, or after another scheme or none. `forwarded_for`: the
    address of the person's computer, for a service that trusts this one as a proxy.
    """

    timeout: float = 20.0
    ca_file: Path | None = None
    allow_plain_http: bool = False
    transport: httpx.AsyncBaseTransport | None = None
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    recorder: Recorder | None = None
    user_agent: str = f"lms-tui/{__version__}"
    auth_header: str = "Authorization"
    auth_scheme: str = "JWT"
    forwarded_for: str = ""

    def credentials(self, token: str) -> dict[str, str]:
        """Return the header with which a request carries a token."""
        return {self.auth_header: f"{self.auth_scheme} {token}".strip()}


class _NoCookies(CookieJar):
    """A cookie jar that stores nothing. Requests carry a token, and an invalid cookie would break later requests."""

    def extract_cookies(self, response: object, request: object) -> None:
        pass


class TokenAuth(httpx.Auth):
    """Add the token to requests to one origin, and to no other request."""

    def __init__(self, origin: str, access: Access | None = None) -> None:
        self._access = access or Access()
        self._origin = httpx.URL(origin)
        self._home = self._origin.scheme, self._origin.host, self._origin.port
        self._token = ""

    def __repr__(self) -> str:
        return f"TokenAuth({str(self._origin)!r})"

    @property
    def token(self) -> str:
        return self._token

    def replace(self, token: str) -> None:
        """Use another token, or "" for none. Raises Defect if a header cannot contain it."""
        if not (token.isascii() and token.isprintable() and " " not in token and len(token) <= _LONGEST_TOKEN):
            raise Defect("The token is not valid for this API.", advice="Sign in with user name and password.")
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        url = request.url
        if self._token and (url.scheme, url.host, url.port) == self._home:
            request.headers.update(self._access.credentials(self._token))
        yield request


class Content(TypedDict, total=False):
    """The parts of a request beside its method and path.

    `body` is sent as JSON, and `content` as it is. `timeout`: the wait for bytes, if not that of the access.
    """

    params: Mapping[str, str] | None
    body: Mapping[str, Any] | None
    content: bytes
    headers: Mapping[str, str] | None
    timeout: float


class Connection:
    """Requests to one server. Paths are joined to its base address. Links from replies are checked against it."""

    def __init__(self, base_url: str, access: Access) -> None:
        guard_logs()
        self.base_url = base_url
        self.origin = origin_of(base_url)
        try:
            self.auth = TokenAuth(self.origin, access)
        except (httpx.InvalidURL, UnicodeError):  # an invalid international domain name
            raise no_address() from None
        self._access = access
        self._closed = False
        self._slashes = Slashes()
        self.proof: Callable[[], Awaitable[None]] | None = None
        """Awaited before each request, until it is taken away: it asks whose token this is."""
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        if access.forwarded_for:
            headers["X-Forwarded-For"] = access.forwarded_for
        self._http = http_client(base_url, access, headers, self.auth)

    def __repr__(self) -> str:
        return f"Connection({self.base_url!r})"

    @property
    def access(self) -> Access:
        """The settings of this connection, for other requests to the same server."""
        return self._access

    async def prove(self) -> None:
        """Learn first whose token this is, in a session that was opened without its server. Raises ApiError."""
        if self.proof is not None:
            await self.proof()

    def resolve(self, path: str) -> str:
        """Join a path to the base address, or check a link. Raises Defect if the link leaves the server."""
        return self.base_url + path if path.startswith("/api/") else follow(f"{self.base_url}/", path)

    async def get(self, path: str, params: Mapping[str, str] | None = None) -> object:
        """Read an address. Repeat the request after a short pause if that is likely to help. Raises ApiError."""
        tries = 0
        while True:
            tries += 1
            try:
                return await self.send("GET", path, params=params)
            except ApiError as error:
                pause = pause_before_retry(error, tries)
                if pause is None:
                    raise
            await self._access.sleep(pause)

    async def send(self, method: str, path: str, **content: Unpack[Content]) -> object:
        """Send one request once and return its cleaned JSON, or None for an empty reply. Raises ApiError."""
        return content_of(await self.answered(method, path, **content))

    async def answered(self, method: str, path: str, **content: Unpack[Content]) -> Exchange:
        """Send one request once and return the exchange with any status. Raises ApiError if there is no reply.

        A server that redirects it to the same address with a slash gets it there, and later ones at once.
        """
        address = self._slashes.address(self.resolve(path))
        answered = await self.exchange(method, address, **content)
        if self._slashes.learn(address, answered.status, answered.header("location")):
            answered = await self.exchange(method, f"{address}/", **content)
        return answered

    async def exchange(self, method: str, path: str, **content: Unpack[Content]) -> Exchange:
        """Send one request once and return the exchange with any status. Raises ApiError if there is no reply."""
        await self.prove()
        request = self._request(method, path, **content)
        began, since = datetime.now(UTC), anyio.current_time()
        timeout = content.get("timeout", self._access.timeout)
        try:
            with anyio.fail_after(timeout * _WHOLE):
                status, answered, reply, size = await self._exchange(request)
        except (ApiError, *NO_ANSWER) as error:
            failure = error if isinstance(error, ApiError) else from_transport(error, timeout)
            self._record(_exchange(request, began, anyio.current_time() - since, failure=str(failure)))
            raise failure from error
        took = anyio.current_time() - since
        exchange = _exchange(request, began, took, status=status, answered=answered, body=reply, size=size)
        self._record(exchange)
        return exchange

    async def download(self, url: str, kind: str, progress: Callable[[int, int | None], None]) -> bytes:
        """Download a whole file of this server with one request. Raises ApiError.

        `kind` is the accepted media type. `progress` gets the bytes so far and the bytes in all, or None.
        """
        await self.prove()
        request = self._request("GET", url, headers={"Accept": kind})
        try:
            with anyio.fail_after(self._access.timeout * _PATIENCE):
                response = await self._http.send(request, stream=True)
                try:
                    content = await _told(response, progress)
                finally:
                    await response.aclose()
        except NO_ANSWER as error:
            raise from_transport(error, self._access.timeout) from error
        if not 200 <= response.status_code < 300:
            raise from_response(response.status_code, response.headers, content)
        return content

    async def close(self) -> None:
        """Forget the token and close the sockets, also when cancelled. Later requests raise SignInNeeded."""
        self._closed = True
        self.proof = None
        self.auth.replace("")
        with anyio.CancelScope(shield=True):
            await self._http.aclose()

    def _request(self, method: str, path: str, **content: Unpack[Content]) -> httpx.Request:
        """Build a request. Raises Invalid for values that cannot be sent, and Defect for an invalid link."""
        if self._closed:
            raise SignInNeeded("You have signed out.")
        params, body, headers = content.get("params"), content.get("body"), content.get("headers")
        if not all(_HEADER.fullmatch(value) for value in (headers or {}).values()):
            raise unsendable()
        address = self.resolve(path)
        try:
            timeout = _timeout(content.get("timeout", self._access.timeout))
            if (data := content.get("content")) is not None:
                headers = {**(headers or {}), "Content-Type": _BINARY}
            return self._http.build_request(
                method, address, params=params, json=body, content=data, headers=headers, timeout=timeout
            )
        except httpx.InvalidURL as error:
            raise (unsendable() if params else from_transport(error, self._access.timeout)) from error
        except ValueError as error:  # half a surrogate pair
            raise unsendable(body) from error

    async def _exchange(self, request: httpx.Request) -> tuple[int, httpx.Headers, bytes, int]:
        response = await self._http.send(request, stream=True)
        try:
            raw: AsyncGenerator[bytes, None] = response.aiter_raw()  # type: ignore[assignment]  # it is one
            content = await read_body(raw, response.headers.get("content-encoding", ""))
        finally:
            await response.aclose()
        return response.status_code, response.headers, content, response.num_bytes_downloaded

    def _record(self, exchange: Exchange) -> None:
        if self._access.recorder is not None:
            self._access.recorder.keep(exchange)


def content_of(exchange: Exchange) -> object:
    """Return the cleaned JSON of a reply, or None for an empty one. Raises ApiError."""
    if not exchange.succeeded:
        raise from_response(exchange.status, dict(reversed(exchange.response_headers)), exchange.body)
    return decode(exchange.body)


async def _told(response: httpx.Response, progress: Callable[[int, int | None], None]) -> bytes:
    """Read a body and report progress. The length in the header counts the bytes before decompression."""
    length = response.headers.get("content-length", "")
    whole = int(length) if length.isdecimal() else None

    async def chunks() -> AsyncGenerator[bytes, None]:
        async for chunk in response.aiter_raw():
            progress(response.num_bytes_downloaded, whole)
            yield chunk

    async with aclosing(chunks()) as raw:
        return await read_body(raw, response.headers.get("content-encoding", ""), _LARGEST_FILE)


def _exchange(
    request: httpx.Request,
    began: datetime,
    seconds: float,
    *,
    status: int = 0,
    answered: httpx.Headers | None = None,
    body: bytes = b"",
    size: int = 0,
    failure: str = "",
) -> Exchange:
    return Exchange(
        method=request.method,
        url=str(request.url),
        request_headers=_pairs(request.headers),
        request_body=b"" if request.headers.get("content-type") == _BINARY else request.content,
        began=began,
        seconds=seconds,
        status=status,
        response_headers=() if answered is None else _pairs(answered),
        body=body,
        size=size,
        failure=failure,
    )


def _pairs(headers: httpx.Headers) -> Headers:
    return tuple(headers.multi_items())


def http_client(base_url: str, access: Access, headers: Mapping[str, str], auth: TokenAuth | None) -> httpx.AsyncClient:
    """Return an HTTP client without redirects and cookies. Raises Invalid if the environment's proxy is invalid."""
    verify = tls(base_url, access.ca_file)
    try:
        return httpx.AsyncClient(
            auth=auth,
            cookies=_NoCookies(),
            follow_redirects=False,
            headers={**headers, "User-Agent": access.user_agent},
            timeout=_timeout(access.timeout),
            transport=access.transport,
            # A proxy of the environment must not see requests to this computer.
            trust_env=not is_loopback(base_url),
            verify=verify,
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # ImportError: SOCKS needs another package
        raise Invalid(
            "The proxy in the environment cannot be used.",
            advice="Set HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY to HTTP proxies and hosts, or unset them.",
        ) from error


def _timeout(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, _CONNECT))


def import_early() -> None:
    """Import the modules that the first request needs, once. Call it outside an event loop."""
    with _ONE_AT_A_TIME:
        if "anyio._backends._asyncio" not in sys.modules:
            httpx.AsyncHTTPTransport(verify=tls("http://localhost", None))
            anyio.run(anyio.sleep, 0)


def tls(base_url: str, ca_file: Path | None) -> ssl.SSLContext:
    """Return a TLS context that trusts httpx's authorities, the system's and those of `ca_file`."""
    if base_url.startswith("http://"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # unused for http, and 30 ms faster to build
    try:
        context = httpx.create_ssl_context()
        context.load_default_certs()
    except (OSError, ValueError) as error:
        raise Invalid(
            "A TLS file named in the environment cannot be used.",
            advice="Correct SSL_CERT_FILE, SSL_CERT_DIR and SSLKEYLOGFILE, or unset them.",
        ) from error
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ValueError) as error:
            words = "The file of certificates in the setting ca_file cannot be used."
            raise Invalid(
                words, advice=f"Give a readable PEM file ({getattr(error, 'strerror', '') or 'unreadable'})."
            ) from error
    return context
