"""A connection with limits on time and size, which uvicorn lacks. It stands in front of a protocol of uvicorn."""

import asyncio
import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Final

import uvicorn
from starlette.types import Message, Send

from lms_tui.service.core.context import CONNECTION
from lms_tui.service.core.settings import Limits
from lms_tui.service.server.connections import Connections
from lms_tui.service.server.requests import BadRequest, PipelineFull, RequestReader

_SLACK: Final = 5.0
"""Seconds in which the application can refuse a slow body before the connection is closed."""
_UNSENT_BYTES: Final = 64 * 1024
"""Unsent bytes that the kernel buffers for a connection.

Its default is megabytes, and then a slow client looks for minutes like one that does not read.
"""


class Connection(asyncio.Protocol):
    """Passes one request at a time to `served`, uvicorn's protocol, which writes the response to the transport."""

    def __init__(self, served: asyncio.Protocol, connections: Connections, limits: Limits) -> None:
        self.address = self.owner = ""
        self.is_within = False
        self._served = served
        self._connections = connections
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._reader = RequestReader(limits)
        self._transport: Any = None  # asyncio's and uvloop's transports share no type
        self._since: float | None = None
        """When the client began to owe a request, None while it owes nothing."""
        self._has_started = False
        """The response to the first request has started."""
        self._is_answered = False
        """The response to the first request is complete. The request itself may still arrive."""
        self._last: bytes | None = None
        """Sent before closing, when all earlier requests are answered."""
        self._unsent = 0
        self._unread_since = 0.0

    @property
    def is_idle(self) -> bool:
        """Return whether no response is lost if the connection closes."""
        return not self._reader.requests and not self._transport.get_write_buffer_size()

    @property
    def has_arrived(self) -> bool:
        """Return whether the first request that is not answered is complete."""
        requests = self._reader.requests
        return bool(requests) and requests[0].is_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._since = self._loop.time()
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):
            self._set(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, _UNSENT_BYTES)
        self._served.connection_made(transport)
        self._connections.add(self, (transport.get_extra_info("peername") or ("",))[0])

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self)
        self._reader.close()
        self._served.connection_lost(exc)
        del self._served  # which refers to this connection: the memory is free at once

    def pause_writing(self) -> None:
        self._served.pause_writing()

    def resume_writing(self) -> None:
        self._unsent = 0
        self._served.resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._last is not None:
            return  # Read on, because closing a connection with unread bytes loses the responses on their way.
        reader, begun = self._reader, self._reader.begun
        try:
            reader.feed(data)
        except BadRequest as refusal:
            self._end(_response(refusal))
        except PipelineFull:
            self._end(b"")
        else:
            if reader.begun != begun:
                self._since = self._loop.time()
            if reader.requests and not reader.is_partial:
                self._since = None
        self._forward()

    def sending(self, send: Send) -> Send:
        """Return a `send` for the first request that notes how far its response is."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._has_started = True
                if self._last == b"" and len(self._reader.requests) == 1:
                    message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
                await send(message)
                return
            await send(message)
            if not message.get("more_body", False):
                self._is_answered = True
                self._forward()

        return noting

    def reap(self, now: float) -> None:
        """Close the connection if the request or the reading of the response is late. `now`: time of the loop."""
        if self._is_unread(now):
            # SO_LINGER 0 makes the kernel drop its buffer, which it would offer for minutes.
            self._set(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.abort()
        elif self._is_late(now):
            self.abort()

    def abort(self) -> None:
        self._transport.abort()

    def _forward(self) -> None:
        """Pass on what has arrived of the first request, and go to the next one after its response."""
        requests = self._reader.requests
        while requests and not self._transport.is_closing():
            if requests[0].parts:
                self._served.data_received(requests[0].take())
            if not (self._is_answered and requests[0].is_complete):
                return
            requests.popleft()
            self._is_answered = self._has_started = False
            if not requests and not self._reader.in_head:
                self._since = self._loop.time()
                self._connections.rest(self)
        if self._last is not None:
            self._close(self._last)

    def _end(self, last: bytes) -> None:
        """Read nothing more. Send `last` after all earlier responses, then close the connection."""
        requests = self._reader.requests
        self._since, self._last = None, last
        if self._reader.in_body:
            requests.pop()
            if not requests:
                # The application may already be answering the broken request.
                self._close(b"" if self._has_started else last)

    def _close(self, last: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(last)
            self._transport.close()

    def _set(self, level: int, option: int, value: int | bytes) -> None:
        connection = self._transport.get_extra_info("socket")
        if connection is not None:
            with suppress(OSError):  # the connection is already closed
                connection.setsockopt(level, option, value)

    def _is_late(self, now: float) -> bool:
        if self._since is None:
            return False
        if not self._transport.is_reading():  # the server itself has paused reading
            self._since = now
        limits = self._limits
        if self._reader.in_body:
            patience = limits.body_deadline + _SLACK
        else:
            patience = limits.head_deadline if self._reader.in_head else min(limits.idle, limits.head_deadline)
        return now - self._since > patience

    def _is_unread(self, now: float) -> bool:
        unsent, before = self._transport.get_write_buffer_size(), self._unsent
        self._unsent = unsent
        if not before or unsent < before:
            self._unread_since = now
        return bool(unsent) and now - self._unread_since > self._limits.send_deadline


def guard(config: uvicorn.Config, connections: Connections, limits: Limits) -> None:
    """Put a connection of this module in front of each protocol of uvicorn."""
    config.load()
    protocol: Callable[..., asyncio.Protocol] = config.http_protocol_class

    def guarded(*, app_state: dict[str, Any], **given: Any) -> Connection:
        state = dict(app_state)
        state[CONNECTION] = connection = Connection(protocol(app_state=state, **given), connections, limits)
        return connection

    config.http_protocol_class = guarded  # type: ignore[assignment]  # uvicorn only calls it


def _response(refusal: BadRequest) -> bytes:
    body = json.dumps({"detail": refusal.detail}).encode()
    lines = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}",
        f"date: {formatdate(usegmt=True)}",
        "content-type: application/json",
        "connection: close",
        f"content-length: {len(body)}",
        "",
        "",
    )
    return "\r\n".join(lines).encode() + body
