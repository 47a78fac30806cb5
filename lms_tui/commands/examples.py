"""Examples of each command, for `--help` and the reference (standard library only)."""

import re
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("examples.txt")
_ENTRY: Final = re.compile(r"^\[(.+)\]\n((?:.+\n)+)", re.MULTILINE)


def examples() -> dict[str, str]:
    """Return lines of a shell for each command, such as `lms-tui exam check`. The key is the whole command."""
    return {name: lines.rstrip("\n") for name, lines in _ENTRY.findall(_FILE.read_text(encoding="utf-8"))}
