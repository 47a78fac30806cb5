"""Conversions that all readers share: HTML to a line of text, numbers, shares."""

import html
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from lms_tui.common.cleaning import clean_line

BLANK: Final = "_____"
"""Marks the place of the answer in a question with one answer."""
SPACE: Final = r"[ \t\xa0]"
"""Pattern of a blank in a line, also of one that does not break, as some keyboards type it."""
GAP: Final = re.compile(r"\[\[\s*(\d{1,3})\s*\]\]")
"""A gap in a text: `[[1]]`."""
_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--.*?--)>", re.DOTALL)
_BREAK: Final = re.compile(r"<(?:br|/p|/div|/li|/tr)\b[^<>]*>", re.IGNORECASE)
_IMAGE: Final = re.compile(r"<img\b[^<>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')[^<>]*>", re.IGNORECASE)
_LONGEST_NUMBER: Final = 64
_MOST_NAMED: Final = 12
_LONGEST_TITLE: Final = 60


def plain(markup: str) -> str:
    """Return HTML as one line of text. A picture becomes its alternative text."""
    if "<" in markup:
        markup = _IMAGE.sub(lambda found: f" {found[1] or found[2] or ''} ", markup)
        markup = _TAG.sub("", _BREAK.sub(" ", markup))
    return clean_line(html.unescape(markup))


def literal(text: str) -> str:
    """Escape stars in a text, because a star in a key matches any text."""
    return text.replace("*", r"\*")


def unescaped(key: str) -> str:
    """Return the text of a key whose stars are literal."""
    return key.replace(r"\*", "*")


def number(text: str) -> Decimal | None:
    """Return a finite number with a decimal point or comma, or None if `text` is no such number."""
    written = text.strip().replace("\u2212", "-")
    if written.count(",") == 1 and "." not in written:
        written = written.replace(",", ".")
    if not written or len(written) > _LONGEST_NUMBER or "_" in written:
        return None
    try:
        value = Decimal(written)
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value.adjusted()) <= 400 else None


@lru_cache(256)  # a large file names few shares many times
def share(text: str) -> Decimal | None:
    """Return a percentage such as `33.33333` as a share, or None."""
    value = number(text.replace("%", ""))
    return None if value is None else value / 100


def ratio(part: Decimal, whole: Decimal) -> Decimal:
    """Return `part / whole` with at most seven decimals, as in Moodle."""
    return round(part / whole, 7)


def joined(texts: Sequence[str]) -> str:
    """Join HTML texts. Several texts each get a `div`."""
    return texts[0] if len(texts) == 1 else "".join(f"<div>{text}</div>" for text in texts)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 question`, `2 questions`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def title_or_text(title: str, markup: str) -> str:
    """Return the title of a question, or the beginning of its text. The cut is between words, outside formulas."""
    text = plain(markup)
    if title or len(text) <= _LONGEST_TITLE:
        return title or text
    cut = text[: _LONGEST_TITLE - 1]
    if cut.count(r"\(") > cut.count(r"\)"):
        cut = cut[: cut.rindex(r"\(")]
    return f"{cut.rsplit(' ', 1)[0].rstrip() or cut}…"


def letter(place: int) -> str:
    """Return the letter of an option, A for place 0, and a number after Z."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def listed(numbers: Sequence[int]) -> str:
    """Name questions by number: `question 3`, `questions 1, 2, …`."""
    named = ", ".join(str(number) for number in numbers[:_MOST_NAMED])
    return f"question{'' if len(numbers) == 1 else 's'} {named}{', …' if len(numbers) > _MOST_NAMED else ''}"


def digits(value: Decimal) -> str:
    """Return all digits of a number, without exponent and trailing zeros."""
    return format(value.normalize(), "f")


def span(low: Decimal, high: Decimal, to: str = " to ") -> str:
    """Return all digits of a number, or of both ends of a range."""
    return digits(low) if low == high else f"{digits(low)}{to}{digits(high)}"


def told(value: Decimal) -> str:
    """Return a number with at most four decimals, without exponent and trailing zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
