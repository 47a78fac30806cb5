"""Files and directories that only their owner can read (standard library only)."""

import errno
import os
import stat
from pathlib import Path
from typing import Final

_POSIX: Final = os.name == "posix"
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
BINARY: Final[int] = getattr(os, "O_BINARY", 0)
"""For `os.open`. Without it, Windows writes each line feed as two bytes."""


def make_private_folder(folder: Path) -> None:
    """Create a directory with mode 0700, or take all rights from others. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _POSIX and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        folder.chmod(0o700)


def write_private(file: Path, data: bytes) -> None:
    """Replace a file in a private directory. Raises OSError."""
    make_private_folder(file.parent)
    replace_file(file, data)


def write_new(file: Path, data: bytes) -> None:
    """Write a file that does not exist yet. It has mode 0600 from its first byte. Raises OSError."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def replace_file(file: Path, data: bytes) -> None:
    """Replace a file as a whole or not at all. The new file has mode 0600. Raises OSError."""
    refuse_special(file)
    draft = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        write_new(draft, data)
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(file)) from error


def refuse_special(file: Path) -> None:
    """Raise FileExistsError for a folder or a device, which must not be replaced. Root could replace `/dev/null`."""
    if file.exists() and not file.is_file():
        raise FileExistsError(errno.EEXIST, "Not a file", str(file))


def is_full(error: OSError) -> bool:
    """Return whether an error means that the disk, or the share of it for this user, is full."""
    return error.errno in _NO_ROOM


def is_open_to_others(mode: int) -> bool:
    """Return whether others can read a file with these mode bits. Windows has no such bits, which returns False."""
    return _POSIX and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))


def sync_path(path: Path) -> None:
    """Make a file durable, or the names in a directory. Raises OSError."""
    if not _POSIX:
        return  # Windows can neither open directories nor sync a file that is open for reading
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
