"""Beside the question: the palette, the note and the calculator. In a small window they cover the question."""

from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.geometry import Size

from lms_tui.tui.screens.runner.plan import LINES_FROM, PALETTE_FROM
from lms_tui.tui.widgets.drawn import Drawn
from lms_tui.tui.widgets.note_panel import NotePanel
from lms_tui.tui.widgets.palette import PaletteView

if TYPE_CHECKING:
    from lms_tui.tui.widgets.calculator import CalculatorView

_TALL: Final = 30
"""Rows from which the calculator stands below the palette. It takes its place in a lower window."""
_TALLEST: Final = 50
"""Rows from which the calculator and a note stand below the palette."""


class Aside(Drawn):
    """Its empty rows are drawn once. Textual would compose each row behind the widgets again for each paint."""

    DEFAULT_CSS = "Aside { layout: vertical; overflow: hidden hidden; }"

    def __init__(self, palette: PaletteView, note: NotePanel) -> None:
        super().__init__(id="aside")
        self._palette = palette
        self.note = note
        self._calculator: CalculatorView | None = None
        self._area = Size(0, 0)

    def compose(self) -> ComposeResult:
        yield self._palette
        yield self.note

    async def add_calculator(self, calculator: "CalculatorView") -> None:
        self._calculator = calculator
        calculator.display = False
        await self.mount(calculator, before=self.note)

    def fit_into(self, area: Size, *, resized: bool = False) -> None:
        """Show what there is room for. `area`: the size of the exam."""
        self._area = area
        if resized and self.note_covers and not self.note.writing:
            self.note.display = False  # a smaller window has room for the question alone
        calculates = self._calculator is not None and self._calculator.display
        wide = area.width >= PALETTE_FROM
        alone = calculates and (not wide or area.height < _TALL)
        covers = self.note_covers or (calculates and not wide)
        self.display = wide or covers
        self._palette.display = wide and not covers and not alone
        self.set_class(covers, "-sheet")
        self.set_class(alone, "-alone")

    def show_note(self, *, shown: bool) -> None:
        self.note.display = shown
        self.fit_into(self._area)

    def show_calculator(self, *, shown: bool) -> None:
        if self._calculator is not None:
            self._calculator.display = shown
            if shown and not self.roomy:
                self.note.display = False
            self.fit_into(self._area)

    @property
    def roomy(self) -> bool:
        """Whether the calculator and a note have room below the palette."""
        return self._area.width >= PALETTE_FROM and self._area.height >= _TALLEST

    @property
    def note_covers(self) -> bool:
        """Whether the note lies over the question."""
        return self.note.display and (self._area.width < PALETTE_FROM or self._area.height < LINES_FROM)
