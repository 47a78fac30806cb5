"""One guarded way to the service: one origin, no redirects, bounded answers, every failure an `ApiError`."""

import re
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final

import anyio
import httpx

from lms_tui import __version__
from lms_tui.client.address import follow, is_loopback, no_address, origin_of
from lms_tui.client.decoding import decode, read_body
from lms_tui.client.errors import from_response, from_transport, unsendable
from lms_tui.client.recording import Exchange, Headers, Recorder
from lms_tui.client.redaction import guard_logs
from lms_tui.client.retry import pause_before_retry
from lms_tui.wire.errors import ApiError, Defect, Invalid, SignInNeeded

_CONNECT: Final = 10.0
_HEADER: Final = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_WHOLE: Final = 3
_LONGEST_TOKEN: Final = 8_192
_LARGEST_FILE: Final = 64 * 1024 * 1024
_PATIENCE: Final = 10
"""How many times the timeout a whole file may take: a server may print it first."""


NO_ANSWER: Final = (httpx.HTTPError, httpx.InvalidURL, UnicodeError, OSError)
"""What a request may end in; the HTTP library reads the address that an answer leads to, whether it follows or not."""


@dataclass(frozen=True, slots=True)
class Access:
    """How a server is reached. `timeout`: seconds to wait for bytes; a whole answer may take three times as long.

    `transport` and `sleep` stand in for the network and for waiting where a test is the caller. `recorder` hears of
    every request.
    """

    timeout: float = 20.0
    ca_file: Path | None = None
    allow_plain_http: bool = False
    transport: httpx.AsyncBaseTransport | None = None
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    recorder: Recorder | None = None


class _NoCookies(CookieJar):
    """Keeps nothing: tokens say who asks, and one odd cookie would stand in the way of every later request."""

    def extract_cookies(self, response: object, request: object) -> None:
        pass


class TokenAuth(httpx.Auth):
    """Puts the token on requests to one origin and on no others, wherever an address came from."""

    def __init__(self, origin: str) -> None:
        self._origin = httpx.URL(origin)
        self._home = self._origin.scheme, self._origin.host, self._origin.port
        self._token = ""

    def __repr__(self) -> str:
        return f"TokenAuth({str(self._origin)!r})"

    @property
    def token(self) -> str:
        return self._token

    def replace(self, token: str) -> None:
        """Use another token from now on, "" for none; raises Defect where it could not stand in a header."""
        if not (token.isascii() and token.isprintable() and " " not in token and len(token) <= _LONGEST_TOKEN):
            raise Defect("The token is not one of this kind of service.", advice="Sign in with user name and password.")
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        url = request.url
        if self._token and (url.scheme, url.host, url.port) == self._home:
            request.headers["Authorization"] = f"JWT {self._token}"
        yield request


