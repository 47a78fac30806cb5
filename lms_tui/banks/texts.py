"""Small conversions that every reader needs: HTML to a line of text, numbers, shares."""

import html
import re
from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.common.cleaning import clean_line

BLANK: Final = "_____"
"""Stands in a stem for the place of its one answer."""
_TAG: Final = re.compile(r"<(?:/?[A-Za-z][^<>]*|!--.*?--)>", re.DOTALL)
_BREAK: Final = re.compile(r"<(?:br|/p|/div|/li|/tr)\b[^<>]*>", re.IGNORECASE)
_IMAGE: Final = re.compile(r"<img\b[^<>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')[^<>]*>", re.IGNORECASE)
_LONGEST_NUMBER: Final = 64


def plain(markup: str) -> str:
    """HTML as one line of text; a picture is its alternative text."""
    if "<" in markup:
        markup = _IMAGE.sub(lambda found: f" {found[1] or found[2] or ''} ", markup)
        markup = _TAG.sub("", _BREAK.sub(" ", markup))
    return clean_line(html.unescape(markup))


def literal(text: str) -> str:
    """A text as a key in which a star is a star and not any text."""
    return text.replace("*", r"\*")


def number(text: str) -> Decimal | None:
    """A finite number of sensible size, with a point or a comma; None where it is none."""
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


def share(text: str) -> Decimal | None:
    """A percentage such as `33.33333` as a share."""
    value = number(text.replace("%", ""))
    return None if value is None else value / 100


def ratio(part: Decimal, whole: Decimal) -> Decimal:
    """A share with seven places at most, as Moodle keeps them."""
    return round(part / whole, 7)


def told(value: Decimal) -> str:
    """A number for people: no exponent, no idle zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")
