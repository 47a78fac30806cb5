"""A supervisor of several processes on one address."""

import logging
import os
import select
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_LOG: Final = logging.getLogger("lms_tui.service")
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_RESPAWN_SECONDS: Final = 1.0
"""Seconds between the end of a process and its replacement, a back-off for one that cannot start."""
_STOP_SECONDS: Final = 10.0
"""Seconds in which processes must end after SIGTERM."""

Work = Callable[[int, Callable[[], None], int], int]
"""The work of a process. Arguments: its number, a callback when ready, a descriptor that closes with the parent."""


class Supervisor:
    """Runs `work` in `count` forked processes until a signal, or the end of standard input if `ends_with_stdin`."""

    def __init__(self, count: int, work: Work, ready: Callable[[], None], *, ends_with_stdin: bool) -> None:
        self._count = count
        self._work = work
        self._ready = ready
        self._inputs = [0] if ends_with_stdin else []
        self._numbers: dict[int, int] = {}
        self._due: dict[int, float] = {}
        self._stopping = False
        # Each process reads this pipe, which closes however the parent ends.
        self._lifeline, self._held = os.pipe()
        self._waker, self._woken = socket.socketpair()
        self._reports, self._reporter = os.pipe()

    def run(self) -> int:
        """Return the exit code when every process has ended."""
        for end in (self._waker, self._woken):
            end.setblocking(False)
        before = {number: signal.signal(number, self._hear) for number in (*_SIGNALS, signal.SIGCHLD)}
        wake_before = signal.set_wakeup_fd(self._woken.fileno())
        try:
            for number in range(self._count):
                self._fork(number)
            if self._await_first():
                self._ready()
            self._watch()
        finally:
            self._end()
            signal.set_wakeup_fd(wake_before)
            for number, handler in before.items():
                signal.signal(number, handler)
            for end in (self._waker, self._woken):
                end.close()
            for descriptor in (self._lifeline, self._held, self._reports, self._reporter):
                os.close(descriptor)
        return 0

    def _hear(self, number: int, _frame: object) -> None:
        if number in _SIGNALS:
            self._stopping = True

    def _fork(self, number: int) -> None:
        pid = os.fork()
        if pid:
            self._numbers[pid] = number
            return
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            for name in (*_SIGNALS, signal.SIGCHLD):
                signal.signal(name, signal.SIG_DFL)
            os.close(self._held)
            code = self._work(number, self._report, self._lifeline)
        except BaseException:  # noqa: BLE001  # the top of a process, which can only log the error
            _LOG.exception("a process of the service failed")
        finally:
            # The handlers and exit hooks of the parent must not run here.
            os._exit(code)

    def _report(self) -> None:
        os.write(self._reporter, b".")

    def _await_first(self) -> bool:
        """Wait until every process accepts connections. Return False if stopped before."""
        ready = 0
        while ready < self._count and not self._stopping:
            if self._reports in self._wait(1.0, self._reports):
                ready += len(os.read(self._reports, 64))
            self._replace()
        return not self._stopping

    def _watch(self) -> None:
        while not self._stopping:
            self._wait(_RESPAWN_SECONDS if self._due else 60.0)
            self._replace()

    def _wait(self, seconds: float, *more: int) -> list[int]:
        found, _, _ = select.select([self._waker.fileno(), *self._inputs, *more], [], [], seconds)
        with suppress(BlockingIOError):
            self._waker.recv(4096)
        if 0 in found and not os.read(0, 4096):
            self._stopping = True
        return found

    def _replace(self) -> None:
        for number in self._reaped():
            _LOG.error("process %d of the service ended unexpectedly and is restarted", number)
            self._due[number] = time.monotonic() + _RESPAWN_SECONDS
        for number in [number for number, moment in self._due.items() if moment <= time.monotonic()]:
            del self._due[number]
            if not self._stopping:
                self._fork(number)

    def _reaped(self) -> list[int]:
        ended = []
        for pid in list(self._numbers):
            found, _ = os.waitpid(pid, os.WNOHANG)
            if found:
                ended.append(self._numbers.pop(pid))
        return ended

    def _end(self) -> None:
        """Send SIGTERM to every process, then SIGKILL."""
        for number, patience in ((signal.SIGTERM, _STOP_SECONDS), (signal.SIGKILL, 60.0)):
            for pid in self._numbers:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            ends = time.monotonic() + patience
            while self._numbers and time.monotonic() < ends:
                self._reaped()
                if self._numbers:
                    select.select([self._waker.fileno()], [], [], 0.05)
                    with suppress(BlockingIOError):
                        self._waker.recv(4096)
