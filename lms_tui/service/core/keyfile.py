"""The key that signs tokens. It is kept outside the database in a file that only its owner can read."""

import os
import secrets
import tempfile
from pathlib import Path
from typing import Final

from lms_tui.common.private_files import is_open_to_others
from lms_tui.common.user_errors import AdvisedError

KEY_BYTES: Final = 32


class UnsafeKey(AdvisedError):
    """A key file that others can read, or that is damaged."""


def read_or_create(path: Path) -> bytes:
    """Return the key in path. The first process creates it, complete and with mode 0600."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        _create(path)
    if is_open_to_others(path.stat().st_mode):
        raise UnsafeKey(
            f"Other users can read the key file {path}.",
            "Set its mode to 600, or remove it. A new key is then created and every user signs in again.",
        )
    key = path.read_bytes()
    if len(key) < KEY_BYTES:
        raise UnsafeKey(
            f"The key file {path} is damaged.", "Remove it. A new key is created and every user signs in again."
        )
    return key


def _create(path: Path) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        # A hard link never replaces a file, so two processes that start together use the same key.
        Path(path).hardlink_to(temporary)
    except FileExistsError:
        pass
    finally:
        Path(temporary).unlink()
