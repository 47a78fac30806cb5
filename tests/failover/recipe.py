"""The configuration files of docs/replication.md, as they stand there or for a test on one computer."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "docs" / "replication.md"


def file_of(name: str, changes: Mapping[str, str]) -> str:
    """Return the block of the page that begins with this file name, with other words in place of some.

    Raises KeyError for a word that the block does not have.
    """
    found = re.search(rf"^```\w+\n# {re.escape(name)}\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    if found is None:
        raise KeyError(name)
    if missing := [word for word in changes if word not in found[1]]:
        raise KeyError(*missing)
    # All at once, because a new word may contain an old one.
    return re.sub("|".join(map(re.escape, sorted(changes, key=len, reverse=True))), lambda m: changes[m[0]], found[1])


def environment_of(text: str) -> dict[str, str]:
    """Read a file of lines such as NAME=value."""
    return dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))
