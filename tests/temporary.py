"""Where tests and proofs put their temporary files."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - only folders of our own are made in it
_ROOM: Final = 2**31


def use_memory() -> None:
    """Put the temporary files of this process and of its children in memory, unless TMPDIR says where.

    A commit waits 2 ms for a disk and 0.02 ms for memory.
    """
    if "TMPDIR" not in os.environ and _is_usable(_MEMORY):
        os.environ["TMPDIR"] = str(_MEMORY)
        tempfile.tempdir = None


def _is_usable(folder: Path) -> bool:
    """Return whether a folder has room for files, and lets programs in it run. Docker's has 64 MB and does not."""
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return False
    return shutil.disk_usage(folder).free >= _ROOM and not os.statvfs(folder).f_flag & os.ST_NOEXEC
