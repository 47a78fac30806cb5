"""HTTP connections with time limits and size limits for requests and responses."""

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
"""Seconds in which the application can refuse a slow body before the connection is closed."""
_UNSENT_BYTES: Final = 64 * 1024
"""Unsent bytes that the kernel buffers for a connection.

Its default is megabytes, and then a slow client looks for minutes like one that does not read.
"""


class BadRequest(Exception):
    """A request that the connection refuses without the application. The connection then closes."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


class PipelineFull(Exception):
    """Too many requests wait for the one before them."""


class Cycle(Protocol):
    """A request in progress."""

    keep_alive: bool
    disconnected: bool
    response_complete: bool


class _Flow(FlowControl):
    """Pauses reading while a request waits for the one before it."""

    def __init__(self, transport: object, waiting: deque[tuple[RequestResponseCycle, ASGI3Application]]) -> None:
        super().__init__(transport)  # type: ignore[arg-type]  # asyncio's and uvloop's transports share no type
        self._waiting = waiting

    def resume_reading(self) -> None:
        if not self._waiting and not self._transport.is_closing():
            super().resume_reading()

    def discard_input(self) -> None:
        """Read on regardless, because closing a connection with unread bytes loses the responses on their way."""
        super().resume_reading()


class GuardedProtocol(HttpToolsProtocol):
    """The protocol of uvicorn with time limits, which it lacks. The server calls `reap` at intervals."""

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
    """The oldest unanswered request. `cycle` is the newest one."""
    _final_response: bytes | None = None
    """Sent before closing, when all earlier requests are answered."""
    _unsent = 0
    _unread_since = 0.0

    def connection_made(self, transport: object) -> None:
        super().connection_made(transport)  # type: ignore[arg-type]  # asyncio's and uvloop's transports share no type
        self.flow = _Flow(transport, self.pipeline)
        self._since = self.loop.time()
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            self._set(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # uvicorn notifies only the newest request of the disconnect.
        if isinstance(self._running, RequestResponseCycle):
            self._running.disconnected = True
            self._running.message_event.set()
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        if self._final_response is not None:
            return
        self._unset_keepalive_if_required()
        cycle: RequestResponseCycle | None = self.cycle  # `cycle` is None before the first request
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
            # All of these bytes belong to an unfinished head.
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
            raise PipelineFull
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
        self._check_head()
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
        if self._final_response is None or self.pipeline:
            super().on_response_complete()
        else:
            self.server_state.total_requests += 1
            self._send_last(self._final_response)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unsent = 0

    def reap(self, now: float) -> None:
        """Close the connection if the request or the reading of the response is late. `now`: time of the loop."""
        if self._is_unread(now):
            # SO_LINGER 0 makes the kernel drop its buffer, which it would offer for minutes.
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
            with suppress(OSError):  # the connection is already closed
                connection.setsockopt(level, option, value)

    def _is_late(self, now: float) -> bool:
        if self._since is None:
            return False
        if self.flow.read_paused:  # the server itself has paused reading
            self._since = now
        return now - self._since > (self.limits.body_deadline + _SLACK if self._in_body else self.limits.head_deadline)

    def _is_unread(self, now: float) -> bool:
        unsent, before = self.transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        if not before or unsent < before:
            self._unread_since = now
        return unsent > 0 and now - self._unread_since > self.limits.send_deadline

    def _check_head(self) -> None:
        """Raise BadRequest for a head that the parser accepts and RFC 9112 does not."""
        if self.parser.get_method() == b"CONNECT":
            raise BadRequest(501, "This server is not a proxy.")
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise BadRequest(400, "Send exactly one Host header.")
        if not self.url.startswith(b"/") and httptools.parse_url(self.url).path is None:
            raise _not_http()

    def _count_ahead(self, size: int) -> None:
        if self.pipeline:
            self._ahead += size
            if self._ahead > self.limits.body:
                raise PipelineFull

    def _without_upgrade(self) -> bytes:
        """Return the head without the Upgrade header, for a new parser.

        A server may ignore that header (RFC 9110, section 7.8), but the parser would skip the body.
        """
        lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        for name, value in self.headers:
            kept = value
            if name == b"connection":
                kept = b", ".join(token for token in value.split(b",") if token.strip().lower() != b"upgrade")
            if name != b"upgrade" and (kept or not value):
                lines.append(b"%b: %b" % (name, kept))
        self._asks_for_upgrade = self._in_head = False
        self.parser = httptools.HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
        return b"\r\n".join([*lines, b"", b""])

    def _end(self, error: Exception) -> None:
        """Refuse an unreadable request after all earlier responses, then close the connection."""
        if self.transport.is_closing():
            return
        self._since = None
        response = self._response(error)
        if self._in_body:
            self._in_body = False
            if self.pipeline:
                self.pipeline.popleft()
            else:
                # The application is already answering the broken request.
                self.cycle.disconnected = True
                self._send_last(b"" if self.cycle.response_started else response)
                return
        running = self._running
        if running is None or running.response_complete:
            self._send_last(response)
            return
        self._final_response = response
        self.flow.discard_input()
        if not response:
            last: Cycle = self.pipeline[0][0] if self.pipeline else running
            last.keep_alive = False

    def _response(self, error: Exception) -> bytes:
        cause = error.__context__ if isinstance(error, httptools.HttpParserCallbackError) else error
        match cause:
            case PipelineFull():
                return b""
            case BadRequest():
                refusal = cause
            case httptools.HttpParserError():
                refusal = _not_http()
            case _:  # a defect of the server
                self.logger.error("Exception while reading a request", exc_info=cause)
                refusal = BadRequest(500, "The server failed to process the request.")
        body = json.dumps({"detail": refusal.detail}).encode()
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"connection", b"close"),
            (b"content-length", b"%d" % len(body)),
        ]
        lines = b"".join(b"%b: %b\r\n" % header for header in headers)
        return b"%b%b\r\n%b" % (STATUS_LINE[refusal.status], lines, body)

    def _send_last(self, response: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(response)
            self.transport.close()


def _too_large() -> BadRequest:
    return BadRequest(431, "The head of the request is too large.")


def _not_http() -> BadRequest:
    return BadRequest(400, "This is not an HTTP request.")


def guarded(limits: Limits) -> type[GuardedProtocol]:
    """Return a protocol class for these limits, as uvicorn needs it."""
    return type("LimitedProtocol", (GuardedProtocol,), {"limits": limits})
