"""All questions in a dialog, for a window that has no room for the palette."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from lms_tui.tui.widgets.palette import Cell, PaletteView
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.runner import Filter, Tally


class Overview(ModalScreen[int | None]):
    """Dismisses with the index of a question, or None. `read` returns the cells that pass a filter, and the counts."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,o,q,backspace", "close", show=False),
        Binding("enter,space", "take", show=False),
        Binding("left,p", "move(-1)", show=False),
        Binding("right,n", "move(1)", show=False),
        Binding("up,k", "move_row(-1)", show=False),
        Binding("down,j", "move_row(1)", show=False),
        Binding("f", "filter", show=False),
    ]

    def __init__(
        self, read: Callable[[Filter], tuple[tuple[Cell, ...], Tally]], current: int, *, glyphs: Glyphs
    ) -> None:
        super().__init__()
        self._read = read
        self._filter = Filter.ALL
        self._cells, self._counts = read(self._filter)
        self._at = current
        self._palette = PaletteView(glyphs=glyphs, id="overview")

    def compose(self) -> ComposeResult:
        yield self._palette

    def on_mount(self) -> None:
        self.paint()

    def paint(self) -> None:
        """Read the questions again and show them."""
        self._cells, self._counts = self._read(self._filter)
        if self._cells and all(cell.place != self._at for cell in self._cells):
            self._at = self._cells[0].place
        self._palette.show(self._cells, self._counts, self._at, self._filter)

    def action_close(self) -> None:
        self.dismiss(None)

    def action_take(self) -> None:
        self.dismiss(self._at if any(cell.place == self._at for cell in self._cells) else None)

    def action_move(self, steps: int) -> None:
        places = [cell.place for cell in self._cells]
        if not places:
            return
        here = places.index(self._at) if self._at in places else 0
        self._at = places[max(0, min(here + steps, len(places) - 1))]
        self._palette.update_cells((), self._counts, self._at)

    def action_move_row(self, rows: int) -> None:
        self.action_move(rows * self._palette.per_row)

    def action_filter(self) -> None:
        self._filter = self._filter.following()
        self.paint()

    def on_click(self) -> None:
        """Close after a click beside the questions."""
        self.action_close()

    @on(PaletteView.CellClicked)
    def _take_clicked(self, message: PaletteView.CellClicked) -> None:
        self.dismiss(message.place)
