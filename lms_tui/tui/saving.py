"""Files that a person asked to keep: written whole or not at all, readable by no one else, never over another."""

import errno
import os
import re
import tempfile
from pathlib import Path
from typing import Final

from lms_tui.common.cleaning import clean_line

_ODD: Final = re.compile(r"[^\w.-]+")
_LONGEST: Final = 80


def save(folder: Path, name: str, ending: str, content: bytes) -> Path:
    """Write `content` into the folder as `name.ending`, or `name-2.ending` where that is taken; raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stem = _ODD.sub("-", clean_line(name)).strip("-.")[:_LONGEST] or "file"
    handle, written = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        target = _taken(folder, stem, ending)
        Path(written).replace(target)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
    return target


def _taken(folder: Path, stem: str, ending: str) -> Path:
    """Take the first name that is free by making an empty file of it."""
    for number in range(1, 10_000):
        target = folder / (f"{stem}.{ending}" if number == 1 else f"{stem}-{number}.{ending}")
        try:
            target.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            continue
        return target
    raise FileExistsError(errno.EEXIST, "Every name is taken", str(folder))
