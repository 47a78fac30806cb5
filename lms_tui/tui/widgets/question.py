"""The question on the screen, with its options: rows drawn once for each look they can have, and kept."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from textual import events
from textual.message import Message
from textual.strip import Strip

from lms_tui.common.frozen import frozen
from lms_tui.content.lines import Line, Mark
from lms_tui.tui.widgets.drawn import Piece, cells
from lms_tui.tui.widgets.marked_pane import MarkedPane
from lms_tui.tui.widgets.pane import FRAME, sideways
from lms_tui.views.format import LETTERS
from lms_tui.views.gaps import gap_at
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.question_layout import (
    BLANK,
    PREFIX,
    RIGHT_PREFIX,
    LayoutRow,
    QuestionLayout,
    match_prefix,
    prefix,
    right_prefix,
)
from lms_tui.wire.question_types import QuestionType

_RIGHT = 3
"""The right mouse button."""
_NOTHING = QuestionLayout(-1, (), (), 0)
_OF_ALL_ROWS = attrgetter("closed", "matched", "cursor_choice")
_OF_TOP_BORDER = attrgetter("title", "marked", "noted", "marks")
_OF_LOWER_BORDER = attrgetter("chosen", "note")
"""The parts of a `QuestionState` that change all rows, the upper border and the lower border."""


@frozen
class QuestionState:
    """The parts of a question that change on the screen.

    `chosen` and `struck` are indices of options. `matched` holds the index of the right side of each row. It is below
    zero for a row without one.
    """

    chosen: frozenset[int] = frozenset()
    struck: frozenset[int] = frozenset()
    cursor: int = -1
    closed: bool = False
    title: str = ""
    marked: bool = False
    noted: bool = False
    marks: str = ""
    note: str = ""
    matched: tuple[int, ...] = ()

    @property
    def cursor_choice(self) -> int:
        """The index of the right side of the highlighted row."""
        return self.matched[self.cursor] if 0 <= self.cursor < len(self.matched) else -1


class QuestionView(MarkedPane):
    class OptionClicked(Message):
        """`option`: its index."""

        def __init__(self, option: int) -> None:
            super().__init__()
            self.option = option

    class OptionCrossed(Message):
        """The right mouse button was pressed on an option. `option`: its index."""

        def __init__(self, option: int) -> None:
            super().__init__()
            self.option = option

    class GapClicked(Message):
        """A gap in the text was clicked. `number` is its number in the question."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class PassageClicked(Message):
        """The row that stands for hidden rows of the passage was clicked."""

    class RightClicked(Message):
        """`choice` is the index of a right side."""

        def __init__(self, choice: int) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self, *, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs=glyphs, id="question")
        self._laid_out = _NOTHING
        self._state = QuestionState()

    @property
    def laid_out(self) -> QuestionLayout:
        return self._laid_out

    @property
    def length(self) -> int:
        return len(self._laid_out.rows)

    @property
    def widest(self) -> int:
        return self._laid_out.widest

    def fit(self) -> None:
        """Keep the scroll position. The owner passes a new layout when the width changes."""
        super().fit()
        self.top = max(0, min(self.top, self.length - self.window))

    def show(self, layout: QuestionLayout, state: QuestionState, *, top: int = 0) -> None:
        """Show another question, or the same one in a new layout."""
        self._laid_out, self._state = layout, state
        self.top = max(0, min(top, self.length - self.window))
        self.aside = 0
        self.redraw_changed()

    def update_state(self, state: QuestionState) -> None:
        """Paint the rows and borders that changed."""
        before, self._state = self._state, state
        if before == state:
            return
        if _OF_ALL_ROWS(before) != _OF_ALL_ROWS(state):
            self.redraw()
            return
        changed = (before.chosen ^ state.chosen) | (before.struck ^ state.struck)
        if before.cursor != state.cursor:
            changed |= {before.cursor, state.cursor}
        rows = [row for option in changed for row in self._rows_of(option)]
        if _OF_TOP_BORDER(before) != _OF_TOP_BORDER(state):
            rows.append(0)
        if _OF_LOWER_BORDER(before) != _OF_LOWER_BORDER(state):
            rows.append(self.size.height - 1)
        if rows:
            self.redraw(*rows)

    def _rows_of(self, option: int) -> list[int]:
        if not 0 <= option < len(self._laid_out.options):
            return []
        return [
            row - self.top + 1 for row in self._laid_out.options[option] if self.top <= row < self.top + self.window
        ]

    def reveal(self, option: int) -> None:
        """Scroll as little as needed to have the option in the window."""
        if not 0 <= option < len(self._laid_out.options):
            return
        rows = self._laid_out.options[option]
        if rows.start < self.top:
            self.set_top(rows.start)
        elif rows.stop > self.top + self.window:
            self.set_top(min(rows.stop - self.window, rows.start))

    # Drawing.

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        looks, state = self.looks, self._state
        title: Piece = (f" {state.title} ", looks["title"])
        signs = [(self.glyphs.marked, "marked", looks["warning"])] if state.marked else []
        if state.noted:
            signs.append((self.glyphs.note, "note", looks["accent"]))
        left = [title, *((f"{sign} {word} ", look) for sign, word, look in signs)]
        if signs and cells(left) > self.size.width - 4:
            # The end of a long title is cut. The signs stand before it, without their words.
            left = [*((f" {sign}", look) for sign, _, look in signs), title]
        return left, self._marks(self.size.width - 4 - cells(left))

    def _marks(self, room: int) -> Sequence[Piece]:
        """Return the marks where they fit into the border. The blank before them ends the title too."""
        marks = f" {self._state.marks} "
        if not self._state.marks or len(marks) - 1 > room:
            return ()
        return ((marks[-room:], self.looks["dim"]),)

    def feet(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        state = self._state
        if state.note:
            return ((f" {state.note} ", self.looks["warning"]),), self.more()
        if not state.chosen:
            return (), self.more()
        chosen = sorted(state.chosen)
        text = " ".join(LETTERS[option] for option in chosen if option < len(LETTERS))
        if len(chosen) == 1 and not self._visible(chosen[0]):
            text += f": {self._label(chosen[0])}"
        return ((f" chosen {text} ", self.looks["good"]),), self.more()

    def _visible(self, option: int) -> bool:
        rows = self._laid_out.options[option] if option < len(self._laid_out.options) else range(0)
        return self.top <= rows.start and rows.stop <= self.top + self.window

    def _label(self, option: int) -> str:
        """The row of an option that says most, for a window that does not reach it."""
        rows = self._laid_out.rows
        texts = (rows[row].line.text.strip() for row in self._laid_out.options[option] if rows[row].labelled)
        return next(texts, "")

    def row_strip(self, number: int, *, thumb: bool) -> Strip:
        if self.spans:
            return self._drawn(number, thumb=thumb)
        where = (self.drawn_size.width, self.generation, thumb)
        if number >= self.length:
            key: object = where
        else:
            row = self._laid_out.rows[number]
            key = (where, number, self.aside, self._look_of(row.option), self._match_look(row))
        kept = self._laid_out.drawn.get(key)
        if not isinstance(kept, Strip):
            kept = self._laid_out.drawn[key] = self._drawn(number, thumb=thumb)
        return kept

    def _look_of(self, option: int) -> tuple[bool, ...]:
        state = self._state
        if option < 0:
            return ()
        return (
            option in state.chosen,
            option in state.struck,
            option == state.cursor and not state.closed,
            state.closed,
        )

    def _drawn(self, number: int, *, thumb: bool) -> Strip:
        option = self._laid_out.rows[number].option if number < self.length else -1
        base = "base" if self._laid_out.kind == QuestionType.MATCH else self._base(option)
        return self.framed(self.inner_row(number) if number < self.length else (), thumb=thumb, base=base)

    def _base(self, option: int) -> str:
        if option < 0:
            return "base"
        chosen, struck, cursor, _ = self._look_of(option)
        if chosen:
            return "chosen"
        if cursor:
            return "cursor"
        return "dim" if struck else "base"

    def _match_look(self, row: LayoutRow) -> tuple[int, ...]:
        """The values that the look of a matching row depends on."""
        matched = self._state.matched
        if not matched:
            return ()
        of_left = matched[row.option] if 0 <= row.option < len(matched) else -1
        return (
            of_left,
            matched.count(row.choice) if row.choice >= 0 else 0,
            self._state.cursor_choice == row.choice,
        )

    def inner_row(self, number: int) -> Sequence[Piece]:
        row, width = self._laid_out.rows[number], self.inner_width
        if self._laid_out.kind == QuestionType.MATCH and (row.option >= 0 or row.right is not None):
            return self._match_row(row, width)
        if row.option < 0:
            return self.text_row(row.line, width)
        chosen, struck, cursor, _ = self._look_of(row.option)
        base = self._base(row.option)
        head = " " * PREFIX
        if row.labelled:
            head = prefix(
                row.option, kind=self._laid_out.kind, chosen=chosen, struck=struck, cursor=cursor, glyphs=self.glyphs
            )
        runs = row.line.runs
        if struck and not chosen:
            runs = tuple(replace(run, marks=run.marks | Mark.STRIKE) for run in runs)
        skipped = min(self.aside, max(0, (row.line.span or row.line.width) - (width - PREFIX)))
        text = sideways(self.paint_runs(runs, base), skipped, width - PREFIX)
        return [(head, self.looks[base]), *text]

    def _match_row(self, row: LayoutRow, width: int) -> list[Piece]:
        """A left side with the letter put beside it, and beside it a row of what is offered."""
        split = self._laid_out.split or (width if row.option >= 0 else 0)
        left = self._left_side(row, split) if row.option >= 0 else []
        if row.right is None:
            return left
        looks = self.looks
        gap: list[Piece] = []
        if self._laid_out.split:
            gap = [(" " * max(0, split - cells(left)), looks["base"]), (" │ ", looks["border"])]
        used = row.choice in self._state.matched
        base = "accent" if self._state.cursor_choice == row.choice else "dim" if used else "base"
        head = right_prefix(row.choice, used=used, glyphs=self.glyphs) if row.lettered else " " * RIGHT_PREFIX
        room = width - cells([*left, *gap]) - RIGHT_PREFIX
        return [*left, *gap, (head, looks["title" if base == "base" else base]), *self._cut(row.right, base, room)]

    def _left_side(self, row: LayoutRow, width: int) -> list[Piece]:
        cursor = self._look_of(row.option)[2]
        base = "cursor" if cursor else "base"
        head = " " * PREFIX
        if row.labelled:
            matched = self._state.matched[row.option] if row.option < len(self._state.matched) else -1
            letter = "" if matched == -1 else LETTERS[matched] if 0 <= matched < len(LETTERS) else "?"
            head = match_prefix(row.option, letter, cursor=cursor, glyphs=self.glyphs)
        pieces = [(head, self.looks["good" if head.strip(" []") and "[ ]" not in head and not cursor else base])]
        pieces += self._cut(row.line, base, max(1, width - PREFIX))
        return [*pieces, (" " * max(0, width - cells(pieces)), self.looks[base])]

    def _cut(self, line: Line, base: str, room: int) -> list[Piece]:
        skipped = min(self.aside, max(0, (line.span or line.width) - room))
        return sideways(self.paint_runs(line.runs, base), skipped, max(1, room))

    def prime(self, layout: QuestionLayout, state: QuestionState) -> None:
        """Draw the first rows of a layout ahead of time."""
        kept = self._laid_out, self._state, self.top, self.aside
        self._laid_out, self._state, self.top, self.aside = layout, state, 0, 0
        console = self.app.console
        for y in range(1, self.drawn_size.height - 1):
            self.strip(y).render(console)
        self._laid_out, self._state, self.top, self.aside = kept

    def text_line(self, number: int) -> Line:
        row = self._laid_out.rows[number]
        return row.line if row.option < 0 and row.right is None else BLANK

    # Mouse.

    def on_click(self, event: events.Click) -> None:
        if self.dragged:
            event.stop()
            return
        row = self._row_at(event)
        if row is None:
            return
        if row.choice >= 0 and event.x >= self._laid_out.split + FRAME // 2:
            self.post_message(self.RightClicked(row.choice))
            event.stop()
        elif row.option >= 0:
            self.post_message(self.OptionClicked(row.option))
            event.stop()
        elif row.unfolds:
            self.post_message(self.PassageClicked())
        elif self._laid_out.kind == QuestionType.GAPS:
            lines = [each.line for each in self._laid_out.rows]
            column = event.x - FRAME // 2 + self._skipped(row.line)
            if number := gap_at(lines, self.top + event.y - 1, column):
                self.post_message(self.GapClicked(number))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        row = self._row_at(event) if event.button == _RIGHT else None
        if row is not None and row.option >= 0:
            self.post_message(self.OptionCrossed(row.option))

    def _row_at(self, event: events.MouseEvent) -> LayoutRow | None:
        """Return the row of the text at the mouse."""
        number = self.top + event.y - 1
        inside = 1 <= event.y < self.size.height - 1 and event.x < self.size.width - FRAME // 2
        return self._laid_out.rows[number] if inside and number < self.length else None
