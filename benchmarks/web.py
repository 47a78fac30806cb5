"""Sessions in browsers: the first frame, memory, the time from a key to its paint, and a burst of sign-ins.

`.venv/bin/python -m benchmarks.web [TABS] [SECONDS] [RUNS]`. As `benchmarks.sessions` does it over ssh. The clients
read sockets and draw nothing, so a browser's own work is not in the figures. Exit status 1 where a target is missed.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, WSMsgType

from benchmarks.figures import Target, heading, judged, p, row
from benchmarks.sessions import BURST, FRAME, HOME, PAINT, PATIENCE, bare, private_memory
from benchmarks.sign_in import PASSWORD, with_passwords
from lms_tui.service.core.settings import ServiceSettings


@contextmanager
def host(folder: Path, students: int) -> Iterator[tuple[str, int]]:
    """Run a host for browsers. Yields its address and its process."""
    service = ServiceSettings(folder / "service")
    service.data_dir.mkdir(parents=True)
    with_passwords(service, students)
    user = [] if os.geteuid() else ["--session-user", "root"]
    command = [sys.executable, "-m", "lms_tui", "serve", "--web", "0", "--data-dir", str(folder), *user]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said = "" if process.stdout is None else process.stdout.readline() + process.stdout.readline()
        yield re.findall(r"http://\S+", said)[-1], process.pid
    finally:
        process.terminate()
        process.wait()


@asynccontextmanager
async def signed_in(origin: str, student: int) -> AsyncIterator[ClientSession]:
    """Sign a student in, with a browser of their own."""
    jar = CookieJar(unsafe=True)
    async with ClientSession(origin, cookie_jar=jar, headers={"Origin": origin}) as session:
        fields = {"username": f"s{student}", "password": PASSWORD}
        async with session.post("/sign-in", data=fields) as answer:
            if answer.status != 200:
                raise ConnectionError(answer.status)
        yield session


class Tab:
    """The bytes of one tab, read as they come: a browser also answers the host while nobody looks."""

    def __init__(self, socket: ClientWebSocketResponse, since: float) -> None:
        self._socket = socket
        self.since = since
        self._seen = b""
        self._came = 0
        self._news = asyncio.Event()
        self._over = False

    async def read(self) -> None:
        """Read to the end."""
        while (message := await self._socket.receive()).type is WSMsgType.BINARY:
            self._seen = (self._seen + message.data)[-100_000:]
            self._came += len(message.data)
            self._news.set()
        self._over = True
        self._news.set()

    async def sees(self, wanted: bytes) -> float:
        """Return the seconds from the start until these bytes have come."""
        async with asyncio.timeout(PATIENCE):
            while wanted not in self._seen:
                await self._more()
        return time.perf_counter() - self.since

    async def press(self, key: str) -> float:
        """Return the milliseconds from a key to its paint."""
        since, before = time.perf_counter(), self._came
        await self._socket.send_json(["stdin", key])
        async with asyncio.timeout(PATIENCE):
            while self._came < before + PAINT:
                await self._more()
        return (time.perf_counter() - since) * 1000

    async def _more(self) -> None:
        self._news.clear()
        if self._over:
            raise EOFError
        await self._news.wait()


@asynccontextmanager
async def opened(session: ClientSession) -> AsyncIterator[Tab]:
    since = time.perf_counter()
    async with session.ws_connect("/ws?width=120&height=40") as socket:
        tab = Tab(socket, since)
        reading = asyncio.create_task(tab.read())
        yield tab
        reading.cancel()


async def first_frames(origin: str, runs: int) -> dict[str, list[float]]:
    """Start the bare app and tabs in turn. The first turn of each is not counted."""
    times: dict[str, list[float]] = {"one-widget Textual app": [], "tab: first frame": [], "tab: home screen": []}
    for number in range(runs + 1):
        taken = [await asyncio.to_thread(bare)]
        async with signed_in(origin, number % 2) as session, opened(session) as tab:
            taken += [await tab.sees(wanted) * 1000 for wanted in (FRAME, HOME)]
            await asyncio.sleep(0.5)
        if number:
            for name, value in zip(times, taken, strict=True):
                times[name].append(value)
    return times


async def burst(origin: str, students: int) -> float:
    """Sign students in at once. Return the seconds until all are in."""

    async def one(student: int) -> None:
        async with signed_in(origin, student):
            pass

    since = time.perf_counter()
    await asyncio.gather(*(one(student) for student in range(students)))
    return time.perf_counter() - since


async def type_together(origin: str, pid: int, students: int, seconds: int) -> tuple[list[float], list[float], int]:
    """Let students turn a page each second. Return the times of their keys, memory, and the tabs that were lost."""
    async with AsyncExitStack() as stack:
        turn = asyncio.Semaphore(8)

        async def enter(student: int) -> Tab:
            async with turn:
                session = await stack.enter_async_context(signed_in(origin, student))
                tab = await stack.enter_async_context(opened(session))
                await tab.sees(HOME)
                await asyncio.sleep(1.0)
                await tab.press("\r")
                await asyncio.sleep(2.0)
                return tab

        tabs = await asyncio.gather(*(enter(student) for student in range(students)))
        memory = private_memory(pid)
        times: list[float] = []
        lost = 0

        async def work(number: int, tab: Tab) -> None:
            nonlocal lost
            begun = time.perf_counter() + number / students
            try:
                for key in range(seconds):
                    await asyncio.sleep(max(0.0, begun + key - time.perf_counter()))
                    times.append(await tab.press("n" if key % 2 == 0 else "p"))
            except (EOFError, TimeoutError, OSError):
                lost += 1

        await asyncio.gather(*(work(number, tab) for number, tab in enumerate(tabs)))
        return times, memory, lost


def memory_of(pid: int) -> float:
    """Return the MiB that a process uses alone."""
    found = re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def measure(folder: Path, tabs: int, seconds: int, runs: int) -> int:
    with host(folder, max(tabs, BURST)) as (origin, pid):
        frames = await first_frames(origin, runs)
        took = await burst(origin, BURST)
        keys, memory, lost = await type_together(origin, pid, tabs, seconds)
        own = memory_of(pid)
    print(heading("ms, MiB"))
    for name, values in frames.items():
        print(row(name, values))
    print(row(f"key to paint, {tabs} tabs", keys))
    print(row("private memory of a session", memory))
    print(row("memory of the host itself", [own]))
    alone = p(frames["one-widget Textual app"], 0.5)
    return judged(
        (
            Target("first frame", p(frames["tab: first frame"], 0.5) / alone, 0.5, of="one-widget Textual app"),
            Target("private memory of a session", max(memory), 20, "MiB"),
            Target("key to paint, p95", p(keys, 0.95), 100, "ms"),
            Target("tabs lost", lost, 0, ""),
            Target(f"sign-in of {BURST} at once", took, 30, "s"),
        )
    )


def main() -> int:
    given = [int(word) for word in sys.argv[1:]]
    tabs, seconds, runs = [*given, *(20, 30, 10)[len(given) :]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        return asyncio.run(measure(Path(name), tabs, seconds, runs))


if __name__ == "__main__":
    sys.exit(main())
