"""Recognises journals of earlier versions, which were SQLite files."""

import sys
from pathlib import Path
from typing import Final

MAGIC: Final = b"SQLite format 3\0"
TABLE: Final = b"CREATE TABLE change"
"""Text that every such journal contains, also when its first bytes are damaged."""
_LOCKS: Final = 0x40000000
"""Where SQLite locks its files."""


def is_held_by_sqlite(path: Path) -> bool:
    """Whether an earlier version of this program has the journal open. Windows cannot tell, which returns False."""
    if sys.platform == "win32":
        return False
    import fcntl  # noqa: PLC0415 - not on Windows

    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 512, _LOCKS)
        except OSError:
            return True
    return False
