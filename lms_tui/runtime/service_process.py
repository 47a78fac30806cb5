"""The embedded service as a child process, which ends together with this process."""

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from lms_tui.common import own_process
from lms_tui.common.cleaning import clean_line
from lms_tui.common.private_files import make_private_folder
from lms_tui.wire.errors import ServerFault

if TYPE_CHECKING:
    import asyncio

_ANNOUNCEMENT: Final = "Listening on "
_STEP: Final = "Step "
"""Begins each line before the announcement. The rest says in plain words what the service does."""
_OURS: Final = "lms-tui: "
"""Begins the first of the two sentences with which the program refuses something."""
_MOST_STEPS: Final = 10_000
_CHILD: Final = ("--end-with-stdin", "--tell-steps")
_START_TIMEOUT: Final = 60.0
_STOP_TIMEOUT: Final = 3.0
_LARGEST_LOG: Final = 1024 * 1024
_PAUSES: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds before each restart of a crashed service. After the last one it stays stopped."""
_TAIL: Final = 16 * 1024

_log = logging.getLogger(__name__)


class ServiceProcess:
    """`lms-tui serve` on a free port, with its standard error in the file `log`.

    The service ends when its standard input closes. The operating system closes it even if this process is killed.
    `name`: what messages call the service.
    """

    def __init__(self, arguments: Sequence[str], log: Path, name: str = "practice service on this computer") -> None:
        self._arguments = tuple(arguments)
        self._log = log
        self._name = name
        self._process: subprocess.Popen[bytes] | None = None
        self._base_url = ""
        self._port = "0"
        self._wanted = False
        self._launched: int | None = None
        self._turn: asyncio.Lock | None = None
        self._given = b""
        self._on_step: Callable[[str], None] | None = None

    def follow(self, on_step: Callable[[str], None] | None) -> None:
        """Tell `on_step` in the event loop what the service does while it starts."""
        self._on_step = on_step

    def give(self, data: bytes) -> None:
        """Send the exam that the service waits for on standard input, now and after each restart."""
        self._given = data
        self._feed()

    def launch(self) -> None:
        """Start the process without waiting. `start` reports any error."""
        with suppress(OSError):
            self._launched = self._spawn()

    async def start(self) -> str:
        """Start the service if it does not run, and return its base address. Raises ServerFault."""
        import asyncio  # noqa: PLC0415 - the process is launched before this import, which takes 25 ms

        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            self._wanted = True
            if self._launched is not None or self._process is None or self._process.poll() is not None:
                self._base_url = await self._begin()
                self._port = self._base_url.rpartition(":")[2]
            return self._base_url

    async def keep_running(self) -> None:
        """Restart the service at the same address whenever it crashes. Return after the last try."""
        import asyncio  # noqa: PLC0415 - as in `start`

        for pause in _PAUSES:
            if (process := self._process) is not None:
                ended = asyncio.Event()
                threading.Thread(target=_tell, args=(process, asyncio.get_running_loop(), ended), daemon=True).start()
                await ended.wait()
                _log.warning("the %s crashed with exit code %s", self._name, process.returncode)
            await asyncio.sleep(pause)
            if not self._wanted:
                return
            try:
                await self.start()
            except ServerFault as error:
                _log.warning("%s", error)

    def stop(self) -> None:
        """End the service and wait for it. Terminate it after a timeout, then kill it."""
        self._wanted = False
        self._reap(_STOP_TIMEOUT)

    def kill(self) -> None:
        """Kill the service. Everything that its database has acknowledged is on disk."""
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
        import asyncio  # noqa: PLC0415 - as in `start`

        written, self._launched = self._launched, None
        if written is None:
            self._reap(0)
            try:
                written = self._spawn()
            except OSError as error:
                raise self._not_started(f"{error.strerror or error}") from error
        try:
            async with asyncio.timeout(_START_TIMEOUT):
                line = await asyncio.to_thread(self._announced, asyncio.get_running_loop())
        except TimeoutError:
            self._reap(0)
            raise self._not_started(f"no answer for {_START_TIMEOUT:.0f} s") from None
        except asyncio.CancelledError:
            self._reap(0)  # also ends the thread that waits for the line
            raise
        if not line.startswith(_ANNOUNCEMENT):
            self._reap(0)
            raise self._failure(written)
        return line.removeprefix(_ANNOUNCEMENT).strip()

    def _spawn(self) -> int:
        """Start the process. Return the offset of its first line in the log."""
        make_private_folder(self._log.parent)
        fresh = self._log.exists() and self._log.stat().st_size > _LARGEST_LOG
        mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if fresh else 0)
        with os.fdopen(os.open(self._log, mode, 0o600), "ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own arguments
                [sys.executable, "-m", "lms_tui", "serve", "--port", self._port, *_CHILD, *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=own_process.FOLDER,
                # ctrl+c must reach the app only.
                start_new_session=True,
            )
            self._feed()
            return log.tell()

    def _feed(self) -> None:
        """Write in a thread, because a pipe holds little and the service reads late."""
        process = self._process
        if self._given and process is not None and process.stdin is not None:
            # The thread needs its own descriptor, because another thread may close and reuse the first one.
            pipe = os.fdopen(os.dup(process.stdin.fileno()), "wb", buffering=0)
            threading.Thread(target=_write, args=(pipe, self._given), daemon=True).start()

    def _announced(self, loop: "asyncio.AbstractEventLoop") -> str:
        """Return the first line that is not a step, "" at the end of the output."""
        process = self._process
        if process is None or process.stdout is None:
            return ""
        for _ in range(_MOST_STEPS):
            line = process.stdout.readline(4096).decode("utf-8", "replace")
            if not line.startswith(_STEP):
                return line
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._tell_step, clean_line(line.removeprefix(_STEP)))
        return ""

    def _tell_step(self, step: str) -> None:
        if self._on_step is not None:
            self._on_step(step)

    def _failure(self, written: int) -> ServerFault:
        """Return an error with the last message in the log, or with the last line of a traceback."""
        try:
            with self._log.open("rb") as stream:
                stream.seek(max(written, self._log.stat().st_size - _TAIL))
                said = stream.read(_TAIL).decode("utf-8", "replace")
        except OSError:
            said = ""
        lines = [clean_line(line).removeprefix(_OURS) for line in said.splitlines() if line.strip()]
        reason = lines[0] if 0 < len(lines) <= 2 else lines[-1] if lines else "no reason is known"
        advised = len(lines) == 2 and said.startswith(_OURS)
        return self._not_started(reason.partition(". ")[0], lines[1] if advised else "")

    def _not_started(self, reason: str, advice: str = "") -> ServerFault:
        return ServerFault(
            f"The {self._name} did not start: {reason.rstrip('.')[:300]}.",
            advice=f"{advice[:300]} See {clean_line(str(self._log))}, or run `lms-tui doctor`.".lstrip(),
        )


def _tell(process: subprocess.Popen[bytes], loop: "asyncio.AbstractEventLoop", ended: "asyncio.Event") -> None:
    """Wait for a process in a daemon thread, which does not delay the end of the program."""
    process.wait()
    with suppress(RuntimeError):  # the loop has ended before the process
        loop.call_soon_threadsafe(ended.set)


def _write(pipe: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    with pipe, suppress(OSError):  # `start` reports why the service ended
        while left:
            left = left[pipe.write(left) :]


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None and not stream.closed:
        stream.close()
