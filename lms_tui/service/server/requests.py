"""HTTP/1 requests as they arrive: parsed by llhttp, checked, and written again in one plain form.

uvicorn parses what this module writes. It therefore never sees trailers, upgrades, chunk extensions or repeated hosts.
"""

import re
from collections import deque
from typing import Final

import httptools

from lms_tui.service.core.settings import Limits

_HOST: Final = re.compile(rb"(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::[0-9]*)?")
"""`uri-host [ ":" port ]` (RFC 9110, section 7.2)."""


class BadRequest(Exception):
    """A request that the server refuses without the application. The connection then closes."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class PipelineFull(Exception):
    """Too many requests wait for the one before them."""


class Incoming:
    """A request whose head has arrived. `parts`: its bytes in plain form that nobody has taken yet."""

    __slots__ = ("is_chunked", "is_complete", "parts")

    def __init__(self, head: bytes, *, is_chunked: bool) -> None:
        self.parts = [head]
        self.is_chunked = is_chunked
        self.is_complete = False

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


class RequestReader:
    """Splits the bytes of a connection into `requests`. Whoever answers the first one removes it.

    `begun` counts the requests that have begun to arrive.
    """

    def __init__(self, limits: Limits) -> None:
        self.requests: deque[Incoming] = deque()
        self.begun = 0
        self.in_head = False
        self._limits = limits
        self._ahead = 0
        """Bytes of requests that wait for the one before them."""
        self._parser = self._new_parser()
        self._asks_for_upgrade = False
        self._url = b""
        self._headers: list[tuple[bytes, bytes]] = []
        self._size = 0
        """Bytes of the head and of the trailers."""
        self._unparsed = 0
        """Bytes since the parser last told something. It keeps a line until the line ends."""

    @property
    def in_body(self) -> bool:
        return bool(self.requests) and not self.requests[-1].is_complete

    @property
    def is_partial(self) -> bool:
        return self.in_head or self.in_body

    def feed(self, data: bytes) -> None:
        """Read more bytes. Raises BadRequest and PipelineFull, after which the reader is of no use."""
        while data:
            self._unparsed += len(data)
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as stopped:
                # A server may ignore the wish (RFC 9110, section 7.8), but the parser would skip the body.
                data = self._head() + data[stopped.args[0] :]
                self._asks_for_upgrade = False
                self._parser = self._new_parser()
                continue
            except httptools.HttpParserCallbackError as error:
                raise (error.__context__ or error) from None
            except httptools.HttpParserError:
                raise BadRequest(400, "This is not an HTTP request.") from None
            if self._unparsed > self._limits.head:
                raise _too_large()
            return

    def close(self) -> None:
        self.requests.clear()
        del self._parser  # which refers to this reader

    def on_message_begin(self) -> None:
        if len(self.requests) > self._limits.pipelined:
            raise PipelineFull
        if not self.requests:
            self._ahead = 0
        self.begun += 1
        self.in_head = True
        self._url, self._headers, self._size = b"", [], 0

    def on_url(self, url: bytes) -> None:
        self._url += url
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        if self.in_head:  # otherwise a trailer, which nobody reads
            self._headers.append((name.lower(), value.strip(b" \t")))
            if len(self._headers) > self._limits.header_lines:
                raise _too_large()

    def on_headers_complete(self) -> None:
        self._unparsed = 0
        method = self._parser.get_method()
        if self._parser.should_upgrade() and method != b"CONNECT":
            self._asks_for_upgrade = True
            return
        self._check(method)
        self.in_head = False
        is_chunked = any(name == b"transfer-encoding" for name, _ in self._headers)
        self.requests.append(Incoming(b"", is_chunked=is_chunked))
        self._add(self._head())

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        self._add(b"%x\r\n%b\r\n" % (len(body), body) if self.requests[-1].is_chunked else body)

    def on_message_complete(self) -> None:
        self._unparsed = 0
        if self._asks_for_upgrade:
            return
        request = self.requests[-1]
        if request.is_chunked:
            self._add(b"0\r\n\r\n")
        request.is_complete = True

    def _new_parser(self) -> httptools.HttpRequestParser:
        parser = httptools.HttpRequestParser(self)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return parser

    def _count(self, size: int) -> None:
        self._unparsed = 0
        self._size += size
        if self._size > self._limits.head:
            raise _too_large()

    def _add(self, part: bytes) -> None:
        self.requests[-1].parts.append(part)
        if len(self.requests) > 1:
            self._ahead += len(part)
            if self._ahead > self._limits.body:
                raise PipelineFull

    def _check(self, method: bytes) -> None:
        """Raise BadRequest for a head that the parser accepts and RFC 9112 does not."""
        version = self._parser.get_http_version()
        if version not in {"1.0", "1.1"}:
            raise BadRequest(505, "This server speaks HTTP/1.1.")
        if method == b"CONNECT":
            raise BadRequest(501, "This server is not a proxy.")
        hosts = [value for name, value in self._headers if name == b"host"]
        if len(hosts) > 1 or (not hosts and version == "1.1"):
            raise BadRequest(400, "Send exactly one Host header.")
        if hosts and not _HOST.fullmatch(hosts[0]):
            raise BadRequest(400, "The Host header names no host.")
        if not self._url.startswith(b"/") and httptools.parse_url(self._url).path is None:
            raise BadRequest(400, "This is not an HTTP request.")

    def _head(self) -> bytes:
        """Return the head without an upgrade."""
        lines = [b"%b %b HTTP/%b" % (self._parser.get_method(), self._url, self._parser.get_http_version().encode())]
        for name, value in self._headers:
            if name == b"connection":
                tokens = [token for token in value.split(b",") if token.strip().lower() != b"upgrade"]
                lines.append(b"connection: " + b",".join(tokens))
            elif name != b"upgrade":
                lines.append(b"%b: %b" % (name, value))
        return b"\r\n".join([*lines, b"", b""])


def _too_large() -> BadRequest:
    return BadRequest(431, "The head of the request is too large.")
