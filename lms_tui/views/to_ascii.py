"""Rows for terminals that draw no symbols: every sign has a stand-in of one cell, so that nothing moves (pure)."""

from typing import Final

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
        "·": "-",
        "–": "-",
        "−": "-",
        "“": '"',
        "”": '"',
        "•": "*",
        "█": "#",
        "▓": "x",
        "░": ".",
        "─": "-",
        "│": "|",
        "├": "|",
        "┤": "|",
        "←": "<",
        "→": ">",
        "↑": "^",
        "↓": "v",
        **dict.fromkeys("▏▎▍", "-"),
        **dict.fromkeys("▌▋▊▉", "="),
        **dict.fromkeys("▁▂", "_"),
        **dict.fromkeys("▃▄▅", "="),
        **dict.fromkeys("▆▇", "%"),
    }
)


def to_ascii(text: str) -> str:
    """The signs of this program as ASCII; letters of any script stay as they are."""
    return text if text.isascii() else text.translate(_STAND_INS)
