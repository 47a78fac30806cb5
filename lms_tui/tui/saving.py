"""Saves files where the user wants them: atomically, readable by the owner only, without overwriting a file."""

import errno
import os
import tempfile
from pathlib import Path
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.file_names import file_name

_LONGEST: Final = 240
"""Bytes of a name, before a number that makes it differ from others."""


def place_of(text: str, usual: Path) -> tuple[Path, str]:
    """Return the folder and the name without its ending for a path that was typed. A folder alone keeps the name."""
    path = Path(text).expanduser()
    if path.is_dir() or text.endswith(("/", os.sep)):
        return path, usual.stem
    return path.parent, path.name.removesuffix(usual.suffix)


def fault_of(text: str, usual: Path) -> str:
    """Return what is wrong with a path that was typed, or "". Only the usual folder may be missing."""
    if not text:
        return "Type a path."
    folder, name = place_of(text, usual)
    if not (folder.is_dir() or folder == usual.parent):
        return f"There is no folder {clean_line(str(folder))}. Type another path."
    return "" if name else "Type the name of a file."


def save(folder: Path, name: str, ending: str, content: bytes) -> Path:
    """Save `content` as `name.ending`, or `name-2.ending` if that name is taken. Raises OSError.

    An empty `ending` has no dot.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    wanted = folder / file_name(f"{name}.{ending}" if ending else name, _LONGEST)
    handle, written = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        target = _reserve(wanted)
        Path(written).replace(target)
    except BaseException:
        Path(written).unlink(missing_ok=True)
        raise
    return target


def _reserve(wanted: Path) -> Path:
    """Create an empty file under the first free name."""
    for number in range(1, 10_000):
        target = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}-{number}")
        try:
            target.touch(mode=0o600, exist_ok=False)
        except FileExistsError:
            continue
        return target
    raise FileExistsError(errno.EEXIST, "Every name is taken", str(wanted.parent))
