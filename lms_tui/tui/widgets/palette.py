"""The palette: every question as a number with a sign, the counts and a filter."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.strip import Strip

from lms_tui.common.frozen import frozen
from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.pane import Pane
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import fitted
from lms_tui.views.runner import Filter, Mark, Tally

LOOK = {
    Mark.UNSEEN: "dim",
    Mark.SEEN: "base",
    Mark.ANSWERED: "good",
    Mark.MARKED: "warning",
    Mark.MARKED_ANSWERED: "warning",
}
TENS = 10
_WIDEST_CELL = 9
_LEGEND = 4
"""Rows below the cells: a blank, two of signs, one of counts."""


@frozen
class Cell:
    """A question. `unsent`, `noted` and `closed` are its answer, its note and its section."""

    place: int
    number: int
    mark: Mark
    group: str = ""
    unsent: bool = False
    noted: bool = False
    closed: bool = False


@frozen
class _Heading:
    text: str


class PaletteView(Pane):
    BETWEEN: ClassVar = " "
    """Blanks between two signs of the legend."""

    class CellClicked(Message):
        """`place` is the index of the question in the session."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    class LaterClicked(Message):
        """A heading without questions was clicked. `text`: one of `later`."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class FilterClicked(Message):
        """The key of the filter was clicked."""

    def __init__(self, *, glyphs: Glyphs = UNICODE, id: str = "palette") -> None:
        super().__init__(glyphs=glyphs, id=id)
        self._filter_key = "f"
        self._cells: dict[int, Cell] = {}
        self._groups: set[str] = set()
        self._later: tuple[str, ...] = ()
        self._digits = 1
        self._filter = Filter.ALL
        self._counts = Tally()
        self._current = -1
        self._lines: list[_Heading | tuple[int, ...]] = []
        self._line_of: dict[int, int] = {}

    # Contents.

    def show(
        self, cells: tuple[Cell, ...], counts: Tally, current: int, chosen: Filter, later: tuple[str, ...] = ()
    ) -> None:
        """Show another set of questions or another filter. `later`: headings below them."""
        self._later = later
        self._cells = {cell.place: cell for cell in cells}
        self._groups = {cell.group for cell in cells}
        self._digits = len(str(cells[-1].number)) if cells else 1
        self._counts, self._current, self._filter = counts, current, chosen
        self._arrange()
        self._follow()
        self.redraw()

    def use_key(self, key: str) -> None:
        """Name the key of the filter."""
        if key != self._filter_key:
            self._filter_key = key
            self.redraw(0)

    def update_cells(self, cells: Sequence[Cell], counts: Tally, current: int) -> None:
        """Paint the rows of the cells that changed."""
        rows: set[int] = set()
        for cell in cells:
            before = self._cells.get(cell.place, cell)
            if before != cell:
                self._cells[cell.place] = cell
                if self.draw_cell(before) != self.draw_cell(cell):
                    rows.add(self._line_of[cell.place])
        if current != self._current:
            rows |= {self._line_of.get(place, -1) for place in (self._current, current)}
            self._current = current
        changed = [line - self.top + 1 for line in rows if self.top <= line < self.top + self.window]
        told, self._counts = self._counts, counts
        if (counts.answered, counts.total, counts.marked) != (told.answered, told.total, told.marked):
            changed.append(self.window + self.legend)
        if self._follow():
            return
        if changed:
            self.redraw(*changed)

    def _line(self, number: int) -> tuple[Cell, ...]:
        line = self._lines[number]
        return () if isinstance(line, _Heading) else tuple(self._cells[place] for place in line)

    def _arrange(self) -> None:
        """Arrange the places of the cells in rows, under the names of several sections."""
        per_row = self.per_row
        named = len(self._groups) > 1 or bool(self._later)
        row: list[int] = []
        group: str | None = None
        self._lines = []
        for place, cell in self._cells.items():
            if named and cell.group != group:
                if row:
                    self._lines.append(tuple(row))
                row, group = [], cell.group
                self._lines.append(_Heading(cell.group))
            row.append(place)
            if len(row) == per_row:
                self._lines.append(tuple(row))
                row = []
        if row:
            self._lines.append(tuple(row))
        self._lines += map(_Heading, self._later)
        self._line_of = {
            place: number for number, line in enumerate(self._lines) if isinstance(line, tuple) for place in line
        }

    def _followed(self) -> int:
        """Return the first row of a window that holds the current question."""
        line, top = self._line_of.get(self._current, self.top), self.top
        if line < top:
            top = line - 1
        elif line >= top + self.window:
            top = line - self.window + 2
        return max(0, min(top, self.length - self.window))

    def _follow(self) -> bool:
        """Scroll to the current question. Return whether that scrolled."""
        return self.set_top(self._followed())

    @property
    def _least(self) -> int:
        """Least cells of a question: a blank, its number, its sign, the sign of a note or a blank."""
        return self._digits + 3

    @property
    def pitch(self) -> int:
        """Cells of one question."""
        return max(self._least, min(_WIDEST_CELL, self.inner_width // self.per_row))

    @property
    def per_row(self) -> int:
        """As many as fit. A wide palette has rows of ten, or of more tens if it is not high enough."""
        fit = max(1, self.inner_width // self._least)
        high = len(self._cells) // TENS + len(self._groups) < self._room
        return fit if fit < TENS else TENS if high else fit // TENS * TENS

    @property
    def _room(self) -> int:
        return max(1, self.drawn_size.height - 2 - self.legend)

    @property
    def window(self) -> int:
        """The rows of cells. The legend stands below them."""
        return max(1, min(self._room, self.length))

    @property
    def legend(self) -> int:
        """Rows below the cells."""
        return _LEGEND if self.drawn_size.height >= 12 else 0

    @property
    def length(self) -> int:
        return len(self._lines)

    @property
    def widest(self) -> int:
        return 0

    def fit(self) -> None:
        super().fit()
        self._arrange()
        self.top = self._followed()

    # Drawing.

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        name = "Questions" if self._filter is Filter.ALL else f"Only {self._filter}"
        return ((f" {name} ", self.looks["title"]),), ((f" {self._filter_key} filter ", self.looks["dim"]),)

    def draw_cell(self, cell: Cell) -> list[Piece]:
        looks, sign = self.looks, getattr(self.glyphs, cell.mark.value)
        number = f" {cell.number:>{self._digits}}"
        last = self.glyphs.note if cell.noted else " "
        rest = " " * (self.pitch - self._least)
        if cell.place == self._current:
            return [(f"{number}{sign}{last}", looks["current"]), (rest, looks["base"])]
        look = looks[LOOK[cell.mark]]
        return [(number, looks["dim"] if cell.mark is Mark.UNSEEN else looks["base"]), (f"{sign}{last}{rest}", look)]

    def inner_row(self, number: int) -> Sequence[Piece]:
        line = self._lines[number]
        if isinstance(line, _Heading):
            return ((fitted(f" {self.heading(line.text)}", self.inner_width), self.looks["accent"]),)
        return [piece for place in line for piece in self.draw_cell(self._cells[place])]

    def heading(self, text: str) -> str:
        """Return what is shown of a heading."""
        return text

    def strip(self, y: int) -> Strip:
        below = y - 1 - self.window
        if below < 0 or y == self.drawn_size.height - 1:
            return super().strip(y)
        return self.framed(self.below(below) if below < self.legend else (), thumb=False)

    def below(self, row: int) -> Sequence[Piece]:
        """Return a row of the legend."""
        looks, glyphs, counts = self.looks, self.glyphs, self._counts
        dim = looks["dim"]
        if row == 1:
            seen = ((glyphs.seen, looks["base"]), (f" seen{self.BETWEEN}{glyphs.unseen} not seen", dim))
            return ((glyphs.answered, looks["good"]), (f" answered{self.BETWEEN}", dim), *seen)
        if row == 2:
            both = ((glyphs.marked_answered, looks["warning"]), (" marked+answered", dim))
            return ((glyphs.marked, looks["warning"]), (" marked  ", dim), *both)
        if row == 3:
            text = f"answered {counts.answered} of {counts.total} {glyphs.dot} marked {counts.marked}"
            if len(text) > self.inner_width:
                text = f"{counts.answered}/{counts.total} answered {glyphs.dot} {counts.marked} marked"
            return ((fitted(text, self.inner_width), looks["base"]),)
        return ()

    def steps_to_row(self, place: int, rows: int) -> int:
        """Return how many questions further the same column is, so many rows up or down, past headings."""
        lines = [line for line in self._lines if isinstance(line, tuple)]
        here = next((number for number, line in enumerate(lines) if place in line), 0)
        if not lines or place not in lines[here]:
            return 0
        there = lines[max(0, min(here + rows, len(lines) - 1))]
        column = min(lines[here].index(place), len(there) - 1)
        order = list(self._cells)
        return order.index(there[column]) - order.index(place)

    # Mouse.

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            self.post_message(self.FilterClicked())
        line, column = self.top + event.y - 1, (event.x - 2) // self.pitch
        if 1 <= event.y <= self.window and line < self.length and event.x >= 2:
            self._click_at(line, column)
        event.stop()

    def _click_at(self, line: int, column: int) -> None:
        """Tell which question is there, or the first one below a heading."""
        there = self._lines[line]
        cells = self._line(line)[column:]
        if isinstance(there, _Heading):
            if there.text in self._later:
                self.post_message(self.LaterClicked(there.text))
            cells = self._line(line + 1) if line + 1 < self.length else ()
        if cells:
            self.post_message(self.CellClicked(cells[0].place))
