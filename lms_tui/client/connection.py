"""One guarded way to the service: one origin, no redirects, bounded answers, every failure an `ApiError`."""

import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import httpx

from lms_tui import __version__
from lms_tui.client.address import follow, is_loopback, origin_of
from lms_tui.client.decoding import decode, read_body
from lms_tui.client.errors import from_response, from_transport
from lms_tui.client.redaction import guard_logs
from lms_tui.client.retry import pause_before_retry
from lms_tui.wire.errors import ApiError, Defect, Invalid, SignInNeeded

_CONNECT: Final = 10.0
_WHOLE: Final = 3
_LONGEST_TOKEN: Final = 8_192


@dataclass(frozen=True, slots=True)
class Access:
    """How a server is reached. `timeout`: seconds to wait for bytes; a whole answer may take three times as long.

    `transport` and `sleep` stand in for the network and for waiting where a test is the caller.
    """

    timeout: float = 20.0
    ca_file: Path | None = None
    allow_plain_http: bool = False
    transport: httpx.AsyncBaseTransport | None = None
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep


class TokenAuth(httpx.Auth):
    """Puts the token on requests to one origin and on no others, wherever an address came from."""

    def __init__(self, origin: str) -> None:
        self._origin = httpx.URL(origin)
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
        if self._token and (url.scheme, url.host, url.port) == self._home():
            request.headers["Authorization"] = f"JWT {self._token}"
        yield request

    def _home(self) -> tuple[str, str, int | None]:
        return self._origin.scheme, self._origin.host, self._origin.port


class Connection:
    """Requests to one server; paths are joined to its base address, links from bodies are checked against it."""

    def __init__(self, base_url: str, access: Access) -> None:
        guard_logs()
        self.base_url = base_url
        self.origin = origin_of(base_url)
        self.auth = TokenAuth(self.origin)
        self._access = access
        self._closed = False
        self._http = httpx.AsyncClient(
            auth=self.auth,
            follow_redirects=False,
            headers={"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": f"lms-tui/{__version__}"},
            timeout=httpx.Timeout(access.timeout, connect=min(access.timeout, _CONNECT)),
            transport=access.transport,
            # A proxy of the environment must not see requests to this computer.
            trust_env=not is_loopback(base_url),
            verify=_tls(base_url, access.ca_file),
        )

    def __repr__(self) -> str:
        return f"Connection({self.base_url!r})"

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
        if self._closed:
            raise SignInNeeded("You have signed out.")
        url = self.resolve(path)
        try:
            with anyio.fail_after(self._access.timeout * _WHOLE):
                status, answered, content = await self._exchange(method, url, params, body, headers)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise from_transport(error, self._access.timeout) from error
        if not 200 <= status < 300:
            raise from_response(status, answered, content)
        return decode(content)

    async def close(self) -> None:
        """Forget the token and close the sockets, also when cancelled; later requests raise SignInNeeded."""
        self._closed = True
        self.auth.replace("")
        with anyio.CancelScope(shield=True):
            await self._http.aclose()

    async def _exchange(
        self,
        method: str,
        url: str,
        params: Mapping[str, str] | None,
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
    ) -> tuple[int, httpx.Headers, bytes]:
        request = self._http.build_request(method, url, params=params, json=body, headers=headers)
        response = await self._http.send(request, stream=True)
        try:
            raw: AsyncGenerator[bytes, None] = response.aiter_raw()  # type: ignore[assignment]  # it is one
            content = await read_body(raw, response.headers.get("content-encoding", ""))
        finally:
            await response.aclose()
        return response.status_code, response.headers, content


def _tls(base_url: str, ca_file: Path | None) -> ssl.SSLContext:
    """Trust the usual authorities, the system's and those of `ca_file`; there is no way to trust everyone."""
    if base_url.startswith("http://"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts no one, is never asked, and costs 30 ms less
    context = httpx.create_ssl_context()
    context.load_default_certs()
    if ca_file is not None:
        try:
            context.load_verify_locations(cafile=ca_file)
        except OSError as error:
            words = "The file of certificates in the setting ca_file cannot be used."
            raise Invalid(words, advice=f"Give a readable PEM file ({error.strerror or 'unreadable'}).") from error
    return context
