"""Make text from a server, a file or the clipboard safe to show (standard library only).

Characters that control a terminal or mislead a reader are replaced by a visible mark. They are not deleted, because
deletion would join separate words. Decode the entities of HTML before you clean it.
"""

import re
from collections.abc import Mapping
from typing import Final

# C0 without newline and tab, DEL, C1, line and paragraph separators, bidi controls, zero-width spaces, invisible
# operators, deprecated and musical format controls, BOM, interlinear marks, tag characters, lone surrogates and
# noncharacters.
_DANGEROUS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u180e"
    "\ufeff\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e007f\ud800-\udfff]"
)
_JOINER: Final = re.compile("[\u200c\u200d]")
_JOINERS: Final = ("\u200c", "\u200d")
_SAFE_ASCII: Final = re.compile(r"[\x20-\x7e\n\t]*\Z")
_CONTROL_PICTURES: Final = 0x2400
HINTS: Final = re.compile("[\u200b\u2060\ufeff\u200e\u200f\u061c]")
"""Invisible typesetting hints: break here, do not break, direction marks."""
UNSEEN: Final = "\ufffd"
"""Replaces a dangerous character that has no control picture."""


def _mark(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == 0x7F else UNSEEN


def _joiner(text: str, at: int) -> str:
    """Keep a joiner between two letters or pictographs outside Latin, where scripts and emoji need it."""
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    joins = before > "\u02ff" and before not in _JOINERS and before != UNSEEN
    return text[at] if joins and after not in _JOINERS and (after > "\u02ff" or not after.strip()) else UNSEEN


def clean(text: str) -> str:
    """Replace every dangerous character by a visible mark, except newline and tab."""
    if _SAFE_ASCII.match(text):
        return text
    text = _DANGEROUS.sub(_mark, text.replace("\r\n", "\n"))
    if _JOINER.search(text):
        text = "".join(_joiner(text, at) if char in _JOINERS else char for at, char in enumerate(text))
    return text


def clean_line(text: str) -> str:
    """Clean a title, a name or a table cell, and replace each run of white space by one space."""
    return " ".join(clean(text).split())


def clean_tree(value: object) -> object:
    """Clean every string of a decoded JSON value, keys included."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_tree(item) for item in value]
        case Mapping():
            return {clean(str(key)): clean_tree(item) for key, item in value.items()}
        case _:
            return value
