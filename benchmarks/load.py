"""Requests at a steady pace, each timed from the moment it was due, so that a server that stalls cannot hide it.

`python -m benchmarks.load URL REQUESTS.json RATE SECONDS CONNECTIONS` prints one line of JSON; what was acknowledged is
written to the file ACKNOWLEDGED (a line each: the number of the request), as it arrives. SIGTERM ends the load early.
"""

import asyncio
import json
import signal
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

import uvloop


class Connection(asyncio.Protocol):
    """One request at a time over a connection that stays open."""

    def __init__(self, load: "Load") -> None:
        self.load = load
        self.transport: Any = None  # uvloop's transports are none of asyncio's
        self.number = -1
        self.due = 0.0
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def send(self, number: int, due: float) -> None:
        self.number, self.due = number, due
        self.transport.write(self.load.requests[number % len(self.load.requests)])

    def data_received(self, data: bytes) -> None:
        self.received += data
        head, found, body = self.received.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return
        self.received = b""
        number, self.number = self.number, -1
        self.load.answered(self, number, head.split(b" ", 2)[1] == b"200", self.due)

    def connection_lost(self, _error: Exception | None) -> None:
        self.load.lost(self)


class Load:
    def __init__(self, requests: list[bytes], acknowledged: Path | None) -> None:
        self.requests = requests
        self.file = acknowledged.open("w") if acknowledged else None
        self.free: deque[Connection] = deque()
        self.due: deque[tuple[int, float]] = deque()
        self.latencies: list[float] = []
        self.errors = 0
        self.cut = 0
        self.alive = 0
        self.ended = False

    def end(self) -> None:
        self.ended = True

    def answered(self, connection: Connection, number: int, well: bool, due: float) -> None:
        self.latencies.append(time.perf_counter() - due)
        if not well:
            self.errors += 1
        elif self.file is not None:
            self.file.write(f"{number}\n")
        self.free.append(connection)
        self.go()

    def lost(self, connection: Connection) -> None:
        self.alive -= 1
        self.cut += connection.number >= 0

    def go(self) -> None:
        while self.due and self.free:
            connection = self.free.popleft()
            if connection.transport is not None and not connection.transport.is_closing():
                connection.send(*self.due.popleft())

    async def run(self, url: str, rate: float, seconds: float, connections: int) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.end)
        host, _, port = url.rpartition("/")[2].rpartition(":")
        for _ in range(connections):
            _, connection = await loop.create_connection(lambda: Connection(self), host, int(port))
            self.free.append(connection)
        self.alive = connections
        begun, number, total = time.perf_counter(), 0, int(rate * seconds)
        while number < total and self.alive and not self.ended:
            passed = time.perf_counter() - begun
            while number < total and number / rate <= passed:
                self.due.append((number, begun + number / rate))
                number += 1
            self.go()
            await asyncio.sleep(0.001)
        ends = time.perf_counter() + 5 + total / 500
        while self.alive and len(self.free) < self.alive and time.perf_counter() < ends:  # noqa: ASYNC110  # thousands of answers are looked at now and then, not each
            await asyncio.sleep(0.01)
        if self.file is not None:
            self.file.close()


def main() -> None:
    url, requests, rate, seconds, connections, *rest = sys.argv[1:]
    lines = json.loads(Path(requests).read_text("utf-8"))
    load = Load([line.encode() for line in lines], Path(rest[0]) if rest else None)
    uvloop.run(load.run(url, float(rate), float(seconds), int(connections)))
    latencies = sorted(load.latencies) or [0.0]
    share = {name: latencies[int(part * (len(latencies) - 1))] * 1000 for name, part in (("p50", 0.5), ("p99", 0.99))}
    print(json.dumps({"answers": len(load.latencies), "errors": load.errors, "cut": load.cut, **share}))


if __name__ == "__main__":
    main()
