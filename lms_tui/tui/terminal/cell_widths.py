"""Count cells as the terminal does. After the first paint it is asked for the width of a few short texts.

Terminals differ from rich and from each other in the cells of these characters:

- spacing vowel signs of Indic scripts: 0 in rich and kitty, 1 in tmux, xterm and VTE
- a variation selector: wider in rich, not in tmux
- a skin tone: 0 or 2
- emoji newer than the terminal: 2 or 0
- pictographs joined by U+200D: one figure or several
- consonants joined by a virama: one cluster or two

Where the counts differ, a border to the right of the text breaks. The widths of `rich.cells`, which Textual and the
layout of content use, are therefore replaced by the terminal's.

A terminal that does not answer keeps the counts of `rich.cells`. The same write tells terminals that reorder
right-to-left text themselves (VTE, mintty, Konsole) that it arrives reordered.
"""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich import cells
from rich._unicode_data import load
from textual.widget import Widget

from lms_tui.common.frozen import frozen
from lms_tui.tui.terminal.escapes import write_escape

if TYPE_CHECKING:
    from textual.app import App
    from textual.events import CursorPosition

_MARKS: Final = (
    ("क\u093f", 0x0900), ("ক\u09bf", 0x0980), ("ਕ\u0a3f", 0x0A00), ("ક\u0abf", 0x0A80), ("କ\u0b3e", 0x0B00),
    ("க\u0bbe", 0x0B80), ("క\u0c41", 0x0C00), ("ಕ\u0cc1", 0x0C80), ("ക\u0d3e", 0x0D00), ("ක\u0dcf", 0x0D80),
)  # fmt: skip
"""A consonant with a spacing mark for each script, and where the 128 characters of its block begin."""
_OTHER_MARKS: Final = "က\u102c"
_CONJUNCT: Final = "क\u094dष"
_SELECTOR: Final = "\u2600\ufe0f"
_TONE: Final = "\U0001f44d\U0001f3fd"
_JOINED: Final = "\U0001f468\u200d\U0001f469"
_YOUNG: Final = (("\U0001f972", "12.1.0"), ("\U0001fae0", "13.0.0"), ("\U0001fae8", "14.0.0"), ("\U0001fae9", "15.1.0"))
"""An emoji of each Unicode version, and the version before it."""
PROBES: Final = (
    *(text for text, _ in _MARKS), _OTHER_MARKS, _CONJUNCT, _SELECTOR, _TONE, _JOINED, *(text for text, _ in _YOUNG),
)  # fmt: skip
"""Texts whose cells the terminal is asked for, each at most 6 cells wherever it is drawn."""
_LEAST_COLUMNS: Final = 8
_TONES: Final = range(0x1F3FB, 0x1F400)
_PICTOGRAPHS: Final = range(0x1F000, 0x1FC00)
_VIRAMAS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
_EXPLICIT_DIRECTION: Final = "\x1b[8l"
_IMPLICIT_DIRECTION: Final = "\x1b[8h"
_JOINER: Final = "\u200d"
_NON_JOINER: Final = "\u200c"


@frozen
class Counts:
    """Where a terminal differs from `rich.cells`. `sizes`: cells of single characters."""

    sizes: tuple[tuple[str, int], ...] = ()
    selectors_widen: bool = True
    joiners_join: bool = True
    conjuncts_join: bool = False


def counts_of(columns: Sequence[int]) -> Counts:
    """Turn the cells that the terminal took for each of PROBES into counts."""
    taken = dict(zip(PROBES, columns, strict=True))
    sizes: dict[str, int] = {}
    for char, block in _spacing_marks():
        probe = next((text for text, start in _MARKS if start == block), _OTHER_MARKS)
        if (size := taken[probe] - 1) in {0, 1}:
            sizes[char] = size
    if (tone := taken[_TONE] - 2) in {0, 2}:
        sizes.update((chr(code), tone) for code in _TONES)
    for text, before in _YOUNG:
        if taken[text] in {0, 1}:
            sizes.update((char, taken[text]) for char in _younger_than(before))
            break
    return Counts(
        tuple(sizes.items()),
        selectors_widen=taken[_SELECTOR] == 2,
        joiners_join=taken[_JOINED] == 2,
        conjuncts_join=taken[_CONJUNCT] == 1,
    )


@lru_cache(maxsize=1)
def _spacing_marks() -> tuple[tuple[str, int], ...]:
    """Every mark of category Mc that rich counts as nothing, with the start of its block of 128."""
    found: list[tuple[str, int]] = []
    for start, end, size in load("latest").widths:
        if size == 0 and 0x0900 <= start < 0xE0000:
            chars = (chr(code) for code in range(start, end + 1))
            found.extend((char, ord(char) & ~0x7F) for char in chars if unicodedata.category(char) == "Mc")
    return tuple(found)


def _younger_than(version: str) -> list[str]:
    """Pictographs that are two cells now and were not known to a version of Unicode."""
    old = set(_wide(load(version).widths))
    return [chr(code) for code in _wide(load("latest").widths) if code not in old]


def _wide(widths: Sequence[tuple[int, int, int]]) -> Iterable[int]:
    for start, end, size in widths:
        if size == 2 and end in _PICTOGRAPHS:
            yield from range(start, end + 1)


