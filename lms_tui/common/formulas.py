"""Texts that a spreadsheet would take for a formula."""

from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Signs, and their wide forms, with which a spreadsheet takes a text for a formula."""


def looks_like_a_formula(text: str) -> bool:
    """Return whether a spreadsheet would take a text for a formula. An apostrophe before it prevents that."""
    return text.startswith(_FORMULA)
