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

_VERSIONS: Final = frozenset({"1.0", "1.1"})
_TOO_LARGE: Final = "The head of the request is too large."
_NOT_HTTP: Final = "This is not an HTTP request."


class BadRequest(Exception):
    """A request that the server refuses without the application. The connection then closes."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class PipelineFull(Exception):
    """Too many requests wait for the one before them."""


class Incoming:
    """A request that arrives. `parts`: its bytes in plain form that nobody has taken yet."""

    __slots__ = ("is_chunked", "is_complete", "parts")

    def __init__(self, *, is_chunked: bool) -> None:
        self.parts: list[bytes] = []
        self.is_chunked = is_chunked
        self.is_complete = False

    def take(self) -> bytes:
        taken = b"".join(self.parts)
        self.parts.clear()
        return taken


class RequestReader:
    """Splits the bytes of a connection into `requests`. The caller removes the first one when it is answered.

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
        self._quiet = 0
        """Bytes since the end of the last head, part of a body or request. The parser may keep them."""

    @property
    def in_body(self) -> bool:
        return bool(self.requests) and not self.requests[-1].is_complete

    @property
    def is_partial(self) -> bool:
        return self.in_head or self.in_body

    def feed(self, data: bytes) -> None:
        """Read more bytes. Raises BadRequest and PipelineFull, after which the reader is of no use."""
        while data:
            self._quiet += len(data)
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as stopped:
                # A server may ignore the wish (RFC 9110, section 7.8), but the parser would skip the body.
                head = self._head(self._parser.get_method(), self._parser.get_http_version())
                data = head + data[stopped.args[0] :]
                self._asks_for_upgrade = False
                self._parser = self._new_parser()
                continue
            except httptools.HttpParserCallbackError as error:
                raise (error.__context__ or error) from None
            except httptools.HttpParserError:
                raise BadRequest(400, _NOT_HTTP) from None
            if self._quiet > self._limits.head:
                raise BadRequest(431, _TOO_LARGE)
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
        self._url, self._headers = b"", []

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if self.in_head:  # otherwise a trailer, which nobody reads
            self._headers.append((name.lower(), value.strip(b" \t")))

    def on_headers_complete(self) -> None:
        self._quiet = 0
        method, version = self._parser.get_method(), self._parser.get_http_version()
        if self._parser.should_upgrade() and method != b"CONNECT":
            self._asks_for_upgrade = True
            return
        head = self._head(method, version)
        self._check(len(head), method, version)
        self.in_head = False
        self.requests.append(Incoming(is_chunked=b"\r\ntransfer-encoding: " in head))
        self._add(head)

    def on_body(self, body: bytes) -> None:
        self._quiet = 0
        self._add(b"%x\r\n%b\r\n" % (len(body), body) if self.requests[-1].is_chunked else body)

    def on_message_complete(self) -> None:
        self._quiet = 0
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

    def _add(self, part: bytes) -> None:
        self.requests[-1].parts.append(part)
        if len(self.requests) > 1:
            self._ahead += len(part)
            if self._ahead > self._limits.body:
                raise PipelineFull

    def _check(self, size: int, method: bytes, version: str) -> None:
        """Raise BadRequest for a head that the parser accepts and RFC 9112 or the limits do not."""
        if size > self._limits.head or len(self._headers) > self._limits.header_lines:
            raise BadRequest(431, _TOO_LARGE)
        if version not in _VERSIONS:
            raise BadRequest(505, "This server speaks HTTP/1.1.")
        if method == b"CONNECT":
            raise BadRequest(501, "This server is not a proxy.")
        hosts = [value for name, value in self._headers if name == b"host"]
        if len(hosts) != 1 and (hosts or version == "1.1"):
            raise BadRequest(400, "Send exactly one Host header.")
        if hosts and not _HOST.fullmatch(hosts[0]):
            raise BadRequest(400, "The Host header names no host.")
        if not self._url.startswith(b"/") and httptools.parse_url(self._url).path is None:
            raise BadRequest(400, _NOT_HTTP)

    def _head(self, method: bytes, version: str) -> bytes:
        """Return the head without an upgrade."""
        lines = [b"%b %b HTTP/%b" % (method, self._url, version.encode())]
        for name, value in self._headers:
            if name == b"connection":
                tokens = [token for token in value.split(b",") if token.strip().lower() != b"upgrade"]
                lines.append(b"connection: " + b",".join(tokens))
            elif name != b"upgrade":
                lines.append(name + b": " + value)
        lines.append(b"\r\n")
        return b"\r\n".join(lines)
