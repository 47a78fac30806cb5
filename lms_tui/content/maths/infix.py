r"""Fraction commands that are written between numerator and denominator, such as `\over`."""

from collections.abc import Callable, Mapping
from typing import Final

from lms_tui.content.maths.tokens import Tokens


def is_drawn(thickness: str) -> bool:
    """Return whether the bar of a fraction is drawn."""
    return thickness.strip().rstrip("abcdefghijklmnopqrstuvwxyz ") not in {"0", "0.0"}


def _plain(opening: str, closing: str, *, bar: bool = True) -> Callable[[Tokens], tuple[str, str, bool]]:
    return lambda _: (opening, closing, bar)


def _above(tokens: Tokens) -> tuple[str, str, bool]:
    return "", "", is_drawn(tokens.dimension() or tokens.raw())


def _delimited(tokens: Tokens) -> tuple[str, str]:
    signs = tokens.next(), tokens.next()
    return ("" if signs[0] == "." else signs[0]), ("" if signs[1] == "." else signs[1])


def _above_delimited(tokens: Tokens) -> tuple[str, str, bool]:
    return *_delimited(tokens), is_drawn(tokens.dimension() or tokens.raw())


def _atop_delimited(tokens: Tokens) -> tuple[str, str, bool]:
    return *_delimited(tokens), False


FRACTIONS: Final[Mapping[str, Callable[[Tokens], tuple[str, str, bool]]]] = {
    r"\over": _plain("", ""), r"\atop": _plain("", "", bar=False), r"\choose": _plain("(", ")", bar=False),
    r"\brace": _plain(r"\{", r"\}", bar=False), r"\brack": _plain("[", "]", bar=False), r"\above": _above,
    r"\abovewithdelims": _above_delimited, r"\atopwithdelims": _atop_delimited,
}  # fmt: skip
"""Reads the rest of each command and returns both delimiters and whether there is a bar."""
