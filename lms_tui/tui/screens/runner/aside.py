"""Beside the question: the palette, and the note below it. In a small window the note covers the question."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size

from lms_tui.tui.screens.runner.plan import LINES_FROM, PALETTE_FROM
from lms_tui.tui.widgets.note_panel import NotePanel
from lms_tui.tui.widgets.palette import PaletteView


class Aside(Vertical):
    def __init__(self, palette: PaletteView, note: NotePanel) -> None:
        super().__init__(id="aside")
        self._palette = palette
        self.note = note
        self._area = Size(0, 0)

    def compose(self) -> ComposeResult:
        yield self._palette
        yield self.note

    def fit_into(self, area: Size, *, resized: bool = False) -> None:
        """Show what there is room for. `area`: the size of the exam."""
        self._area = area
        if resized and self.note_covers and not self.note.writing:
            self.note.display = False  # a smaller window has room for the question alone
        wide, covers = area.width >= PALETTE_FROM, self.note_covers
        self.display = wide or covers
        self._palette.display = wide and not covers
        self.set_class(covers, "-sheet")

    def show_note(self, *, shown: bool) -> None:
        self.note.display = shown
        self.fit_into(self._area)

    @property
    def note_covers(self) -> bool:
        """Whether the note lies over the question."""
        return self.note.display and (self._area.width < PALETTE_FROM or self._area.height < LINES_FROM)
