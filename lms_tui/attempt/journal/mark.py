"""A mark is a small file beside a journal, with the number of its rows and the process that has it open."""

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lms_tui.attempt.journal.rows import checksum
from lms_tui.attempt.ports import JournalInUseError
from lms_tui.common.file_locks import lock_file
from lms_tui.common.private_files import BINARY

_TEXT: Final = re.compile(rb"rows (\d{12}) of ([0-9a-f]{8}) process (\d{10}) ([0-9a-f]{16})\n")

sync: Final[Callable[[int], None]] = getattr(os, "fdatasync", os.fsync)
"""Make what was written to a file durable."""


class Mark:
    """The open mark of a journal. It locks the journal until it is closed.

    `rows` is the number of rows of the journal, and `journal_id` its ID. They are 0 and "" if the mark is `fresh` or
    `damaged`. A fresh mark holds nothing yet. A mark fits in one sector of a disk, so a power cut leaves the old mark
    or the new one.
    """

    def __init__(self, path: Path) -> None:
        """Raise JournalInUseError if another process has the journal open, and OSError if the file cannot be used."""
        self.path = path
        self._written = False
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, 0o600)
        locked = self._lock()
        text = os.read(self._file, 200)  # after the lock: the one who held it may have written meanwhile
        found = _TEXT.fullmatch(text)
        if found is not None and checksum(found[0][: found.start(4)]) != found[4]:
            found = None
        self.fresh, self.damaged = not text, bool(text) and found is None
        self.rows, self.journal_id = (int(found[1]), found[2].decode()) if found else (0, "")
        if not locked:
            self.close()
            raise JournalInUseError(int(found[3]) if found else None)

    def _lock(self) -> bool:
        try:
            lock_file(self._file)
        except OSError:
            return False
        return True

    def write(self, rows: int, journal_id: str) -> None:
        """Write the number of the newest row. The row itself must be durable."""
        text = b"rows %012d of %b process %010d " % (rows, journal_id.encode(), os.getpid())
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, b"%b%b\n" % (text, checksum(text)))
        self._written, self.fresh = True, False

    def sync(self) -> None:
        """Make the mark durable. Call this once a second. A sync with each row would slow answers down."""
        if self._written:
            sync(self._file)
        self._written = False

    def in_place(self) -> bool:
        """Whether the open file is still the file with this name."""
        return is_file(self.path, os.fstat(self._file))

    def close(self) -> None:
        """Release the journal. A second call does nothing."""
        if self._file >= 0:
            with contextlib.suppress(OSError):  # an older mark is valid too
                self.sync()
            os.close(self._file)
        self._file = -1


def is_file(path: Path, file: os.stat_result) -> bool:
    """Whether this file is the one with this name."""
    try:
        return os.path.samestat(path.stat(), file)
    except OSError:
        return False


def is_held(path: Path) -> bool:
    """Whether a process, this one included, holds the journal with this mark."""
    with contextlib.suppress(OSError):
        file = os.open(path, os.O_RDWR | BINARY)
        try:
            lock_file(file)
        except OSError:
            return True
        finally:
            os.close(file)
    return False
