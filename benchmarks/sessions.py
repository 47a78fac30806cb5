"""Sessions over ssh: the first frame, memory, the time from a key to its paint, and a burst of sign-ins.

`.venv/bin/python -m benchmarks.sessions [SESSIONS] [SECONDS] [RUNS]`. A service on SQLite with students in an
exam, the SSH host and the clients share the cores, so that the clients' part is in every figure. Exit status 1 where a
target is missed. The memory needs Python 3.12 or newer, where objects can be immortal.
"""

import asyncio
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import asyncssh

from benchmarks.figures import Target, heading, judged, p, row
from benchmarks.sign_in import PASSWORD, with_passwords
from benchmarks.terminal import Terminal
from lms_tui.service.core.settings import ServiceSettings

HERE = Path(__file__).parent
FRAME = b"Opening the program"
HOME = b"All exams"
PAINT = 200
"""Bytes of a painted question at least. The clock of the exam takes fewer."""
FIRST = 3
"""Keys of each session that are also told apart: all leave their first question in the same second."""
BURST = 100
PATIENCE = 120.0


@contextmanager
def host(folder: Path, students: int) -> Iterator[tuple[int, int]]:
    """Run an SSH host. Yields its port and its process."""
    service = ServiceSettings(folder / "service")
    service.data_dir.mkdir(parents=True)
    with_passwords(service, students)
    user = [] if os.geteuid() else ["--session-user", "root"]
    command = [sys.executable, "-m", "lms_tui", "serve", "--ssh", "0", "--data-dir", str(folder), *user]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said = "" if process.stdout is None else process.stdout.readline() + process.stdout.readline()
        yield int(said.rpartition(", host key")[0].rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        process.wait()


@asynccontextmanager
async def connected(port: int, student: int) -> AsyncIterator[asyncssh.SSHClientConnection]:
    """Sign a student in, who may come from an address of their own."""
    options = {"known_hosts": None, "client_keys": None, "config": None, "agent_path": None}
    async with asyncssh.connect(
        "127.0.0.1", port, username=f"s{student}", password=PASSWORD, login_timeout=PATIENCE, **options
    ) as connection:
        yield connection


class Session:
    """The bytes of one session, with the time at which they came."""

    def __init__(self, process: "asyncssh.SSHClientProcess[bytes]", since: float) -> None:
        self._process = process
        self.since = since
        self._seen = b""

    async def sees(self, wanted: bytes) -> float:
        """Return the seconds from the start until these bytes have come."""
        async with asyncio.timeout(PATIENCE):
            while wanted not in self._seen:
                self._seen += await self._read()
        return time.perf_counter() - self.since

    async def press(self, key: bytes, paint: int = PAINT) -> float:
        """Return the milliseconds from a key to its paint."""
        since, came = time.perf_counter(), 0
        self._process.stdin.write(key)
        async with asyncio.timeout(PATIENCE):
            while came < paint:
                came += len(await self._read())
        return (time.perf_counter() - since) * 1000

    async def settle(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self._read()
            except TimeoutError:
                return

    async def _read(self) -> bytes:
        data = await self._process.stdout.read(65536)
        if not data:
            raise EOFError
        return data


async def opened(connection: asyncssh.SSHClientConnection) -> Session:
    since = time.perf_counter()
    process = await connection.create_process(term_type="xterm-256color", term_size=(120, 40), encoding=None)
    return Session(process, since)


def bare() -> float:
    """Start a fresh one-widget app. Return the milliseconds to its frame."""
    terminal = Terminal([sys.executable, str(HERE / "baseline_one_widget.py")])
    try:
        return (terminal.wait("ready") - terminal.started) * 1000
    finally:
        terminal.close()


async def first_frames(port: int, runs: int) -> dict[str, list[float]]:
    """Start the bare app and sessions in turn. The first turn of each is not counted."""
    times: dict[str, list[float]] = {"one-widget Textual app": [], "ssh: first frame": [], "ssh: home screen": []}
    for number in range(runs + 1):
        taken = [await asyncio.to_thread(bare)]
        async with connected(port, number % 2) as connection:
            session = await opened(connection)
            taken += [await session.sees(wanted) * 1000 for wanted in (FRAME, HOME)]
            await session.settle(0.5)
        if number:
            for name, value in zip(times, taken, strict=True):
                times[name].append(value)
    return times


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def private_memory(pid: int) -> list[float]:
    """Return the private MiB of each session of a host."""
    found = []
    for warm in children(pid):
        if b"sessions.warm" in Path(f"/proc/{warm}/cmdline").read_bytes():
            for session in children(warm):
                rolled = Path(f"/proc/{session}/smaps_rollup").read_text()
                found.append(sum(int(kib) for kib in re.findall(r"Private_\w+:\s+(\d+)", rolled)) / 1024)
    return found


async def burst(port: int, students: int) -> float:
    """Sign students in at once. Return the seconds until all are in."""

    async def one(student: int) -> None:
        async with connected(port, student):
            pass

    since = time.perf_counter()
    await asyncio.gather(*(one(student) for student in range(students)))
    return time.perf_counter() - since


async def type_together(port: int, pid: int, students: int, seconds: int) -> tuple[list[list[float]], list[float], int]:
    """Let students turn a page each second.

    Returns the times of the first key of each, of the second and so on, memory, and the sessions that were lost.
    """
    async with AsyncExitStack() as stack:
        turn = asyncio.Semaphore(8)

        async def enter(student: int) -> Session:
            async with turn:
                session = await opened(await stack.enter_async_context(connected(port, student)))
                await session.sees(HOME)
                await session.settle(1.0)
                await session.press(b"\r")
                await session.settle(2.0)
                return session

        sessions = await asyncio.gather(*(enter(student) for student in range(students)))
        memory = private_memory(pid)
        times: list[list[float]] = [[] for _ in range(seconds)]
        lost = 0

        async def work(number: int, session: Session) -> None:
            nonlocal lost
            begun = time.perf_counter() + number / students
            try:
                for key in range(seconds):
                    await session.settle(begun + key - time.perf_counter())
                    times[key].append(await session.press(b"n" if key % 2 == 0 else b"p"))
            except (EOFError, TimeoutError, OSError, asyncssh.Error):
                lost += 1

        await asyncio.gather(*(work(number, session) for number, session in enumerate(sessions)))
        return times, memory, lost


async def measure(folder: Path, sessions: int, seconds: int, runs: int) -> int:
    students = max(sessions, BURST)
    with host(folder, students) as (port, pid):
        frames = await first_frames(port, runs)
        took = await burst(port, BURST)
        rounds, memory, lost = await type_together(port, pid, sessions, seconds)
    keys = list(itertools.chain(*rounds))
    print(heading("ms, MiB"))
    for name, values in frames.items():
        print(row(name, values))
    print(row(f"key to paint, {sessions} sessions", keys))
    print(row(f"of these, the first {FIRST} keys of each", list(itertools.chain(*rounds[:FIRST]))))
    print(row("private memory", memory))
    alone = p(frames["one-widget Textual app"], 0.5)
    return judged(
        (
            Target("first frame", p(frames["ssh: first frame"], 0.5) / alone, 0.5, of="one-widget Textual app"),
            Target("private memory of a session", max(memory), 20, "MiB"),
            Target("key to paint, p95", p(keys, 0.95), 100, "ms"),
            Target("sessions lost", lost, 0, ""),
            Target(f"sign-in of {BURST} at once", took, 30, "s"),
        )
    )


def main() -> int:
    given = [int(word) for word in sys.argv[1:]]
    sessions, seconds, runs = [*given, *(200, 120, 10)[len(given) :]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        return asyncio.run(measure(Path(name), sessions, seconds, runs))


if __name__ == "__main__":
    sys.exit(main())
