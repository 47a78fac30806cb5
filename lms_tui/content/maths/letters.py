"""Decode, clean and simplify the characters of a formula's source."""

import html
import unicodedata
from functools import lru_cache
from typing import Final

from lms_tui.content.maths.symbols import role_of
from lms_tui.content.maths.tree import Atom, Node, Role, Space
from lms_tui.content.text import safe_text

_RENAMED: Final = {"-": "−", "˳": "˚", "∗": "*", "~": "∼", "⧵": "∖", "⟂": "⊥", "◻": "□",
                  "\u2009": " ", "\u2006": " "}  # fmt: skip


@lru_cache(maxsize=2048)
def decoded(text: str) -> str:
    """Decode entities and then clean, because an entity can hide a dangerous character."""
    return safe_text(html.unescape(text).replace("\n", " ").replace("\t", " "))


def written(text: str) -> str:
    """Write a decoded symbol, number or name with characters that terminals have."""
    return "".join(_RENAMED.get(char) or _plain_letter(char) for char in " ".join(text.split()))


def named(text: str) -> Atom:
    """Return the atom of a symbol, or a function if `text` is several letters."""
    if len(text) > 1 and (text.replace(" ", "").isalpha() or text[0] == "\\"):
        return Atom(text, Role.FUNCTION, upright=True)
    return Atom(text, role_of(text))


def _plain_letter(char: str) -> str:
    """Replace sans-serif, typewriter and italic mathematical letters by plain ones, because few terminals have them."""
    if not "\U0001d434" <= char <= "\U0001d7ff" or "\U0001d49c" <= char <= "\U0001d56b":
        return "" if char in "\u2061\u2062\u2063\u2064" else char
    return char if "\U0001d7ce" <= char <= "\U0001d7d7" else unicodedata.normalize("NFKC", char)


def space(width: str) -> Node:
    """Return the space for a length in LaTeX or MathML."""
    try:
        size = float(width.removesuffix("em").removesuffix("ex").removesuffix("pt").removesuffix("px"))
    except ValueError:
        return Space(1)
    if width.endswith(("pt", "px")):
        size /= 10
    return Space(min(4, max(1, round(size * 2))) if size >= 0.15 else 0)
