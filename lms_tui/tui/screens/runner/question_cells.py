"""The questions of the exam as cells of the palette."""

from typing import TYPE_CHECKING

from lms_tui.tui.widgets.palette import Cell, PaletteView
from lms_tui.views import runner as present
from lms_tui.views.runner import Filter

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session


class QuestionCells:
    """Owns the filter of the palette and paints the cells that changed."""

    def __init__(self, palette: PaletteView) -> None:
        self._palette = palette
        self._filter = Filter.ALL
        self._headed = False

    def paint(self, before: "Session | None", session: "Session", counts: present.Tally) -> None:
        """Paint the cells that changed, or all of them when the number of questions changed."""
        if before is None or len(before.items) != len(session.items):
            self._fill(session, counts)
            return
        pairs = zip(before.items, session.items, strict=True)
        changed = [place for place, (old, new) in enumerate(pairs) if old is not new]
        if self._filter is not Filter.ALL and any(
            self._filter.passes(before.items[place]) != self._filter.passes(session.items[place]) for place in changed
        ):
            self._fill(session, counts)
            return
        cells = [self._cell(session, place) for place in changed]
        self._palette.update_cells(cells, counts, session.current)

    def next_filter(self, session: "Session", counts: present.Tally) -> Filter:
        self._filter = self._filter.following()
        self._fill(session, counts)
        return self._filter

    def cells(self, session: "Session", chosen: Filter) -> tuple[Cell, ...]:
        """Return the cells that pass a filter."""
        self._headed = present.headed(session)
        return tuple(self._cell(session, place) for place, item in enumerate(session.items) if chosen.passes(item))

    def _fill(self, session: "Session", counts: present.Tally) -> None:
        self._palette.show(self.cells(session, self._filter), counts, session.current, self._filter)

    def _cell(self, session: "Session", place: int) -> Cell:
        item = session.items[place]
        heading = present.group_of(session, item) if self._headed else ""
        return Cell(place, item.number, present.mark_of(item), heading)
