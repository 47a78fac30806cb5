"""How many cells a text takes, counted by grapheme cluster, as the screen that draws it counts them.

Three counters have to agree or a border breaks: the layout here, the toolkit that draws (it pads and crops by
`rich.cells.cell_len`) and the terminal. The first two are made one: this module asks `rich.cells` and nothing else, so
a table that is replaced there (a start-up calibration for a terminal that counts otherwise) is followed here.

The third cannot be chosen, so what is drawn is settled first into what terminals agree on (`normalise`). Measured with
cursor reports in tmux 3.3a against rich 15:

- variation selectors (`1` U+FE0F U+20E3, U+2600 U+FE0F) are 2 cells in rich and 1 in tmux: the selector goes;
- a skin tone is 0 cells in rich and 2 in tmux: it goes, the figure stays;
- pictographs joined by U+200D are 2 in rich and tmux and 2 each in xterm: the joiner goes, the figures stand side by
  side, and all three count the same;
- a joiner that joins nothing goes: rich leaves the character after it uncounted, a blank too;
- decomposed letters are composed (NFC), which leaves fewer combining marks to disagree about;
- flags, CJK, Hangul, Hebrew points, Thai and combining accents agree and are left alone;
- vowel signs that take space in Indic scripts (category Mc, Devanagari ि, Tamil ா) are 0 cells in rich and kitty and 1
  in tmux, xterm and VTE. No text can be written that both count alike, so a line's width is what rich says, and the
  screen asks the terminal and replaces the table of `rich.cells` (`lms_tui.tui.terminal.cell_widths`).
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
    """Keep results that depend on how many cells a text takes, until `forget_counts`."""

    def kept(function: Callable[_P, _R]) -> Callable[_P, _R]:
        cached = lru_cache(maxsize)(function)
        _forgetting.append(cached.cache_clear)
        return cached  # type: ignore[return-value] # lru_cache does not tell the signature

    return kept


def forget_counts() -> None:
    """Forget what was measured, because `rich.cells` counts otherwise from now on."""
    for forget in _forgetting:
        forget()


def width(text: str) -> int:
    """Cells that `text` takes; it holds no newline and no tab."""
    return len(text) if text.isascii() else counter.cell_len(text)


def normalise(text: str) -> str:
    """Rewrite what terminals count differently into what they count alike; soft hyphens go too."""
    if text.isascii():
        return text
    text = _SELECTORS_AND_TONES.sub("", text)
    return unicodedata.normalize("NFC", _IDLE_JOINERS.sub("", text))


@counted(maxsize=2048)
def clusters(text: str) -> tuple[tuple[str, int], ...]:
    """Split text into clusters that must not be torn apart, each with its cells."""
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
    """Fill text with blanks on the right."""
    return text + " " * max(0, cells - width(text))
