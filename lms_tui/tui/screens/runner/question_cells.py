"""The questions of the exam as cells of the palette."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lms_tui.tui.widgets.palette import Cell, PaletteView
from lms_tui.views import overview
from lms_tui.views import runner as present
from lms_tui.views.runner import Filter

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session


class QuestionCells:
    """Owns the filter of the palette and paints the cells that changed. `noted` tells which question has a note."""

    def __init__(self, palette: PaletteView, noted: Callable[[int], bool]) -> None:
        self._palette = palette
        self.noted = noted
        self.chosen = Filter.ALL
        self._headed = False

    def paint(self, before: "Session | None", session: "Session", counts: present.Tally) -> None:
        """Paint the cells that changed, or all of them when the number of questions changed."""
        if before is None or len(before.items) != len(session.items):
            self._fill(session, counts)
            return
        pairs = zip(before.items, session.items, strict=True)
        changed = [place for place, (old, new) in enumerate(pairs) if old is not new]
        if self.chosen is not Filter.ALL and any(
            self.chosen.passes(before.items[place]) != self.chosen.passes(session.items[place]) for place in changed
        ):
            self._fill(session, counts)
            return
        cells = [self._cell(session, place) for place in changed]
        self._palette.update_cells(cells, counts, session.current)

    def note_changed(self, session: "Session", counts: present.Tally, place: int) -> None:
        """Paint the cell of a question whose note was begun or removed."""
        self._palette.update_cells([self._cell(session, place)], counts, session.current)

    def next_filter(self, session: "Session", counts: present.Tally) -> Filter:
        self.chosen = self.chosen.following()
        self._fill(session, counts)
        return self.chosen

    def cells(self, session: "Session", chosen: Filter) -> tuple[Cell, ...]:
        """Return the cells that pass a filter."""
        self._headed = present.headed(session)
        return tuple(self._cell(session, place) for place, item in enumerate(session.items) if chosen.passes(item))

    def _fill(self, session: "Session", counts: present.Tally) -> None:
        self._palette.show(self.cells(session, self.chosen), counts, session.current, self.chosen)

    def _cell(self, session: "Session", place: int) -> Cell:
        item = session.items[place]
        heading = present.group_of(session, item) if self._headed else ""
        return Cell(
            place,
            item.number,
            present.mark_of(item),
            heading,
            unsent=overview.waits(item),
            noted=self.noted(item.question_id),
            closed=bool(overview.ended(session, item)),
        )
