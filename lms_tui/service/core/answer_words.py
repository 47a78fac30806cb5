"""Answers in words for people."""

from collections.abc import Iterable

from lms_tui.wire.files import FileReference


def gaps_in_words(gaps: Iterable[tuple[str, str]], separator: str = "; ") -> str:
    """Return filled gaps such as `1. cow; 2. hen`, and files such as `essay.pdf (12 KB)`. Empty gaps are left out."""
    return separator.join(_in_words(order, text) for order, text in gaps if text)


def _in_words(order: str, text: str) -> str:
    file = FileReference.read(text)
    return f"{order}. {text}" if file is None else file.words
