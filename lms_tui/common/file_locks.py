"""Locks of open files, on Windows too (standard library only)."""

import os
import sys
from typing import Final

_LOCKED_BYTE: Final = 1 << 30
"""A byte beyond the end, because Windows lets nobody read a locked byte."""


def lock_file(file: int, *, wait: bool = False) -> None:
    """Lock an open file until it is closed or its process ends. Raises OSError if another process holds it.

    `wait`: wait until the file is free, on Windows for 10 seconds at most.
    """
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - only there

        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
    else:
        import fcntl  # noqa: PLC0415 - everywhere else

        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
