"""Ports for servers that must be told their port before they start."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


def reserved_port() -> socket.socket:
    """Return a socket whose port the system gives to nobody else until the socket is closed.

    It does not listen. Servers can listen at its port, because they set SO_REUSEADDR.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    return reserved


@contextmanager
def reserved_ports(count: int) -> Iterator[list[int]]:
    """Keep so many ports for the servers that a test starts."""
    with ExitStack() as stack:
        yield [stack.enter_context(reserved_port()).getsockname()[1] for _ in range(count)]
