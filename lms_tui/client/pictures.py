"""Download pictures that texts of a server refer to."""

from typing import Final
from urllib.parse import urljoin, urlsplit

import anyio
import httpx

from lms_tui.client.address import follow, is_encodable, is_loopback, origin_of
from lms_tui.client.connection import NO_ANSWER, Connection, http_client
from lms_tui.client.errors import from_response, from_transport, unsendable
from lms_tui.client.port import PictureAddress
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.errors import ApiError, Defect, NotTheService, SignInNeeded

_LONGEST: Final = 2_048
_MOST_REDIRECTS: Final = 3
_HEADERS: Final = {"Accept": "image/*", "Accept-Encoding": "identity"}


class HttpPictures:
    """Download pictures with limits on bytes, time and redirects. A redirect never leads to another server.

    Only requests to the signed-in server carry the token.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._ways: dict[bool, httpx.AsyncClient] = {}
        self._closed = False

    def locate(self, source: str) -> PictureAddress | None:
        source = source.strip()
        if not source or len(source) > _LONGEST or not source.isprintable():
            return None
        base = f"{self._connection.base_url}/"
        try:
            return PictureAddress(follow(base, source))
        except ApiError:
            return self._elsewhere(base, source)

    def _elsewhere(self, base: str, source: str) -> PictureAddress | None:
        """Check an address of another server. It needs https unless plain http is allowed, and has no user name."""
        try:
            parts = urlsplit(urljoin(base, source))
            host = origin_of(parts.geturl()).partition("://")[2]
        except (ValueError, ApiError):
            return None
        plain = parts.scheme == "http" and (self._connection.access.allow_plain_http or is_loopback(parts.geturl()))
        if not (parts.scheme == "https" or plain) or not parts.hostname or "@" in parts.netloc:
            return None
        return PictureAddress(parts._replace(fragment="").geturl(), clean_line(host))

    async def read(self, address: PictureAddress, largest: int) -> bytes:
        if not address.host:
            await self._connection.prove()
        if self._closed:
            raise SignInNeeded("You have signed out.")
        if not is_encodable(address.url):
            raise unsendable()
        url, timeout = address.url, self._connection.access.timeout
        try:
            with anyio.fail_after(timeout):
                for _ in range(_MOST_REDIRECTS + 1):
                    answer = await _answer(self._way(own=not address.host), url, largest)
                    if isinstance(answer, bytes):
                        return answer
                    url = answer
        except NO_ANSWER as error:
            raise from_transport(error, timeout) from error
        raise Defect("The picture's address redirects in a circle.")

    async def close(self) -> None:
        """Close the sockets, also when cancelled. Later requests raise SignInNeeded."""
        self._closed = True
        with anyio.CancelScope(shield=True):
            for http in self._ways.values():
                await http.aclose()

    def _way(self, *, own: bool) -> httpx.AsyncClient:
        """Return the HTTP client for this server or for all others. They share no proxy, certificates or cookies."""
        if own not in self._ways:
            access = self._connection.access
            base_url = self._connection.base_url if own else "https://"
            self._ways[own] = http_client(base_url, access, _HEADERS, self._connection.auth if own else None)
        return self._ways[own]


async def _answer(http: httpx.AsyncClient, url: str, largest: int) -> bytes | str:
    """Return the bytes of an address, or the address on the same server to which it redirects."""
    async with http.stream("GET", url) as response:
        if response.has_redirect_location:
            return follow(url, response.headers["location"])
        if response.status_code != httpx.codes.OK:
            raise from_response(response.status_code, response.headers, b"")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise NotTheService("The picture has an unknown compression.")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > largest:
                raise NotTheService("The picture is too large.")
        return bytes(body)
