"""A terminal played in a pty: starts a program, answers its queries, stamps its output, and keeps its screen.

Bytes are stamped when they leave the pty and emulated only when the program is quiet, so that the emulator's time is
never the program's. Linux only, as the figures are.
"""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lms_tui.qa.scenarios.emulator import Emulator

QUIET: Final = 0.015
"""Seconds without output that mean the program has said what it had to say."""
_LONGEST_WORK: Final = 5.0
"""Seconds after which bytes are emulated although the program goes on writing."""
_REPLIES: Final = (
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?64;1;2;6;9;15;18;21;22c"),
    (re.compile(rb"\x1b\[>0?c"), b"\x1b[>41;370;0c"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),
    (re.compile(rb"\x1b\[\?2048\$p"), b"\x1b[?2048;0$y"),
    (re.compile(rb"\x1b\]11;\?(?:\x07|\x1b\\)"), b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
    (re.compile(rb"\x1bP\+q"), b"\x1bP0+r\x1b\\"),
)
KEYS: Final = {"down": b"\x1b[B", "up": b"\x1b[A", "enter": b"\r", "escape": b"\x1b", "tab": b"\t", "ctrl+q": b"\x11"}


class Failed(Exception):
    """The program did not do what was waited for."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds from a key to the first output, and to the output that completed the watched rows."""

    first: float
    painted: float


@dataclass
class Terminal:
    """`screen` is what a person would see; every time is `time.perf_counter()`."""

    argv: Sequence[str]
    columns: int = 120
    rows: int = 40
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._emulator = Emulator(self.columns, self.rows)
        self.screen = self._emulator.screen
        self._waiting: list[tuple[float, bytes]] = []
        self.ended = False
        told, tell = os.pipe()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:  # pragma: no cover - the child becomes the program
            self._become(tell)
        os.close(tell)
        trouble = os.read(told, 500)
        self.started = time.perf_counter()
        os.close(told)
        if trouble:
            os.waitpid(self.pid, 0)
            raise Failed(f"cannot run {self.argv[0]}: {trouble.decode()}")
        os.set_blocking(self._fd, False)

    def _become(self, tell: int) -> None:
        try:
            size = struct.pack("4H", self.rows, self.columns, self.columns * 10, self.rows * 20)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            known = {
                k: v for k, v in os.environ.items() if k not in {"LINES", "COLUMNS", "TERM_PROGRAM", "TMUX", "STY"}
            }
            terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            os.execvpe(self.argv[0], list(self.argv), {**known, **terminal, **self.environment})  # noqa: S606 - no shell is wanted
        except OSError as error:
            os.write(tell, str(error).encode())
        finally:
            os._exit(127)

    # Bytes.

    def read(self, timeout: float) -> float | None:
        """Wait for output and take all there is; the stamp of its first bytes, None where none came."""
        first = None
        while not self.ended and select.select([self._fd], [], [], 0 if first else max(0.0, timeout))[0]:
            try:
                data = os.read(self._fd, 65536)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.ended = True
                break
            now = time.perf_counter()
            first = first or now
            self._waiting.append((now, data))
            for query, reply in _REPLIES:
                for _ in query.finditer(data):
                    os.write(self._fd, reply)
        return first

    def write(self, data: bytes) -> float:
        stamp = time.perf_counter()
        while data:  # a terminal takes 4 KiB that nobody has read
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._fd, data) :]
            self.read(0)
        return stamp

    @property
    def unread(self) -> int:
        """Bytes that were written and that the program has not read yet, 0 if it has ended."""
        try:
            theirs = os.open(f"/proc/{self.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
        except OSError:
            return 0
        try:
            return int.from_bytes(fcntl.ioctl(theirs, termios.FIONREAD, bytes(4)), sys.byteorder)
        finally:
            os.close(theirs)

    def settle(self, limit: float, quiet: float = QUIET) -> None:
        """Read until the program is quiet, or the seconds are over."""
        end = time.perf_counter() + limit
        while self.read(quiet) is not None and time.perf_counter() < end:
            pass

    # The screen.

    def emulate(self) -> None:
        while self._waiting:
            self._emulator.feed(self._waiting.pop(0)[1])

    def text(self) -> str:
        self.emulate()
        return self._emulator.text()

    def wait(self, pattern: str, timeout: float = 60.0, *, quiet: float = 0.0) -> float:
        """Wait until the pattern is on the screen; the stamp of the bytes that brought it.

        `quiet`: seconds without output before the bytes are emulated. The emulator would take a processor from a
        program and its service, which work at the same time.
        """
        wanted, end = re.compile(pattern), time.perf_counter() + timeout
        stamp, looked = self.started, False
        while True:
            if quiet:
                self.settle(_LONGEST_WORK, quiet)
            while self._waiting:
                stamp, data = self._waiting.pop(0)
                self._emulator.feed(data)
                self.read(0)
                looked = True
                if wanted.search(self._emulator.text()):
                    return stamp
            # Without output the screen stays the same. Searching it again and again took a third of a core.
            if not looked and wanted.search(self._emulator.text()):
                return stamp
            looked = True
            if self.ended or time.perf_counter() > end:
                why = "the program ended" if self.ended else f"not within {timeout:g} s"
                raise Failed(f"waited for /{pattern}/: {why}.\n{self.text()}")
            self.read(0.05)

    def _cells(self, rows: range) -> tuple[object, ...]:
        buffer = self.screen.buffer
        return tuple(buffer[y][x] for y in rows for x in range(self.columns))

    def press(self, key: str, watched: range | None = None, limit: float = 0.5) -> Cost | None:
        """Send a key to a quiet program: the cost until the watched rows look as they will, None for no change."""
        rows = watched or range(self.rows)
        self.settle(0.3)
        self.emulate()
        before = self._cells(rows)
        stamp = self.write(KEYS.get(key, key.encode()))
        end = stamp + limit
        first = painted = None
        while painted is None and not self.ended and (left := end - time.perf_counter()) > 0:
            came = self.read(left)
            first = first or came
            while self.read(QUIET) is not None and time.perf_counter() < end:
                pass
            while self._waiting:
                at, data = self._waiting.pop(0)
                self._emulator.feed(data)
                if (now := self._cells(rows)) != before:
                    painted, before = at, now
        if first is None or painted is None:
            return None
        return Cost((first - stamp) * 1000, (painted - stamp) * 1000)

    # The process.

    def family(self) -> set[int]:
        """The program and its descendants."""
        parents: dict[int, int] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError, IndexError):
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    parents[int(entry.name)] = int(fields[1])
        found = {self.pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return found

    def memory(self) -> float:
        """MiB that the program itself holds, its children apart."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else 0.0

    def cpu(self) -> float:
        """Milliseconds of CPU that the program itself has used, its children apart."""
        tasks = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6

    def idle(self, seconds: float) -> float:
        """CPU milliseconds a minute while nobody types."""
        self.settle(0.3)
        begin, used = time.perf_counter(), self.cpu()
        while (left := begin + seconds - time.perf_counter()) > 0 and not self.ended:
            self.read(left)
        rate = (self.cpu() - used) * 60 / (time.perf_counter() - begin)
        self.emulate()
        return rate

    def hang_up(self) -> None:
        """Close the terminal, as a person who closes its window does. The program goes on until it notices."""
        os.close(self._fd)
        self._fd, self.ended = -1, True

    def close(self) -> None:
        """End the program and what it started."""
        family = self.family()
        for sign, patience in ((signal.SIGHUP, 1.0), (signal.SIGTERM, 1.0), (signal.SIGKILL, 2.0)):
            # A process that has ended and was waited for leaves its number to another one.
            if self._gone(0):
                break
            os.kill(self.pid, sign)
            self._gone(patience)
        for pid in family - {self.pid}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGTERM)
        if self._fd != -1:
            os.close(self._fd)

    def _gone(self, patience: float) -> bool:
        """Wait for the end of the program, and return whether it has ended."""
        end = time.perf_counter() + patience
        while not (gone := self._is_reaped()) and time.perf_counter() < end:
            self.read(0.01)
            if self.ended:
                time.sleep(0.01)
        return gone

    def _is_reaped(self) -> bool:
        try:
            return os.waitpid(self.pid, os.WNOHANG)[0] != 0
        except ChildProcessError:
            return True  # somebody else has waited for it
