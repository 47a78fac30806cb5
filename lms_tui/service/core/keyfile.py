"""The key that signs tokens: made once, kept outside the database, readable by its owner only."""

import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Final

from lms_tui.common.user_errors import AdvisedError

KEY_BYTES: Final = 32


class UnsafeKey(AdvisedError):
    """A key that others could know, or that is none."""


def read_or_create(path: Path) -> bytes:
    """Return the key in path; whoever comes first makes it, whole and 0600 before it has its name."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        _create(path)
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UnsafeKey(
            f"The key file {path} can be read by others.",
            "Give it the mode 600, or remove it: a new one is made, and everybody signs in again.",
        )
    key = path.read_bytes()
    if len(key) < KEY_BYTES:
        raise UnsafeKey(
            f"The key file {path} is damaged.", "Remove it: a new one is made, and everybody signs in again."
        )
    return key


def _create(path: Path) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        # A link never replaces: of two processes that start together one key wins for both.
        Path(path).hardlink_to(temporary)
    except FileExistsError:
        pass
    finally:
        Path(temporary).unlink()
