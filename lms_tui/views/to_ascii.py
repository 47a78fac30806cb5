"""ASCII signs of one cell in place of symbols, for terminals that cannot draw symbols (pure)."""

import re
from typing import Final

_PRODUCT: Final = re.compile(r"(?<=[0-9])·(?=[0-9])")
"""A dot between digits, where a full stop would make a decimal number."""
_STAND_INS: Final = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "●": "*",
        "○": "o",
        "◷": "@",
        "◆": "?",
        "▶": ">",
        "▸": ">",
        "▾": "v",
        "▲": "^",
        "▼": "v",
        "◐": "~",
        "◂": "<",
        "…": "~",
        "·": ".",  # in a product, a minus would be another sum
        "–": "-",
        "−": "-",
        "“": '"',
        "”": '"',
        "•": "*",
        "█": "#",
        "▓": "x",
        "▒": "=",
        "░": ".",
        "─": "-",
        "│": "|",
        "├": "|",
        "┤": "|",
        "←": "<",
        "→": ">",
        "↑": "^",
        "↓": "v",
        **dict.fromkeys("╭╮╯╰┌┐└┘┬┴┼", "+"),
        **dict.fromkeys("━▔▀", "-"),
        **dict.fromkeys("┃▐▕", "|"),
        **dict.fromkeys("▏▎▍", "-"),
        **dict.fromkeys("▌▋▊▉", "="),
        **dict.fromkeys("▁▂", "_"),
        **dict.fromkeys("▃▄▅", "="),
        **dict.fromkeys("▆▇", "%"),
    }
)


def to_ascii(text: str) -> str:
    """Replace the symbols of this program. Letters of any script are kept."""
    return text if text.isascii() else _PRODUCT.sub("*", text).translate(_STAND_INS)
