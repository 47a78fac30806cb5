"""Names of files that are saved, from names that others gave (standard library only)."""

import re
from typing import Final

from lms_tui.common.cleaning import clean_line

_REFUSED: Final = re.compile(r'[/\\:*?"<>|]+')
"""Characters that Windows allows in no name."""
_LONGEST: Final = 200
"""Bytes of a name. Most file systems allow 255, also for a name with numbers around it."""
_LONGEST_END: Final = 20
"""Bytes that a long name keeps at its end, where its type stands."""


def file_name(given: str, most: int = _LONGEST) -> str:
    """Return a name that a file can have on every system, at most `most` bytes. A long name keeps its end."""
    cleaned = _REFUSED.sub("-", clean_line(given)).strip(" .").encode()
    head, kept = cleaned[:most], cleaned[most:][-_LONGEST_END:]
    return (head[: len(head) - len(kept)] + kept).decode(errors="ignore") or "file"


def name_of_answer_file(attempt: int, question: int, number: int, name: str) -> str:
    """Return the name under which a file of an answer is saved, such as `41-7-1-essay.pdf`."""
    return f"{attempt}-{question}-{number}-{file_name(name)}"
