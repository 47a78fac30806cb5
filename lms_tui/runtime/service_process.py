"""The embedded service as a child process that lives exactly as long as the program that started it."""

import asyncio
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

import lms_tui
from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder
from lms_tui.wire.errors import ServerFault

_ANNOUNCEMENT: Final = "Listening on "
_PATIENCE: Final = 60.0
_FAREWELL: Final = 3.0
_LARGEST_LOG: Final = 1024 * 1024
_PAUSES: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before each new start of a child that ended by itself; after the last one it stays away."""
_TAIL: Final = 16 * 1024

_log = logging.getLogger(__name__)


class ServiceProcess:
    """`lms-tui serve` with arguments of its own, on a free port; its standard error goes to `log`.

    The child ends when its standard input closes, and the system closes that however this process ends.
    """

    def __init__(self, arguments: Sequence[str], log: Path) -> None:
        self._arguments = tuple(arguments)
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._base_url = ""
        self._port = "0"
        self._wanted = False
        self._launched: int | None = None
        self._turn = asyncio.Lock()
        self._given = b""

    def give(self, data: bytes) -> None:
        """Write to the child's standard input what it waits for, now and each time that it is started again."""
        self._given = data
        self._feed()

    def launch(self) -> None:
        """Let the child begin before anyone waits for it; what goes wrong is told by `start`."""
        with suppress(OSError):
            self._launched = self._spawn()

    async def start(self) -> str:
        """Return the base address, starting the child where it does not run; raises ServerFault with its reason."""
        async with self._turn:
            self._wanted = True
            if self._launched is not None or self._process is None or self._process.poll() is not None:
                self._base_url = await self._begin()
                self._port = self._base_url.rpartition(":")[2]
            return self._base_url

    async def keep_running(self) -> None:
        """Start the child again, at the same address, whenever it has ended by itself; returns after giving up."""
        for pause in _PAUSES:
            if (process := self._process) is not None:
                ended = asyncio.Event()
                threading.Thread(target=_tell, args=(process, asyncio.get_running_loop(), ended), daemon=True).start()
                await ended.wait()
                _log.warning("the practice service ended by itself with %s", process.returncode)
            await asyncio.sleep(pause)
            if not self._wanted:
                return
            try:
                await self.start()
            except ServerFault as error:
                _log.warning("%s", error)

    def stop(self) -> None:
        """End the child and wait for it, with less and less patience; does nothing where none runs."""
        self._wanted = False
        self._reap(_FAREWELL)

    def kill(self) -> None:
        """End the child at once; what its database has acknowledged is on disk."""
        self._wanted = False
        self._reap(0)

    def _reap(self, patience: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _close(process.stdin)
        if not patience:
            process.kill()
        for insist in (process.terminate, process.kill):
            try:
                process.wait(patience or None)
                break
            except subprocess.TimeoutExpired:
                insist()
        process.wait()
        _close(process.stdout)

    async def _begin(self) -> str:
        written, self._launched = self._launched, None
        if written is None:
            self._reap(0)
            try:
                written = self._spawn()
            except OSError as error:
                raise _not_started(f"{error.strerror or error}", self._log) from error
        try:
            async with asyncio.timeout(_PATIENCE):
                line = await asyncio.to_thread(self._first_line)
        except TimeoutError:
            self._reap(0)
            raise _not_started(f"it said nothing for {_PATIENCE:.0f} s", self._log) from None
        except asyncio.CancelledError:
            self._reap(0)  # which also ends the thread that waits for the line
            raise
        if not line.startswith(_ANNOUNCEMENT):
            self._reap(0)
            raise self._failure(written)
        return line.removeprefix(_ANNOUNCEMENT).strip()

    def _spawn(self) -> int:
        """Start the process; return where in the log its own lines begin, in bytes."""
        make_private_folder(self._log.parent)
        fresh = self._log.exists() and self._log.stat().st_size > _LARGEST_LOG
        mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if fresh else 0)
        with os.fdopen(os.open(self._log, mode, 0o600), "ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own arguments
                [sys.executable, "-m", "lms_tui", "serve", "--port", self._port, "--end-with-stdin", *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                # Where `-m` finds this very package, whatever lies in the directory the program was started in.
                cwd=Path(lms_tui.__file__).parents[1],
                # Keys such as ctrl+c are for the program, not for the service behind it.
                start_new_session=True,
            )
            self._feed()
            return log.tell()

    def _feed(self) -> None:
        """Write in a thread of its own: a pipe holds little, and the child reads when it comes to it."""
        process = self._process
        if self._given and process is not None and process.stdin is not None:
            # A descriptor of the thread's own, which nobody closes and hands on while it writes.
            pipe = os.fdopen(os.dup(process.stdin.fileno()), "wb", buffering=0)
            threading.Thread(target=_write, args=(pipe, self._given), daemon=True).start()

    def _first_line(self) -> str:
        process = self._process
        if process is None or process.stdout is None:
            return ""
        return process.stdout.readline(4096).decode("utf-8", "replace")

    def _failure(self, written: int) -> ServerFault:
        """Say what the child said last: a sentence and an advice, or the last line of a traceback."""
        try:
            with self._log.open("rb") as stream:
                stream.seek(max(written, self._log.stat().st_size - _TAIL))
                said = stream.read(_TAIL).decode("utf-8", "replace")
        except OSError:
            said = ""
        lines = [clean_line(line).removeprefix("lms-tui: ") for line in said.splitlines() if line.strip()]
        reason = lines[0] if 0 < len(lines) <= 2 else lines[-1] if lines else "it gave no reason"
        return _not_started(reason.partition(". ")[0], self._log)


def _not_started(reason: str, log: Path) -> ServerFault:
    return ServerFault(
        f"The practice service on this computer did not start: {reason.rstrip('.')[:300]}.",
        advice=f"What it said is in {clean_line(str(log))}; `lms-tui doctor` checks the rest.",
    )


def _tell(process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    """Wait for a process in a thread of its own, which holds nobody up when the program ends."""
    process.wait()
    with suppress(RuntimeError):  # the loop has ended before the process
        loop.call_soon_threadsafe(ended.set)


def _write(pipe: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    with pipe, suppress(OSError):  # a child that has ended takes nothing; `start` tells why
        while left:
            left = left[pipe.write(left) :]


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None and not stream.closed:
        stream.close()
