"""Make text from an exam safe to show and normalise the characters that terminals count differently."""

from lms_tui.common.cleaning import HINTS, clean, clean_line
from lms_tui.content.cells import normalise


def safe_text(text: str) -> str:
    """Replace dangerous characters. Newlines and tabs stay."""
    return normalise(clean(text))


def safe_line(text: str) -> str:
    """Replace dangerous characters and fold white space."""
    return normalise(clean_line(text))


def readable_text(text: str) -> str:
    """Replace dangerous characters and remove invisible hints, of which pasted text is full."""
    return safe_text(text if text.isascii() else HINTS.sub("", text))