def count_like(counts: Counts) -> None:
    """Make `rich.cells`, and with it Textual and the layout of content, count like this for the rest of the process."""
    plain = load("latest")
    table = cells.CellTable(
        plain.unicode_version,
        _overridden(plain.widths, dict(counts.sizes)),
        plain.narrow_to_wide if counts.selectors_widen else frozenset(),
    )
    _install(lambda version="auto": table if version == "auto" else load(version), _splitter(counts))


def count_as_before() -> None:
    """Take `count_like` back."""
    _install(load, _SPLIT)


def _install(table: Callable[..., cells.CellTable], split: "_Split") -> None:
    """Replace the functions behind every count of `rich.cells`, also for modules that imported them earlier."""

    def total(text: str, version: str) -> int:
        return split(text, version)[1]

    measure = _CELL_LEN if split is _SPLIT else total
    vars(cells).update(load_cell_table=table, split_graphemes=split, _cell_len=measure)
    cells.get_character_cell_size.cache_clear()
    cells.cached_cell_len.cache_clear()
    from lms_tui.content.cells import forget_counts  # noqa: PLC0415 - the first paint does without content

    forget_counts()


_SPLIT: Final = cells.split_graphemes
_CELL_LEN: Final = cells._cell_len  # noqa: SLF001 - see count_like
_Split = Callable[..., tuple[list[tuple[int, int, int]], int]]


def _overridden(widths: Sequence[tuple[int, int, int]], sizes: dict[str, int]) -> list[tuple[int, int, int]]:
    """Return the table of widths with other sizes for some characters. A character outside it is one cell."""
    rows: list[tuple[int, int, int]] = []
    replaced = sorted(map(ord, sizes))
    at = 0
    for start, end, size in widths:
        while at < len(replaced) and replaced[at] < start:
            at += 1
        while at < len(replaced) and replaced[at] <= end:
            if start < replaced[at]:
                rows.append((start, replaced[at] - 1, size))
            start = replaced[at] + 1  # noqa: PLW2901 - the rest of the range
            at += 1
        if start <= end:
            rows.append((start, end, size))
    rows.extend((code, code, sizes[chr(code)]) for code in replaced if sizes[chr(code)] != 1)
    return sorted(rows)


def _splitter(counts: Counts) -> _Split:
    def split(text: str, unicode_version: str = "auto") -> tuple[list[tuple[int, int, int]], int]:
        if not counts.joiners_join:
            text = text.replace(_JOINER, _NON_JOINER)
        spans, total = _SPLIT(text, unicode_version)
        if not counts.conjuncts_join or _VIRAMAS.isdisjoint(text):
            return spans, total
        joined: list[tuple[int, int, int]] = []
        for start, end, size in spans:
            before = text[joined[-1][0] : start].rstrip(_JOINER) if joined else ""
            if before[-1:] in _VIRAMAS and unicodedata.category(text[start]) == "Lo":
                joined[-1] = (joined[-1][0], end, joined[-1][2])
            else:
                joined.append((start, end, size))
        return joined, sum(size for _, _, size in joined)

    return split


class CellProbe:
    """Asks the terminal of an app, once, and lays the app out again where it counts otherwise."""

    def __init__(self, app: "App[None]") -> None:
        self._app = app
        self._row = -1
        self._columns: list[int] = []

    def ask(self) -> None:
        """Draw the probes over the last row, ask after each where the cursor is, and draw the row again: one write."""
        app, size = self._app, self._app.size
        # A report for the first row could be taken for the key F3.
        if app.is_headless or app.is_web or size.height < 2 or size.width < _LEAST_COLUMNS:
            return
        self._row = size.height - 1
        place = f"\x1b[{size.height};1H"
        strips = app.screen._compositor.render_strips()  # noqa: SLF001 - the row on the terminal
        under = strips[self._row].render(app.console) if self._row < len(strips) else ""
        questions = "".join(f"{place}{text}\x1b[6n" for text in PROBES)
        drawn = f"\x1b[0;8m{_EXPLICIT_DIRECTION}{questions}\x1b[0m{place}{under}"
        write_escape(app, f"\x1b[?2026h\x1b7{drawn}\x1b8\x1b[?2026l")

    def hear(self, event: "CursorPosition") -> None:
        """Take one cursor report. The last one replaces the widths."""
        if event.y != self._row or len(self._columns) == len(PROBES):
            return
        self._columns.append(event.x)
        if len(self._columns) < len(PROBES):
            return
        if self._columns == [cells.cell_len(text) for text in PROBES]:
            return
        count_like(counts_of(self._columns))
        self._lay_out()

    def _lay_out(self) -> None:
        """Tell what is on the screens as if the window had changed."""
        for screen in self._app.screen_stack:
            for widget in screen.walk_children(Widget):
                for name in ("fit", "on_resize"):
                    if widget.size.width and (lay_out := getattr(widget, name, None)) is not None:
                        lay_out()
            screen.refresh(layout=True)

    def release(self) -> None:
        """Let the terminal reorder right-to-left text again."""
        if self._row >= 0:
            write_escape(self._app, _IMPLICIT_DIRECTION)
