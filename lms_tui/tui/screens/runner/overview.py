"""All questions on a full screen: the state of each, by section, to look over before the end."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar, Final, Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from lms_tui.attempt.values import Goal
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.tui.modal import KeyedModal
from lms_tui.tui.screens.runner.key_hints import Hint
from lms_tui.tui.screens.runner.parts import BottomLine
from lms_tui.tui.widgets.drawn import Drawn, Piece, cells
from lms_tui.tui.widgets.palette import LOOK, TENS, Cell, PaletteView
from lms_tui.views.rows import fitted, wrapped
from lms_tui.views.runner import Filter, Mark, Tally

END: Final = "end"
Wish = int | Literal["end"] | None
"""The index of a question to go to, `END` for the end of the exam, or None."""


@frozen
class Contents:
    """`later`: headings of sections that are not open, each with why. `counts`: the words of `tally`, and fewer.

    `shorter`: of a heading, the same with fewer words.
    """

    cells: tuple[Cell, ...]
    later: dict[str, str]
    shorter: dict[str, str]
    tally: Tally
    counts: tuple[str, str]
    title: str
    clock: str


class QuestionGrid(PaletteView):
    """The palette with more room: rows of ten or twenty, and signs for what is not sent and for notes."""

    BETWEEN = "  "
    shorter: dict[str, str]
    """Of a heading, the same with fewer words, for a narrow window."""

    def heading(self, text: str) -> str:
        return text if width(text) < self.inner_width else self.shorter.get(text, text)

    @property
    def _least(self) -> int:
        """Cells of a question: a blank, its number, three signs, a blank."""
        return self._digits + 5

    @property
    def per_row(self) -> int:
        fit = max(1, self.inner_width // self._least)
        return fit // TENS * TENS if fit >= TENS else fit

    def draw_cell(self, cell: Cell) -> list[Piece]:
        looks, glyphs = self.looks, self.glyphs
        number = f" {cell.number:>{self._digits}}"
        sign = getattr(glyphs, cell.mark.value)
        others = (glyphs.unsent if cell.unsent else " ") + (glyphs.note if cell.noted else " ")
        rest = " " * (self.pitch - self._least + 1)
        if cell.place == self._current:
            return [(f"{number}{sign}{others}", looks["current"]), (rest, looks["base"])]
        dim = cell.closed or cell.mark is Mark.UNSEEN
        look = looks["dim" if cell.closed else LOOK[cell.mark]]
        return [(number, looks["dim" if dim else "base"]), (sign, look), (f"{others}{rest}", looks["warning"])]

    def below(self, row: int) -> Sequence[Piece]:
        if row != 3:
            return super().below(row)
        glyphs, dim, marked = self.glyphs, self.looks["dim"], self.looks["warning"]
        return ((glyphs.unsent, marked), (" not sent  ", dim), (glyphs.note, marked), (" note", dim))


class _TextLine(Drawn):
    """One row: a text on the left, or `short` where it does not fit, and one on the right where there is room."""

    def __init__(self, id: str, look: str) -> None:
        super().__init__(id=id)
        self._look = look
        self._texts = ("", "", "")

    def show(self, left: str, right: str = "", short: str = "") -> None:
        if (left, right, short) != self._texts:
            self._texts = (left, right, short)
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        if y:
            return ()
        looks, width = self.looks, self.size.width
        text, beside, short = self._texts
        right = (f" {beside} ", looks["base"])
        room = width - 2 - (cells([right]) if beside else 0)
        text = short if short and fitted(text, room) != text else text
        left = (f" {fitted(text, room)}", looks[self._look])
        gap = width - cells([left, right])
        return (left, (" " * gap, looks["base"]), right) if beside and gap >= 0 else (left,)


class _Details(Drawn):
    """Two rows about a question: its state and its beginning. A longer state takes both rows."""

    def __init__(self) -> None:
        super().__init__(id="overview-details")
        self._texts = ("", "")

    def show(self, state: str, stem: str) -> None:
        if (state, stem) != self._texts:
            self._texts = (state, stem)
            self.redraw(0, 1)

    def draw(self, y: int) -> Sequence[Piece]:
        state, stem = self._texts
        room = self.size.width - 2
        first, *more = ["".join(span.text for span in row) for row in wrapped(state, max(1, room))] or [""]
        if y == 0:
            return ((f" {first}", self.looks["accent"]),)
        below, look = (" ".join(more), "accent") if more else (stem, "dim")
        return ((f" {fitted(below, room)}", self.looks[look]),)


class Overview(KeyedModal[Wish]):
    """Dismisses with a `Wish`. `read` returns what passes a filter, and `describe` two lines about a question.

    `goal`: what `END` ends.
    """

    NAME = "the overview"
    KEYS = (
        ("enter · space", "Go to the selected question"),
        ("← → ↑ ↓", "Select a question (also n, p, j and k)"),
        ("home · end", "Select the first or the last question"),
        ("pgdn · pgup", "Scroll the questions"),
        ("f", "Show all, unanswered, marked or not seen questions"),
        ("e · ctrl+e", "End the exam (shows unanswered questions first)"),
        ("esc · o", "Close the overview"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,o,q,backspace", "close", show=False),
        Binding("enter,space", "take", show=False),
        Binding("left,p", "move(-1)", show=False),
        Binding("right,n", "move(1)", show=False),
        Binding("up,k", "move_row(-1)", show=False),
        Binding("down,j", "move_row(1)", show=False),
        Binding("home", "move(-100000)", show=False),
        Binding("end", "move(100000)", show=False),
        Binding("pageup", "move_page(-1)", show=False),
        Binding("pagedown", "move_page(1)", show=False),
        Binding("f", "filter", show=False),
        Binding("e,ctrl+e", "end", show=False),
    ]

    def __init__(
        self,
        read: Callable[[Filter], Contents],
        describe: Callable[[int], tuple[str, str]],
        current: int,
        *,
        grid: QuestionGrid,
        chosen: Filter,
        goal: Goal = Goal.ATTEMPT,
    ) -> None:
        super().__init__()
        self._read = read
        self._describe = describe
        self._filter = chosen
        self._contents = read(self._filter)
        self._painted: tuple[Filter, Contents] | None = None
        self._at = current
        self._grid = grid
        self._head = _TextLine("overview-head", "title")
        self._counts = _TextLine("overview-counts", "base")
        self._details = _Details()
        end = Hint("e", "end section" if goal is Goal.SECTION else "end", press="e")
        keys = [Hint("enter", "go to", press="enter"), Hint("f", "filter", press="f"), replace(end, brief=end)]
        self._keys = BottomLine(keys, [Hint("esc", "back", press="escape"), Hint("?", "help", "app.help")])

    def compose(self) -> ComposeResult:
        with Vertical(id="overview-box"):
            yield self._head
            yield self._counts
            yield self._details
            yield self._grid
            yield self._keys

    def on_mount(self) -> None:
        self.paint()

    def paint(self) -> None:
        """Read the questions again and show them."""
        contents = self._contents = self._read(self._filter)
        self._head.show(f"Overview: {contents.title}", contents.clock)
        self._counts.show(contents.counts[0], short=contents.counts[1])
        painted = (self._filter, replace(contents, clock=""))
        if painted == self._painted:
            return  # only the clock has changed
        self._painted = painted
        if contents.cells and all(cell.place != self._at for cell in contents.cells):
            self._at = contents.cells[0].place
        self._grid.shorter = contents.shorter
        self._grid.show(contents.cells, contents.tally, self._at, self._filter, tuple(contents.later))
        self._tell()

    def _tell(self) -> None:
        """Describe the question under the cursor."""
        state, stem = self._describe(self._at) if self._contents.cells else (f"No question is {self._filter}.", "")
        self._details.show(state, stem)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_take(self) -> None:
        if any(cell.place == self._at for cell in self._contents.cells):
            self.dismiss(self._at)

    def action_end(self) -> None:
        self.dismiss(END)

    def action_move(self, steps: int) -> None:
        places = [cell.place for cell in self._contents.cells]
        if not places:
            return
        here = places.index(self._at) if self._at in places else 0
        self._at = places[max(0, min(here + steps, len(places) - 1))]
        self._grid.update_cells((), self._contents.tally, self._at)
        self._tell()

    def action_move_row(self, rows: int) -> None:
        """Move up or down in the column, also across headings and short rows."""
        steps = self._grid.steps_to_row(self._at, rows)
        self.action_move(steps)

    def action_move_page(self, pages: int) -> None:
        self.action_move(pages * self._grid.window * self._grid.per_row)

    def action_filter(self) -> None:
        self._filter = self._filter.following()
        self.paint()

    @on(PaletteView.CellClicked)
    def _take_clicked(self, message: PaletteView.CellClicked) -> None:
        self.dismiss(message.place)

    @on(PaletteView.LaterClicked)
    def _tell_why(self, message: PaletteView.LaterClicked) -> None:
        self._details.show(self._contents.later[message.text], "")

    @on(PaletteView.FilterClicked)
    def _filter_clicked(self) -> None:
        self.action_filter()

    @on(BottomLine.Clicked)
    async def _key_clicked(self, message: BottomLine.Clicked) -> None:
        if message.hint is not None and message.hint.action:
            await self.run_action(message.hint.action)
        elif message.hint is not None:
            self.app.post_message(events.Key(message.hint.press, None))
