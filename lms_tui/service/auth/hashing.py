"""Threads that compare passwords, with a lower priority than the threads that answer requests."""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

from lms_tui.common.file_locks import lock_file
from lms_tui.service.core.passwords import Passwords

_NICENESS: Final = 10
"""About a tenth of the processor time of a thread with the usual priority, where both want the same core."""


class PasswordCheck:
    """Compares passwords in at most `threads` threads.

    `shared`: a folder for the lock files of several processes, which then compare together in `threads` threads.
    """

    def __init__(self, passwords: Passwords, threads: int, shared: Path | None = None) -> None:
        self._passwords = passwords
        self._shared = shared
        self._numbers = count()
        self._thread = threading.local()
        self._pool = ThreadPoolExecutor(threads, "password", initializer=self._start_thread)

    async def matches(self, stored: str | None, password: str) -> bool:
        """`stored` None: no such user, or no password."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._compare, stored, password)

    def _compare(self, stored: str | None, password: str) -> bool:
        with self._turn():
            return self._passwords.verify(stored, password)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until the thread with this number rests in every other process. The system frees a dead one's lock."""
        if self._shared is None:
            yield
            return
        file = os.open(self._shared / f"passwords-{self._thread.number}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            lock_file(file, wait=True)
            yield
        finally:
            os.close(file)

    def _start_thread(self) -> None:
        self._thread.number = next(self._numbers)
        # Only Linux has priorities of single threads.
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
