"""HTTP connections with an end: a request that does not arrive in time, or grows without one, is cut off."""

import json
from typing import ClassVar, Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from lms_tui.service.settings import Limits

_TOO_LARGE: Final = 431
_SLACK: Final = 5.0
"""Seconds that the application has to refuse a slow body in words before its connection is cut."""


class TooLarge(Exception):
    """The head of a request has more bytes or lines than the limits allow."""


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for ever; `reap` is called on every connection now and then."""

    limits: ClassVar[Limits] = Limits()
    _since: float | None = None
    _in_head = False
    _in_body = False
    _head_bytes = 0

    def connection_made(self, transport: object) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # asyncio's and uvloop's transports share no type
        self._since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn has none before the first request
        if self._since is None and (cycle is None or cycle.response_complete):
            self._since = self.loop.time()
        before = self._in_head
        super().data_received(data)
        # All of these bytes were of a head that has not ended yet.
        if before and self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > self.limits.head:
                self.send_400_response("")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._since = self.loop.time()
        self._in_head = True
        self._head_bytes = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.limits.head:
            raise TooLarge

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > self.limits.head or len(self.headers) > self.limits.header_lines:
            raise TooLarge

    def on_headers_complete(self) -> None:
        self._in_head, self._in_body = False, True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._since = None
        self._in_body = False

    def reap(self, now: float) -> None:
        """Cut the connection where what should have arrived by now (seconds of the loop) has not."""
        allowed = self.limits.body_deadline + _SLACK if self._in_body else self.limits.head_deadline
        if self._since is not None and now - self._since > allowed:
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # uvicorn calls it with a text of its own
        """Answer what is no request in the shape of every error, and close."""
        large = self._head_bytes > self.limits.head or len(self.headers or ()) > self.limits.header_lines
        large = large or len(getattr(self, "url", b"")) > self.limits.head
        detail = "The head of the request is larger than this service takes." if large else "This is no HTTP request."
        body = json.dumps({"detail": detail}).encode()
        head = STATUS_LINE[_TOO_LARGE if large else 400] + b"content-type: application/json\r\nconnection: close\r\n"
        self.transport.write(b"%bcontent-length: %d\r\n\r\n%b" % (head, len(body), body))
        self.transport.close()


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """Make the protocol for these limits, as uvicorn takes it: a class."""
    return type("LimitedProtocol", (GuardedProtocol,), {"limits": limits})
