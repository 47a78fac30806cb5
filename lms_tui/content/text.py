"""Make text from an exam safe to show and normalise the characters that terminals count differently."""

import re
from typing import Final

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.cells import normalise

HINTS: Final = re.compile("[\u200b\u2060\ufeff\u200e\u200f\u061c]")
"""Invisible typesetting hints: break here, do not break, direction marks."""


def safe_text(text: str) -> str:
    """Replace dangerous characters. Newlines and tabs stay."""
    return normalise(clean(text))


def safe_line(text: str) -> str:
    """Replace dangerous characters and fold white space."""
    return normalise(clean_line(text))


def readable_text(text: str) -> str:
    """Replace dangerous characters and remove invisible hints, of which pasted text is full."""
    return safe_text(text if text.isascii() else HINTS.sub("", text))
