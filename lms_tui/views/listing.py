"""Lists in columns (pure). The title column takes the room that the other columns leave."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.views.rows import Row, Span, fitted, padded, strong

Item = TypeVar("Item")


@frozen
class Column:
    """A column of a list. `cells`: its largest width. A list with less room than `least` leaves the column out."""

    heading: str
    cells: int
    least: int = 0
    right: bool = False


@frozen
class Order:
    """The order of a list. `place`: of the column, 0 for the title, -1 for the order of the server."""

    place: int = -1
    largest_first: bool = False

    def sign(self, place: int) -> str:
        if place != self.place:
            return ""
        return " ↓" if self.largest_first else " ↑"


GIVEN: Final = Order()


@frozen
class Listing(Generic[Item]):
    """How a list shows its items. `title`: heading of the first column. `cells`: the texts of an item, title first.

    `values`: what an item is sorted by in each column, title first, or None. Numbers begin with the largest.
    `look`: the look of the title of an item.
    """

    title: str
    columns: tuple[Column, ...]
    cells: Callable[[Item], Sequence[str]]
    values: tuple[Callable[[Item], Any], ...] = ()
    order: Order = GIVEN
    look: Callable[[Item], str] = lambda _: "base"

    def needed(self, items: Iterable[Item]) -> tuple[Column, ...]:
        """Return the columns that have content, as wide as it needs. The others are left out."""
        widest = [0] * (len(self.columns) + 1)
        for item in items:
            widest = [max(known, width(clean_line(text))) for known, text in zip(widest, self.cells(item), strict=True)]
        return tuple(
            replace(column, cells=min(column.cells, max(cells, width(column.heading + self.order.sign(place)))))
            if cells
            else replace(column, least=sys.maxsize)
            for place, (column, cells) in enumerate(zip(self.columns, widest[1:], strict=True), 1)
        )

    def heading(self, room: int) -> Row:
        texts = "".join(
            "  " + padded(self._signed(column.heading, place, column.cells), column.cells, right=column.right)
            for place, column in self._shown(room)
        )
        title = padded(self.title + self.order.sign(0), self._title_room(room))
        return (strong(title, "title"), Span(texts, "dim"))

    def line(self, item: Item, room: int) -> Row:
        texts = self.cells(item)
        others = (
            Span("  " + padded(clean_line(texts[place]), column.cells, right=column.right), "dim")
            for place, column in self._shown(room)
        )
        return (Span(padded(clean_line(texts[0]), self._title_room(room)), self.look(item)), *others)

    def sorted(self, items: Iterable[Item]) -> list[Item]:
        """Return items in the order. Those without a value are the last."""
        if self.order.place < 0:
            return list(items)
        value = self.values[self.order.place]
        valued = [(value(item), item) for item in items]
        found = [pair for pair in valued if pair[0] is not None]
        found.sort(key=lambda pair: pair[0], reverse=self.order.largest_first)
        return [item for _, item in (*found, *(pair for pair in valued if pair[0] is None))]

    def following(self, room: int, items: Iterable[Item]) -> Order:
        """Return the order by the next column that is shown, or that of the server after the last one."""
        shown = [0, *(place for place, _ in self._shown(room))]
        place = next((place for place in shown if place > self.order.place), -1)
        return self._first_order(place, items)

    def clicked(self, x: int, room: int, items: Iterable[Item]) -> Order:
        """Return the order by the column at a cell of the heading. A second click turns it around."""
        edge = self._title_room(room)
        place = 0
        for following, column in self._shown(room):
            if x < edge:
                break
            place, edge = following, edge + column.cells + 2
        if place == self.order.place:
            return Order(place, not self.order.largest_first)
        return self._first_order(place, items)

    def _first_order(self, place: int, items: Iterable[Item]) -> Order:
        if place < 0:
            return GIVEN
        found = map(self.values[place], items)
        first = next((value for value in found if value is not None), "")
        return Order(place, not isinstance(first, str))

    def _signed(self, heading: str, place: int, room: int) -> str:
        sign = self.order.sign(place)
        return fitted(heading, room - len(sign)) + sign

    def _shown(self, room: int) -> list[tuple[int, Column]]:
        """Return the columns after the title with their places."""
        return [(place, column) for place, column in enumerate(self.columns, 1) if room >= column.least]

    def _title_room(self, room: int) -> int:
        return max(4, room - sum(column.cells + 2 for _, column in self._shown(room)))
