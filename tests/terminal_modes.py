"""The private modes of a terminal that a program has changed."""

import re

_MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")
_ON = frozenset({"7", "25"})
"""Modes that are on in a new terminal: long lines break, and the cursor is shown. All others are off."""


def changed_modes(written: bytes) -> set[str]:
    """Return the modes that differ from those of a new terminal after it was sent these bytes."""
    now = {}
    for numbers, end in _MODE.findall(written):
        now.update(dict.fromkeys(numbers.decode().split(";"), end == b"h"))
    return {mode for mode, on in now.items() if on != (mode in _ON)}
