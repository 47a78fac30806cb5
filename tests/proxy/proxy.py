"""A proxy between client and service that does to HTTP requests what bad networks do; the seed says what and when."""

import asyncio
import contextlib
import re
import socket
import struct
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

FAULTS = ("drop", "delay", "reset", "cut", "duplicate") * 3 + ("half-open", "deaf")
"""Those in which the client must wait for its time-out are rarer, because that is the time a test takes."""
LONGEST_DELAY = 0.15
_LENGTH = re.compile(rb"(?im)^content-length:\s*(\d+)\s*$")
Message = tuple[bytes, bytes]


async def _turns() -> None:
    """Let the loop do what it has begun."""
    for _ in range(5):
        await asyncio.sleep(0)


async def _message(reader: asyncio.StreamReader) -> bytes:
    """One whole HTTP/1.1 message that says its length."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head + (await reader.readexactly(int(length[1])) if length else b"")


@dataclass
class FaultProxy:
    """`badness`: share of requests that meet a fault. `target`: port of the service on this computer.

    `listener`: where to listen, where somebody had to know the port before; the proxy closes it.
    """

    target: int
    random: Random
    badness: float
    faults: Counter[str] = field(default_factory=Counter)
    healthy: bool = False
    port: int = 0
    listener: socket.socket | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _transports: list[asyncio.WriteTransport] = field(default_factory=list)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        listener = self.listener or socket.create_server(("127.0.0.1", 0))
        self._server = await asyncio.start_server(self._accept, sock=listener)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        await _turns()  # until connections that were accepted at the last moment have come to `_accept`
        while self._tasks:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        for transport in self._transports:
            transport.abort()
        await _turns()  # until their sockets are closed

    def _keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._transports.append(writer.transport)
        # Of a task that is cancelled before it has begun, nothing runs, not even its `finally`.
        self._keep(self._serve(reader, writer)).add_done_callback(lambda _: writer.close())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Requests of one connection, one after the other, until one meets a fault that ends it."""
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            while await self._carry(await _message(reader), reader, writer):
                pass

    def _fate(self) -> str:
        if self.healthy or self.random.random() >= self.badness:
            return ""
        fault = self.random.choice(FAULTS)
        self.faults[fault] += 1
        return fault

    async def _carry(self, request: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Take one request to the service and its answer back; return whether the connection lives on."""
        fault = self._fate()
        match fault:
            case "drop":
                return False
            case "deaf":
                await reader.read()  # says nothing until the client gives up
                return False
            case "duplicate":
                self._keep(self._later(request, self.random.uniform(0, LONGEST_DELAY)))
            case "delay":
                await asyncio.sleep(self.random.uniform(0, LONGEST_DELAY))
            case _:
                pass
        answer = await self._ask(request)
        match fault:
            case "half-open":
                await reader.read()
                return False
            case "reset":
                opened: socket.socket = writer.get_extra_info("socket")
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return False
            case "cut":
                answer = answer[: self.random.randrange(len(answer))]
            case _:
                pass
        writer.write(answer)
        await writer.drain()
        return fault != "cut"

    async def _ask(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.target)
        try:
            writer.write(request)
            return await _message(reader)
        finally:
            writer.close()

    async def _later(self, request: bytes, delay: float) -> None:
        """A second copy of a request arrives when its sender has gone on."""
        await asyncio.sleep(delay)
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await self._ask(request)
