"""A running SSH host with the demo institute, and clients whose terminals are drawn by pyte."""

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import asyncssh

from lms_tui.qa.scenarios.emulator import Emulator
from tests.waiting import children_of, command_of, process_status

PASSWORD = "practice"
PATIENCE = 120.0
KEYS = {"enter": b"\r", "tab": b"\t", "escape": b"\x1b", "ctrl+q": b"\x11", "f8": b"\x1b[19~"}


@dataclass(frozen=True, slots=True)
class Host:
    port: int
    fingerprint: str
    data: Path
    pid: int

    @property
    def log(self) -> str:
        return (self.data / "logs" / "host.log").read_text()

    def sessions(self) -> list[int]:
        """Return the processes of the sessions."""
        return children_of(self.parent())

    def parent(self) -> int:
        """Return the process that starts sessions."""
        return next(pid for pid in children_of(self.pid) if b"runtime.sessions.warm" in command_of(pid))

    def die(self) -> None:
        """Kill the host with its service and its sessions, as if the machine lost its power."""
        doomed = [self.pid]
        for pid in doomed:
            doomed += children_of(pid)
        for pid in doomed:
            with contextlib.suppress(ProcessLookupError):  # it has ended with the one before it
                os.kill(pid, signal.SIGKILL)

    def memory(self) -> float:
        """Return the MiB that the host itself uses, without the sessions."""
        return process_status(self.pid, "RssAnon") / 1024


@contextlib.contextmanager
def running(data: Path, *options: str, institute: str = "--demo") -> Iterator[Host]:
    """Start `lms-tui serve --ssh` on free ports, and end it as its terminal would. A test may kill it before."""
    user = [] if os.geteuid() else ["--session-user", "root"]  # Python may lie in a folder of root's
    command = [sys.executable, "-m", "lms_tui", "serve", institute, "--ssh", "0", "--data-dir", str(data)]
    process = subprocess.Popen([*command, *user, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline().startswith("Listening on http://127.0.0.1:")
            found = re.fullmatch(r"SSH on \S+:(\d+), host key (SHA256:\S+)\n", process.stdout.readline())
            assert found
            yield Host(int(found[1]), found[2], data, process.pid)
    finally:
        process.terminate()
        assert process.wait(PATIENCE) in {0, -signal.SIGKILL}


@contextlib.asynccontextmanager
async def connected(
    host: Host, username: str = "asha", password: str = PASSWORD
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    async with asyncssh.connect(
        "127.0.0.1",
        host.port,
        username=username,
        password=password,
        known_hosts=None,
        client_keys=None,
        config=None,
        agent_path=None,
        preferred_auth="password",
    ) as connection:
        yield connection


class Line:
    """A session with the terminal of a person."""

    def __init__(self, connection: asyncssh.SSHClientConnection, process: "asyncssh.SSHClientProcess[bytes]") -> None:
        self.connection = connection
        self.process = process
        self.sent = b""
        self._emulator = Emulator(100, 30)
        self.resize = self._emulator.resize
        self.text = self._emulator.text

    async def see(self, *patterns: str) -> str:
        """Read until all patterns stand on the screen, and return what does."""
        async with asyncio.timeout(PATIENCE):
            while not all(re.search(pattern, self.text()) for pattern in patterns):
                data = await self.process.stdout.read(65536)
                assert data, f"{patterns} not in:\n{self.text()}"
                self.feed(data)
        return self.text()

    async def end(self) -> int | None:
        """Read to the end, and return the exit code."""
        async with asyncio.timeout(PATIENCE):
            while data := await self.process.stdout.read(65536):
                self.feed(data)
            return (await self.process.wait()).exit_status

    def feed(self, data: bytes) -> None:
        self.sent += data
        self._emulator.feed(data)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.process.stdin.write(KEYS.get(key, key.encode()))


@contextlib.asynccontextmanager
async def session(
    host: Host,
    username: str = "asha",
    *,
    command: str | None = None,
    term: str = "xterm-256color",
    size: tuple[int, int] = (100, 30),
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Line]:
    async with connected(host, username) as connection:
        process = await connection.create_process(
            command, term_type=term, term_size=size, env=dict(env or {}), encoding=None
        )
        line = Line(connection, process)
        line.resize(*size)
        yield line


class Cable:
    """Joins a client with the host, until it is pulled: then no byte arrives any more, and no end either."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._pulled = False
        self._writers: list[asyncio.StreamWriter] = []
        self._passing: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def plugged(self) -> AsyncIterator[Host]:
        """Yield the host as it is reached through this cable."""
        server = await asyncio.start_server(self._join, "127.0.0.1", 0)
        try:
            yield replace(self._host, port=server.sockets[0].getsockname()[1])
        finally:
            server.close()
            for task in self._passing:
                task.cancel()
            for writer in self._writers:
                writer.close()

    def pull(self) -> None:
        self._pulled = True

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._host.port)
        self._writers += [writer, far_writer]
        for one, other in ((reader, far_writer), (far_reader, writer)):
            self._passing.append(asyncio.create_task(self._pass(one, other)))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):  # the host ends a line that does not answer
            while data := await reader.read(65536):
                if not self._pulled:
                    writer.write(data)


async def open_exam(line: Line, title: str) -> None:
    """Choose an exam from the home screen, and begin it."""
    await line.see(r"All exams")
    line.press("e")
    await line.see(title)
    line.press("/")
    await line.see(r"Part of a title")
    line.press(*title, "enter")
    await line.see(f"“{title}”")
    line.press("enter")
    await line.see(r"(?i)press enter to start")
    line.press("enter")
    await line.see(r"Question 1 of")