class Connection:
    """Requests to one server; paths are joined to its base address, links from bodies are checked against it."""

    def __init__(self, base_url: str, access: Access) -> None:
        guard_logs()
        self.base_url = base_url
        self.origin = origin_of(base_url)
        try:
            self.auth = TokenAuth(self.origin)
        except (httpx.InvalidURL, UnicodeError):  # letters that no name of a host may have
            raise no_address() from None
        self._access = access
        self._closed = False
        headers = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        self._http = way_to(base_url, access, headers, self.auth)

    def __repr__(self) -> str:
        return f"Connection({self.base_url!r})"

    @property
    def access(self) -> Access:
        """How the server is reached, for what is read beside its answers."""
        return self._access

    def resolve(self, path: str) -> str:
        """Join a path of the API document to the base address, or check a link; raises Defect where that leaves."""
        return self.base_url + path if path.startswith("/api/") else follow(f"{self.base_url}/", path)

    async def get(self, path: str, params: Mapping[str, str] | None = None) -> object:
        """Read an address, again after a short pause where that is likely to help; raises ApiError."""
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

    async def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> object:
        """Send one request, once, and return its cleaned JSON (None where there is none); raises ApiError."""
        answered = await self.exchange(method, path, params=params, body=body, headers=headers)
        if not answered.succeeded:
            raise from_response(answered.status, dict(reversed(answered.response_headers)), answered.body)
        return decode(answered.body)

    async def exchange(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Exchange:
        """Send one request, once, and return what went over the wire, whatever its status; raises ApiError without."""
        request = self._request(method, path, params=params, body=body, headers=headers)
        began, since = datetime.now(UTC), anyio.current_time()
        try:
            with anyio.fail_after(self._access.timeout * _WHOLE):
                status, answered, content, size = await self._exchange(request)
        except (ApiError, *NO_ANSWER) as error:
            failure = error if isinstance(error, ApiError) else from_transport(error, self._access.timeout)
            self._record(_exchange(request, began, anyio.current_time() - since, failure=str(failure)))
            raise failure from error
        took = anyio.current_time() - since
        exchange = _exchange(request, began, took, status=status, answered=answered, body=content, size=size)
        self._record(exchange)
        return exchange

    async def download(self, url: str, kind: str, progress: Callable[[int, int | None], None]) -> bytes:
        """Read a file of this server, whole or not at all, once; raises ApiError.

        `kind`: the media type asked for; `progress`: bytes so far and in all, None where nobody knows.
        """
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
        """Forget the token and close the sockets, also when cancelled; later requests raise SignInNeeded."""
        self._closed = True
        self.auth.replace("")
        with anyio.CancelScope(shield=True):
            await self._http.aclose()

    def _request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Request:
        """Write a request down; raises Invalid where what was given cannot be, Defect for a link that is none."""
        if self._closed:
            raise SignInNeeded("You have signed out.")
        if not all(_HEADER.fullmatch(value) for value in (headers or {}).values()):
            raise unsendable()
        address = self.resolve(path)
        try:
            return self._http.build_request(method, address, params=params, json=body, headers=headers)
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


async def _told(response: httpx.Response, progress: Callable[[int, int | None], None]) -> bytes:
    """Read a body and tell how far it is; the length in the header is of the body as it was sent."""
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
        request_body=request.content,
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


def way_to(base_url: str, access: Access, headers: Mapping[str, str], auth: TokenAuth | None) -> httpx.AsyncClient:
    """Open a way to a server: no redirects, no cookies; raises Invalid where the environment's proxy is none."""
    verify = tls(base_url, access.ca_file)
    try:
        return httpx.AsyncClient(
            auth=auth,
            cookies=_NoCookies(),
            follow_redirects=False,
            headers={**headers, "User-Agent": f"lms-tui/{__version__}"},
            timeout=httpx.Timeout(access.timeout, connect=min(access.timeout, _CONNECT)),
            transport=access.transport,
            # A proxy of the environment must not see requests to this computer.
            trust_env=not is_loopback(base_url),
            verify=verify,
        )
    except (httpx.InvalidURL, ValueError, ImportError) as error:  # ImportError: SOCKS needs a package of its own
        raise Invalid(
            "The proxy that the environment names cannot be used.",
            advice="Set HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY to HTTP proxies and hosts, or unset them.",
        ) from error


def warm() -> None:
    """Import what the first request brings, for a caller who waits for something else anyway; not in an event loop."""
    httpx.AsyncHTTPTransport(verify=tls("http://localhost", None))
    anyio.run(anyio.sleep, 0)


def tls(base_url: str, ca_file: Path | None) -> ssl.SSLContext:
    """Trust the usual authorities, the system's and those of `ca_file`; there is no way to trust everyone."""
    if base_url.startswith("http://"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts no one, is never asked, and costs 30 ms less
    try:
        context = httpx.create_ssl_context()
        context.load_default_certs()
    except (OSError, ValueError) as error:
        raise Invalid(
            "A file for TLS that the environment names cannot be used.",
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
