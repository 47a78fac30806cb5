"""HTTP connections with an end: what does not arrive in time, is not read in time, or grows without one, is cut off."""

import json
import socket
import struct
from collections import deque
from contextlib import suppress
from typing import ClassVar, Final, Protocol

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from lms_tui.service.core.settings import Limits

_SLACK: Final = 5.0
"""Seconds that the application has to refuse a slow body in words before its connection is cut."""
_UNSENT: Final = 64 * 1024
"""Bytes that the kernel takes for a connection before any is on its way.

By itself it takes megabytes, and a client that reads slowly looks for minutes like one that does not read.
"""


class Refused(Exception):
    """The connection itself answers this, in the shape of every error, and ends."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class ReadEnough(Exception):
    """So many requests came behind one that is not answered yet that no more of them are read."""


class Cycle(Protocol):
    """A request under way."""

    keep_alive: bool
    disconnected: bool
    response_complete: bool


class _Flow(FlowControl):
    """Reads on only when no request that was read waits for the one before it."""

    def __init__(self, transport: object, waiting: deque[tuple[RequestResponseCycle, ASGI3Application]]) -> None:
        super().__init__(transport)  # type: ignore[arg-type]  # asyncio's and uvloop's transports share no type
        self._waiting = waiting

    def resume_reading(self) -> None:
        if not self._waiting and not self._transport.is_closing():
            super().resume_reading()

    def drop_what_comes(self) -> None:
        """Read on whatever waits: a connection that is closed with bytes unread loses the answers on their way."""
        super().resume_reading()


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for ever; `reap` is called on every connection now and then."""

    limits: ClassVar[Limits] = Limits()
    flow: _Flow
    _since: float | None = None
    _in_head = False
    _in_body = False
    _asks_for_upgrade = False
    _head_bytes = 0
    _ahead = 0
    """Bytes of requests that wait for the one before them."""
    _running: Cycle | None = None
    """The first of those that are not answered; uvicorn's `cycle` is the last."""
    _last_words: bytes | None = None
    """What the connection ends with when all that came before is answered."""
    _unsent = 0
    _unread_since = 0.0

    def connection_made(self, transport: object) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # asyncio's and uvloop's transports share no type
        self.flow = _Flow(transport, self.pipeline)
        self._since = self.loop.time()
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            self._set(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # uvicorn tells the last request alone that nobody is there any more.
        if isinstance(self._running, RequestResponseCycle):
            self._running.disconnected = True
            self._running.message_event.set()
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        if self._last_words is not None:
            return
        self._unset_keepalive_if_required()
        cycle: RequestResponseCycle | None = self.cycle  # uvicorn has none before the first request
        if self._since is None and (cycle is None or cycle.response_complete):
            self._since = self.loop.time()
        before, again = self._in_head, b""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as stopped:
            again = self._without_upgrade() + data[stopped.args[0] :]
        except httptools.HttpParserError as error:
            self._end(error)
        else:
            # All of these bytes were of a head that has not ended yet.
            if before and self._in_head:
                self._head_bytes += len(data)
                if self._head_bytes > self.limits.head:
                    self._end(_too_large())
        if again:
            self.data_received(again)

    def on_message_begin(self) -> None:
        if not self.pipeline:
            self._ahead = 0
        elif len(self.pipeline) >= self.limits.pipelined:
            raise ReadEnough
        super().on_message_begin()
        self._since = self.loop.time()
        self._in_head = True
        self._head_bytes = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > self.limits.head:
            raise _too_large()

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > self.limits.head or len(self.headers) > self.limits.header_lines:
            raise _too_large()

    def on_headers_complete(self) -> None:
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT":
            self._asks_for_upgrade = True
            return
        self._refuse_unless_sound()
        super().on_headers_complete()
        self._in_head, self._in_body = False, True
        self._count_ahead(self._head_bytes + len(self.url))

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._count_ahead(len(body))

    def on_message_complete(self) -> None:
        if self._asks_for_upgrade:
            return
        super().on_message_complete()
        self._since = None
        self._in_body = False

    def on_response_complete(self) -> None:
        if self._last_words is None or self.pipeline:
            super().on_response_complete()
        else:
            self.server_state.total_requests += 1
            self._say(self._last_words)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unsent = 0

    def reap(self, now: float) -> None:
        """Cut the connection where what should have arrived, or been read, by now (seconds of the loop) has not."""
        if self._is_unread(now):
            # The kernel drops what it has, or would offer it for minutes.
            self._set(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        elif self._is_late(now):
            self.transport.abort()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _set(self, level: int, option: int, value: int | bytes) -> None:
        connection = self.transport.get_extra_info("socket")
        if connection is not None:
            with suppress(OSError):  # it has gone already
                connection.setsockopt(level, option, value)

    def _is_late(self, now: float) -> bool:
        if self._since is None:
            return False
        if self.flow.read_paused:  # it is us who do not read
            self._since = now
        return now - self._since > (self.limits.body_deadline + _SLACK if self._in_body else self.limits.head_deadline)

    def _is_unread(self, now: float) -> bool:
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        if not before or unsent < before:
            self._unread_since = now
        return unsent > 0 and now - self._unread_since > self.limits.send_deadline

    def _refuse_unless_sound(self) -> None:
        """Refuse what the parser lets through and RFC 9112 does not."""
        if self.parser.get_method() == b"CONNECT":
            raise Refused(501, "This service is no proxy.")
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise Refused(400, "Name the host once, in a header Host.")
        if not self.url.startswith(b"/") and httptools.parse_url(self.url).path is None:
            raise _no_request()

    def _count_ahead(self, size: int) -> None:
        if self.pipeline:
            self._ahead += size
            if self._ahead > self.limits.body:
                raise ReadEnough

    def _without_upgrade(self) -> bytes:
        """Write the head again without the wish for another protocol, and forget how it was read.

        A server may ignore that wish (RFC 9110, 7.8); the parser does not: it gives the body up.
        """
        lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        for name, value in self.headers:
            said = value
            if name == b"connection":
                said = b", ".join(token for token in value.split(b",") if token.strip().lower() != b"upgrade")
            if name != b"upgrade" and (said or not value):
                lines.append(b"%b: %b" % (name, said))
        self._asks_for_upgrade = self._in_head = False
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return b"\r\n".join([*lines, b"", b""])

    def _end(self, error: Exception) -> None:
        """Answer what cannot be read when all before it is answered, and close; what comes behind it is left out."""
        if self.transport.is_closing():
            return
        self._since = None
        words = self._words(error)
        if self._in_body:
            self._in_body = False
            if self.pipeline:
                self.pipeline.popleft()
            else:
                # The request that is being answered is itself the broken one.
                self.cycle.disconnected = True
                self._say(b"" if self.cycle.response_started else words)
                return
        running = self._running
        if running is None or running.response_complete:
            self._say(words)
            return
        self._last_words = words
        self.flow.drop_what_comes()
        if not words:
            last: Cycle = self.pipeline[0][0] if self.pipeline else running
            last.keep_alive = False

    def _words(self, error: Exception) -> bytes:
        cause = error.__context__ if isinstance(error, httptools.HttpParserCallbackError) else error
        match cause:
            case ReadEnough():
                return b""
            case Refused():
                refusal = cause
            case httptools.HttpParserError():
                refusal = _no_request()
            case _:  # no fault of what was sent
                self.logger.error("Exception while a request was read", exc_info=cause)
                refusal = Refused(500, "The server could not do this.")
        body = json.dumps({"detail": refusal.detail}).encode()
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"connection", b"close"),
            (b"content-length", b"%d" % len(body)),
        ]
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        return b"%b%b\r\n%b" % (STATUS_LINE[refusal.status], lines, body)

    def _say(self, words: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(words)
            self.transport.close()


def _too_large() -> Refused:
    return Refused(431, "The head of the request is larger than this service takes.")


def _no_request() -> Refused:
    return Refused(400, "This is no HTTP request.")


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """Make the protocol for these limits, as uvicorn takes it: a class."""
    return type("LimitedProtocol", (GuardedProtocol,), {"limits": limits})
