"""Lines of a list in columns that line up: the first takes the room that is left, others give way (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass

from lms_tui.common.cleaning import clean_line
from lms_tui.views.rows import Row, Span, padded, strong


@dataclass(frozen=True, slots=True)
class Column:
    """`cells`: its width; `least`: the room of the list below which it is left out."""

    heading: str
    cells: int
    least: int = 0
    right: bool = False


def _shown(columns: Sequence[Column], room: int) -> list[tuple[int, Column]]:
    return [(place, column) for place, column in enumerate(columns) if room >= column.least]


def _title_room(columns: Sequence[Column], room: int) -> int:
    return max(4, room - sum(column.cells + 2 for _, column in _shown(columns, room)))


def heading_row(title: str, columns: Sequence[Column], room: int) -> Row:
    tail = "".join("  " + padded(c.heading, c.cells, right=c.right) for _, c in _shown(columns, room))
    return (strong(padded(title, _title_room(columns, room)), "title"), Span(tail, "dim"))


def line_row(title: str, texts: Sequence[str], columns: Sequence[Column], room: int) -> Row:
    """`texts`: one for each column."""
    tail = (
        Span("  " + padded(clean_line(texts[place]), column.cells, right=column.right), "dim")
        for place, column in _shown(columns, room)
    )
    return (Span(padded(clean_line(title), _title_room(columns, room))), *tail)
