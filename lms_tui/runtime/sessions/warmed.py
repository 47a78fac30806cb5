"""The host's side of the warmed parent: it starts the process, asks for sessions, and hears how they end."""

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final

from lms_tui.common import own_process
from lms_tui.common.user_errors import AdvisedError
from lms_tui.runtime.sessions.messages import LARGEST, LONGEST_END, Ended, Kill, Ready, Setup, Start, pack, unpack

_PAUSE: Final = 1.0
_PATIENCE: Final = 60.0
_SPARE: Final = 2.0

_log = logging.getLogger(__name__)


class CannotStartSessions(AdvisedError):
    """The warmed parent does not start."""


class WarmedParent:
    """Starts the process again when it has ended. Sessions that run go on without it."""

    def __init__(self, setup: Setup, log: Path) -> None:
        self._setup = setup
        self._log = log
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = asyncio.Event()
        self._trouble = ""
        self._ends: dict[int, Callable[[int], None]] = {}
        self._again: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    async def start(self) -> None:
        """Raises CannotStartSessions."""
        self._spawn()
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._ready.wait()
        except TimeoutError:
            raise CannotStartSessions("The process of the sessions did not start.", f"See {self._log}.") from None
        if self._trouble:
            words = f"The user of the sessions cannot reach {self._trouble}."
            advice = "Give a --data-dir such as /var/lib/lms-tui, and install Python and the program outside of /root."
            raise CannotStartSessions(words, advice)

    async def begin(self, start: Start, terminal: int, ended: Callable[[int], None]) -> None:
        """Start a session on this terminal. `ended` gets its exit code, -1 if it is not known. Raises OSError."""
        async with asyncio.timeout(_PATIENCE):
            await self._ready.wait()
        if self._control is None:
            raise ConnectionError
        self._ends[start.number] = ended
        try:
            socket.send_fds(self._control, [pack(start)], [terminal])
        except OSError:
            del self._ends[start.number]
            raise

    def kill(self, number: int) -> None:
        """End a session that is still running."""
        if number in self._ends and self._control is not None:
            with suppress(OSError):
                self._control.send(pack(Kill(number)))

    async def close(self) -> None:
        """Let the process end the sessions, whose terminals are closed, and end."""
        if self._again is not None:
            self._again.cancel()
        self._forget()
        if self._process is not None:
            await asyncio.to_thread(_wait_for, self._process)

    def _spawn(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs, os.fdopen(os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
            command = [sys.executable, "-X", "utf8", "-m", "lms_tui.runtime.sessions.warm", str(theirs.fileno())]
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own arguments
                [*command, json.dumps(asdict(self._setup))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=own_process.FOLDER,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        ours.setblocking(False)
        self._control = ours
        asyncio.get_running_loop().add_reader(ours, self._hear)

    def _hear(self) -> None:
        if self._control is None:
            return
        try:
            packet = self._control.recv(LARGEST)
        except BlockingIOError:
            return
        except OSError:
            packet = b""
        match unpack(packet) if packet else None:
            case Ready(trouble):
                self._trouble = trouble
                self._ready.set()
            case Ended(number, status):
                self._end(number, status)
            case None:
                self._lost()

    def _end(self, number: int, status: int) -> None:
        if (ended := self._ends.pop(number, None)) is not None:
            ended(status)

    def _lost(self) -> None:
        self._forget()
        if not self._trouble:
            _log.error("the process that starts sessions has ended and is started again")
            self._again = asyncio.get_running_loop().call_later(_PAUSE, self._spawn)

    def _forget(self) -> None:
        self._ready.clear()
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()
            self._control = None
        for number in tuple(self._ends):
            self._end(number, -1)


def _wait_for(process: "subprocess.Popen[bytes]") -> None:
    try:
        process.wait(LONGEST_END + _SPARE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
