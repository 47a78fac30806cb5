"""Listen for connections, and admit them before any work is done for them."""

import asyncio
import logging
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final, Protocol

from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.sessions.limits import Connections, Place

_BACKLOG: Final = 512
_WAITING: Final = 128 * 1024
"""Bytes that the kernel keeps for each direction of a connection. Otherwise it would keep megabytes."""
_PAUSE: Final = 0.5

_log = logging.getLogger(__name__)


class CannotListenError(AdvisedError):
    """An address or a port cannot be used."""


class Arrival(Protocol):
    """A connection that was accepted, and may be admitted."""

    @property
    def place(self) -> Place: ...

    def serve(self) -> Coroutine[None, None, None]:
        """Serve the connection to its end."""


def listen(host: str, port: int, advice: str) -> socket.socket:
    """Return a socket that listens. Raises CannotListenError with this advice."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotListenError(f"Port {port} of {host} cannot be used ({error.strerror}).", advice) from error
    for side in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        listener.setsockopt(socket.SOL_SOCKET, side, _WAITING)
    listener.setblocking(False)
    return listener


async def accept(
    listener: socket.socket, connections: Connections, arrive: Callable[[socket.socket, str], Arrival | None]
) -> None:
    """Serve connections until cancelled. `arrive` gets the socket and the address, and returns None to refuse."""
    loop = asyncio.get_running_loop()
    served: set[asyncio.Task[None]] = set()
    try:
        while True:
            try:
                client, told = await loop.sock_accept(listener)
            except OSError:  # too many open files
                _log.exception("a connection could not be accepted")
                await asyncio.sleep(_PAUSE)
                continue
            address = str(told[0]).partition("%")[0]  # without the zone of a local address
            arrival = arrive(client, address)
            refusal = "" if arrival is None else connections.connect(arrival.place)
            if refusal:
                _log.info("%s: refused: %s", address, refusal)
            if refusal or arrival is None:
                client.close()
                continue
            task = loop.create_task(_serve(client, connections, arrival))
            served.add(task)
            task.add_done_callback(served.discard)
    finally:
        for task in tuple(served):
            task.cancel()
        await asyncio.gather(*served, return_exceptions=True)


async def _serve(client: socket.socket, connections: Connections, arrival: Arrival) -> None:
    try:
        await arrival.serve()
    finally:
        connections.disconnect(arrival.place)
        with suppress(OSError):
            client.close()
