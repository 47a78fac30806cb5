"""Roles of characters in formulas, their small forms, and combining accents."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from lms_tui.content.maths.tree import Role

_RELATIONS: Final = frozenset("=<>:⊥≔≕≝≜≟≐≑≒≓≗≙≚⊢⊣⊨⊩⊪⊫⊲⊳⊴⊵⊸⋈∝∷∹≀⌢⌣⟂⫅⫆⫋⫌⪯⪰⩽⩾⪅⪆⪇⪈⪋⪌⪕⪖⪷⪸∶∍϶")
_RELATION_RANGES: Final = ((0x2190, 0x21FF), (0x2208, 0x220D), (0x2223, 0x2226), (0x223B, 0x228B),
                           (0x228F, 0x2292), (0x22D0, 0x22EA), (0x27F0, 0x27FF), (0x2900, 0x297F))  # fmt: skip
_BINARY: Final = frozenset("+-−±∓×÷·⋅∗∘∙∧∨∩∪⊕⊖⊗⊘⊙⊚⊛⊞⊟⊠⊡⊎⊓⊔∖⋆*†‡⋄⋉⋊⋎⋏⋒⋓⊼⊻⩞•◦∔∸")
INTEGRALS: Final = frozenset("∫∬∭∮∯∰⨌")
_LARGE: Final = frozenset("∑∏∐⋂⋃⋁⋀⨁⨂⨀⨄⨃⨆") | INTEGRALS
_OPENING: Final = frozenset("([{⟨⌈⌊⟦⟮〈")
_CLOSING: Final = frozenset(")]}⟩⌉⌋⟧⟯〉!")
_PUNCTUATION: Final = frozenset(",;")
BARS: Final = frozenset("|‖∣")
LIMIT_NAMES: Final = frozenset(
    {"lim", "sup", "inf", "max", "min", "det", "gcd", "Pr", "plim", "arg max", "arg min", "argmax", "argmin", "lim sup",
     "lim inf", "limsup", "liminf", "proj lim", "inj lim", "ess sup", "ess inf"}
)  # fmt: skip
"""Named operators that take limits."""


_ROLES: Final = {
    symbol: role
    for role, symbols in (
        (Role.PUNCTUATION, _PUNCTUATION),
        (Role.CLOSE, _CLOSING),
        (Role.OPEN, _OPENING),
        (Role.LARGE, _LARGE),
        (Role.BINARY, _BINARY),
        *((Role.RELATION, map(chr, range(first, last + 1))) for first, last in _RELATION_RANGES),
        (Role.RELATION, _RELATIONS),
        (Role.BAR, BARS),
    )
    for symbol in symbols
}
"""The last role counts for a symbol with several."""


def role_of(text: str) -> Role:
    """Return the role of one symbol or name."""
    return _ROLES.get(text, Role.ORDINARY)


_SUPER: Final = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθιφχ′″‴⁗°∘∗*",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᶥᵠᵡ′″‴⁗°°**",
        strict=True,
    )
)
_SUB: Final = dict(
    zip(
        "0123456789+-−=()aehijklmnoprstuvxβγρφχABCDEGHIJKLMNOPRTUVWYZ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ",
        strict=True,
    )
)
"""Unicode has no capital subscripts. Small capitals replace them: kʙ, Vᴀ."""


@lru_cache(maxsize=2048)
def raised(text: str) -> str | None:
    """Write text in superscript characters, or return None if one is missing."""
    return _small(text, _SUPER)


@lru_cache(maxsize=2048)
def lowered(text: str) -> str | None:
    """Write text in subscript characters, or return None if one is missing."""
    return _small(text, _SUB)


def _small(text: str, table: Mapping[str, str]) -> str | None:
    small = [table.get(char) for char in text]
    return "".join(char for char in small if char) if small and None not in small else None


VULGAR: Final = {
    ("1", "2"): "½", ("1", "3"): "⅓", ("2", "3"): "⅔", ("1", "4"): "¼", ("3", "4"): "¾", ("1", "5"): "⅕",
    ("2", "5"): "⅖", ("3", "5"): "⅗", ("4", "5"): "⅘", ("1", "6"): "⅙", ("5", "6"): "⅚", ("1", "8"): "⅛",
    ("3", "8"): "⅜", ("5", "8"): "⅝", ("7", "8"): "⅞",
}  # fmt: skip

COMBINING: Final = {
    "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "∼": "\u0303", "¯": "\u0304", "―": "\u0304",
    "‾": "\u0304", "_": "\u0332", "̲": "\u0332", "˙": "\u0307", "¨": "\u0308", "⃛": "\u20db", "⃜": "\u20dc",
    "˘": "\u0306", "ˇ": "\u030c", "´": "\u0301", "`": "\u0300", "˚": "\u030a", "→": "\u20d7", "⟶": "\u20d7",
    "⃗": "\u20d7", "←": "\u20d6", "↔": "\u20e1", "/": "\u0338", "⧸": "\u0338", "˝": "\u030b",
}  # fmt: skip
"""Accents that have a combining character."""
