"""Lists in columns (pure). The title column takes the room that the other columns leave."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lms_tui.common.cleaning import clean_line
from lms_tui.views.rows import Row, Span, padded, strong

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list. `cells` is its width. A list with less room than `least` leaves the column out."""

    heading: str
    cells: int
    least: int = 0
    right: bool = False


@dataclass(frozen=True, slots=True)
class Listing(Generic[Item]):
    """How a list shows its items. `title`: heading of the first column. `cells`: the texts of an item, title first."""

    title: str
    columns: tuple[Column, ...]
    cells: Callable[[Item], Sequence[str]]

    def heading(self, room: int) -> Row:
        texts = "".join("  " + padded(c.heading, c.cells, right=c.right) for _, c in self._shown(room))
        return (strong(padded(self.title, self._title_room(room)), "title"), Span(texts, "dim"))

    def line(self, item: Item, room: int) -> Row:
        title, *texts = self.cells(item)
        others = (
            Span("  " + padded(clean_line(texts[place]), column.cells, right=column.right), "dim")
            for place, column in self._shown(room)
        )
        return (Span(padded(clean_line(title), self._title_room(room))), *others)

    def _shown(self, room: int) -> list[tuple[int, Column]]:
        return [(place, column) for place, column in enumerate(self.columns) if room >= column.least]

    def _title_room(self, room: int) -> int:
        return max(4, room - sum(column.cells + 2 for _, column in self._shown(room)))
