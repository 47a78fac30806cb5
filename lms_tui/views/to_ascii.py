"""ASCII signs of one cell in place of symbols, for terminals that cannot draw symbols (pure)."""

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
    return text if text.isascii() else text.translate(_STAND_INS)
