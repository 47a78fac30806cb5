"""Threads that compare passwords, with a lower priority than the threads that answer requests."""

import asyncio
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from lms_tui.service.core.passwords import Passwords

_NICENESS: Final = 10
"""About a tenth of the processor time of a thread with the usual priority, where both want the same core."""


class PasswordCheck:
    """Compares passwords in at most `threads` threads."""

    def __init__(self, passwords: Passwords, threads: int) -> None:
        self._passwords = passwords
        self._pool = ThreadPoolExecutor(threads, "password", initializer=_yield_to_others)

    async def matches(self, stored: str | None, password: str) -> bool:
        """`stored` None: no such user, or no password."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._passwords.verify, stored, password)


def _yield_to_others() -> None:
    """Lower the priority of this thread. Only Linux has priorities of single threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
