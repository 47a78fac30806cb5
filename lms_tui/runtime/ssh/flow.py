"""Limits on the bytes that wait in this process for one connection.

asyncssh writes on to a client that does not read, and keeps what a client sends beside its keys. Both would fill the
memory of the host, which all sessions share.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final

_OF_SIGN_IN: Final = 1024 * 1024
"""Bytes of a connection until it has signed in."""
_OF_SESSION: Final = 16 * 1024 * 1024
"""Bytes of a session besides those of its keys."""
_OF_KEY: Final = 512
"""Bytes that one message with keys may take, besides the keys."""


class Flow(asyncio.Protocol):
    """The bytes of one connection.

    A client that does not read is not read. asyncssh then gets no answer to its questions and ends the connection.
    `too_much` is called once, before a connection is cut that sent too many bytes.
    """

    def __init__(self, too_much: Callable[[], object]) -> None:
        self._too_much = too_much
        self._inner: asyncio.Protocol | None = None
        self._transport: asyncio.Transport | None = None
        self._left = _OF_SIGN_IN
        self._cut = False
        self._hold: Callable[[bool], None] | None = None
        self.full = False

    def around(self, inner: asyncio.Protocol) -> "Flow":
        self._inner = inner
        return self

    def signed_in(self) -> None:
        self._left = _OF_SESSION

    def typed(self, size: int) -> None:
        """Let the client send more, because it has sent keys."""
        self._left += _OF_KEY + 2 * size

    def shown(self, size: int) -> None:
        """Let the client send more, because it acknowledges what it has read."""
        self._left += size // 8

    def when_full(self, hold: Callable[[bool], None]) -> None:
        """Call `hold` with True when the client stops to read, and with False when it reads again."""
        self._hold = hold

    def cut(self) -> None:
        """End the connection at once, and drop what waits."""
        self._cut = True
        if self._transport is not None:
            self._transport.abort()

    # The protocol.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport) or self._inner is None:
            raise TypeError
        self._transport = transport
        self._inner.connection_made(transport)
        if self._cut:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left < 0 and not self._cut:
            self._too_much()
            self.cut()
        elif self._inner is not None and not self._cut:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._inner is None else self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._inner is not None:
            self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self._filled(full=True)

    def resume_writing(self) -> None:
        self._filled(full=False)

    def _filled(self, *, full: bool) -> None:
        self.full = full
        if self._transport is not None and not self._transport.is_closing():
            (self._transport.pause_reading if full else self._transport.resume_reading)()
        if self._hold is not None:
            self._hold(full)


class FlowLoop(asyncio.SelectorEventLoop):
    """An event loop in which the connection of a socket gets the limits of a `Flow`.

    asyncssh makes its protocol itself and keeps the transport to itself.
    """

    def __init__(self) -> None:
        super().__init__()
        self.flows: dict[socket.socket, Flow] = {}

    async def create_connection(self, protocol_factory: Any, *args: Any, **named: Any) -> Any:
        sock = named.get("sock")
        flow = self.flows.get(sock) if isinstance(sock, socket.socket) else None
        if flow is None:
            return await super().create_connection(protocol_factory, *args, **named)
        inner = protocol_factory()
        transport, _ = await super().create_connection(lambda: flow.around(inner), *args, **named)
        return transport, inner
