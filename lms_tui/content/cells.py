"""Measure text in terminal cells, by grapheme cluster.

The layout, the toolkit and the terminal must count the same or a border breaks. The layout and the toolkit both use
`rich.cells`. At start-up the program replaces the table of `rich.cells` if the terminal counts differently.

Terminals differ, so `normalise` first rewrites text into characters that they count alike. Measured with cursor
reports in tmux 3.3a against rich 15:

- Variation selectors (`1` U+FE0F U+20E3, U+2600 U+FE0F) are 2 cells in rich and 1 in tmux. They are removed.
- A skin tone is 0 cells in rich and 2 in tmux. It is removed.
- Pictographs joined by U+200D are 2 cells in rich and tmux, and 2 each in xterm. The joiner is removed.
- A joiner that joins nothing is removed, because rich does not count the character after it.
- Decomposed letters are composed (NFC), which leaves fewer combining marks.
- Flags, CJK, Hangul, Hebrew points, Thai and combining accents agree and are kept.
- Spacing vowel signs of Indic scripts (category Mc, Devanagari ि, Tamil ா) are 0 cells in rich and kitty, and 1 in
  tmux, xterm and VTE. No spelling avoids this difference. `lms_tui.tui.terminal.cell_widths` asks the terminal and
  replaces the table of `rich.cells`.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final, ParamSpec, TypeVar

from rich import cells as counter

_P = ParamSpec("_P")
_R = TypeVar("_R")

_SELECTORS_AND_TONES: Final = re.compile("[\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\u00ad]")
_IDLE_JOINERS: Final = re.compile("(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\u200d|(?<!\\S)\u200d|\u200d(?![^\\W\\d_])")


_forgetting: Final[list[Callable[[], None]]] = []


def counted(maxsize: int) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Cache results that depend on cell widths until `forget_counts`."""

    def kept(function: Callable[_P, _R]) -> Callable[_P, _R]:
        cached = lru_cache(maxsize)(function)
        _forgetting.append(cached.cache_clear)
        return cached  # type: ignore[return-value] # lru_cache loses the signature

    return kept


def forget_counts() -> None:
    """Clear all cached widths, because the table of `rich.cells` has changed."""
    for forget in _forgetting:
        forget()


def width(text: str) -> int:
    """Return the cells that `text` takes. `text` has no newline and no tab."""
    return len(text) if text.isascii() else counter.cell_len(text)


def normalise(text: str) -> str:
    """Replace or remove characters whose width terminals disagree about, and remove soft hyphens."""
    if text.isascii():
        return text
    text = _SELECTORS_AND_TONES.sub("", text)
    return unicodedata.normalize("NFC", _IDLE_JOINERS.sub("", text))


@counted(maxsize=2048)
def clusters(text: str) -> tuple[tuple[str, int], ...]:
    """Split text into grapheme clusters with their cells."""
    spans, _ = counter.split_graphemes(text)
    return tuple((text[start:end], cells) for start, end, cells in spans)


def cut(text: str, cells: int) -> tuple[str, str]:
    """Split text after as many whole clusters as fit into `cells`, at least one."""
    if text.isascii():
        at = max(1, cells)
        return text[:at], text[at:]
    taken = 0
    head: list[str] = []
    for cluster, size in clusters(text):
        if head and taken + size > cells:
            break
        head.append(cluster)
        taken += size
    kept = "".join(head)
    return kept, text[len(kept) :]


def pad(text: str, cells: int) -> str:
    """Pad text with blanks on the right."""
    return text + " " * max(0, cells - width(text))
