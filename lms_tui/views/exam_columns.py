"""The columns of the exam list: what they hold, their widths, and the order by one of them (pure)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, tzinfo
from decimal import Decimal
from enum import IntEnum
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.views import format as say
from lms_tui.views.attempts import LOOKS, SIGNS, ExamGroup, ExamRow, score_of, when_of
from lms_tui.views.marks import share_of
from lms_tui.views.ranks import rank_words
from lms_tui.views.rows import Row, Span, padded, strong
from lms_tui.wire.attempts import Attempt


class Column(IntEnum):
    """The columns from the left."""

    TITLE = 0
    COURSE = 1
    QUESTIONS = 2
    TIME = 3
    MARKS = 4
    WHEN = 5
    SCORE = 6
    SHARE = 7
    ANSWERS = 8
    RANK = 9


_FROM: Final = (0, 62, 84, 62, 100, 48, 0, 92, 112, 70)
"""Cells of a list from which it has each column."""
_MOST: Final = (0, 32, 11, 9, 9, 16, 14, 9, 13, 6)
"""Most cells of each column. The title gets what the others leave."""
_LEAST_COURSE: Final = 8
_SPARED: Final = (Column.QUESTIONS, Column.MARKS, Column.TIME)
"""The columns that give way to titles. The details tell them too."""
_HEADINGS: Final = {
    ExamGroup.UNSENT: ("", "answers", "", "", ""),
    ExamGroup.RESUME: ("started", "time left", "", "", ""),
    ExamGroup.AVAILABLE: ("until", "closes in", "", "", ""),
    ExamGroup.UPCOMING: ("opens", "opens in", "", "", ""),
    ExamGroup.DONE: ("date", "score", "share", "✓ · ✗", "rank"),
}
_LARGEST_FIRST: Final = frozenset(
    {Column.QUESTIONS, Column.MARKS, Column.WHEN, Column.SCORE, Column.SHARE, Column.ANSWERS}
)


@frozen
class Order:
    """The order inside each group. Without a column, it is that of the server."""

    column: Column | None = None
    largest_first: bool = False

    def following(self, shown: Sequence[Column]) -> "Order":
        """Return the order by the next column that is shown, or that of the server after the last one."""
        later = [column for column in shown if self.column is None or column > self.column]
        return Order(later[0], later[0] in _LARGEST_FIRST) if later else GIVEN

    def clicked(self, column: Column) -> "Order":
        """Return the order by a column. A second click turns it around."""
        if column is self.column:
            return Order(column, not self.largest_first)
        return Order(column, column in _LARGEST_FIRST)

    def of(self, items: Iterable[ExamRow]) -> tuple[ExamRow, ...]:
        """Sort rows inside their groups. Rows without a value are the last."""
        items, column = tuple(items), self.column
        if column is None:
            return items
        valued = [(value, item) for item in items if (value := _value(item, column)) is not None]
        valued.sort(key=lambda pair: pair[0], reverse=self.largest_first)
        without = (item for item in items if _value(item, column) is None)
        place = {kind: number for number, kind in enumerate(ExamGroup)}
        return tuple(sorted((*(item for _, item in valued), *without), key=lambda item: place[item.kind]))

    def sign(self, column: Column) -> str:
        if column is not self.column:
            return ""
        return " ↓" if self.largest_first else " ↑"


GIVEN: Final = Order()


def _value(item: ExamRow, column: Column) -> tuple[float, str] | None:
    """Return what a row is sorted by, None if it has no value."""
    if column is Column.TITLE:
        return (0, item.title.casefold())
    if column is Column.COURSE:
        return (0, course) if (course := clean_line(item.exam.course).casefold()) else None
    number = _NUMBERS[column](item)
    return None if number is None else (float(number), "")


def _moment(item: ExamRow) -> float | None:
    match item.kind:
        case ExamGroup.AVAILABLE:
            moment = item.exam.end_date
        case ExamGroup.UPCOMING:
            moment = item.exam.start_date
        case _:
            moment = item.attempt.date if item.attempt else None
    return moment.timestamp() if moment else None


def _of_attempt(read: Callable[[Attempt], float | Decimal | None]) -> Callable[[ExamRow], float | Decimal | None]:
    return lambda item: None if item.attempt is None else read(item.attempt)


_NUMBERS: Final[Mapping[Column, Callable[[ExamRow], float | Decimal | None]]] = {
    Column.QUESTIONS: lambda item: item.exam.number_of_questions or None,
    Column.TIME: lambda item: item.exam.duration.total_seconds() if item.exam.duration else None,
    Column.MARKS: lambda item: item.exam.mark_per_question,
    Column.WHEN: _moment,
    Column.SCORE: _of_attempt(lambda attempt: attempt.score),
    Column.SHARE: _of_attempt(share_of),
    Column.ANSWERS: _of_attempt(lambda attempt: attempt.correct_count),
    Column.RANK: _of_attempt(lambda attempt: attempt.rank if rank_words(attempt) else None),
}


@frozen
class Columns:
    """The cells of each column, 0 where it has no room or no content. `needed` is what each group needs for its own."""

    cells: tuple[int, ...]
    order: Order = GIVEN
    needed: Mapping[ExamGroup, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, items: Iterable[ExamRow], room: int, now: datetime, zone: tzinfo | None = None, order: Order = GIVEN
    ) -> "Columns":
        """Give each column what its contents need. One is left out where that makes every title whole."""
        needed = _needed(items, now, zone, order)
        every = cls._laid_out(needed, room, order)
        if every.titles_are_whole:
            return every
        spared = [column for column in _SPARED if every.cells[column] and column is not order.column]
        fewer = (cls._laid_out(needed, room, order, without=column) for column in spared)
        return next((columns for columns in fewer if columns.titles_are_whole), every)

    @classmethod
    def _laid_out(
        cls, needed: Mapping[ExamGroup, tuple[int, ...]], room: int, order: Order, without: Column | None = None
    ) -> "Columns":
        """Give each column what its contents need. The course gets what the longest title leaves."""
        widest = [max((cells[column] for cells in needed.values()), default=0) for column in Column]
        cells = [
            min(_MOST[column], widest[column]) if room >= _FROM[column] and column is not without else 0
            for column in Column
        ]
        others = sum(each + 2 for each in cells[Column.QUESTIONS :] if each)
        free = room - 2 - widest[Column.TITLE] - others - 2
        course = cells[Column.COURSE] = min(cells[Column.COURSE], free) if free >= _LEAST_COURSE else 0
        cells[Column.TITLE] = max(4, room - 2 - others - (course + 2 if course else 0))
        return cls(tuple(cells), order, needed)

    def of_group(self, kind: ExamGroup) -> "Columns":
        """Return the columns of one group.

        Where its titles or courses would be cut, they have the columns that it leaves empty, and then the blanks of its
        other columns, as many cells as they need.
        """
        needed, cells = self.needed.get(kind, (0,) * len(Column)), list(self.cells)
        missing = needed[Column.TITLE] - cells[Column.TITLE]
        missing += max(0, needed[Column.COURSE] - cells[Column.COURSE]) if cells[Column.COURSE] else 0
        for column in sorted(tuple(Column)[1:], key=lambda column: needed[column] > 0):
            given = min(missing, cells[column] - needed[column])
            if given > 0:
                cells[column] -= given
                given += 0 if cells[column] else 2
                cells[Column.TITLE] += given
                missing -= given
        if cells[Column.COURSE]:
            given = min(needed[Column.COURSE] - cells[Column.COURSE], cells[Column.TITLE] - needed[Column.TITLE])
            cells[Column.COURSE] += max(0, given)
            cells[Column.TITLE] -= max(0, given)
        return replace(self, cells=tuple(cells))

    @property
    def titles_are_whole(self) -> bool:
        return all(self.of_group(kind).cells[Column.TITLE] >= each[Column.TITLE] for kind, each in self.needed.items())

    @property
    def shown(self) -> tuple[Column, ...]:
        return tuple(column for column in Column if self.cells[column])

    def at(self, x: int) -> Column | None:
        """Return the column at a cell of the list."""
        edge = 2  # the sign of the group
        for column in self.shown:
            edge += self.cells[column] + (2 if column else 0)
            if 0 <= x < edge:
                return column
        return None


def _needed(
    items: Iterable[ExamRow], now: datetime, zone: tzinfo | None, order: Order
) -> dict[ExamGroup, tuple[int, ...]]:
    """Return the cells that the texts and the headings of each group need."""
    contents: dict[ExamGroup, tuple[int, ...]] = {}
    for item in items:
        known = contents.get(item.kind, (0,) * len(Column))
        contents[item.kind] = tuple(map(max, known, map(width, _texts(item, now, zone))))
    return {kind: tuple(map(max, cells, _heading_cells(kind, order, cells))) for kind, cells in contents.items()}


def _heading_cells(kind: ExamGroup, order: Order, needed: Sequence[int]) -> list[int]:
    title, *others = map(width, _headings(kind, order, needed))
    return [title - 2, *others]  # the heading of the titles begins at the sign of the group


def _headings(kind: ExamGroup, order: Order, needed: Sequence[int]) -> tuple[str, ...]:
    """Return the headings of the columns in which a group has contents."""
    texts = (kind.value, "course", "questions", "time", "marks", *_HEADINGS[kind])
    named = zip(Column, texts, strict=True)
    return tuple(text + order.sign(column) if text and needed[column] else "" for column, text in named)


def _texts(item: ExamRow, now: datetime, zone: tzinfo | None) -> tuple[str, ...]:
    exam, done = item.exam, item.attempt if item.kind is ExamGroup.DONE else None
    share = share_of(done) if done else None
    known = item.is_known
    return (
        item.title,
        clean_line(exam.course),
        str(exam.number_of_questions or say.NOTHING),
        say.short_duration(exam.duration) if known else say.NOTHING,
        _marks(item) if known else "",
        when_of(item, now, zone),
        score_of(item, now),
        say.percent(round(share)) if share is not None else "",
        f"{done.correct_count} · {done.incorrect_count}" if done else "",
        rank_words(item.attempt).partition(" ")[0],
    )


def _marks(item: ExamRow) -> str:
    """For example `+4 −1`."""
    exam = item.exam
    if exam.variable_mark_per_question or exam.mark_per_question is None:
        return ""
    minus = f" {say.signed(-abs(exam.negative_marks))}" if exam.negative_marks else ""
    return say.signed(exam.mark_per_question) + minus


def heading(kind: ExamGroup, columns: Columns) -> Row:
    title, *texts = _headings(kind, columns.order, columns.needed[kind])
    tail = "".join(_cell(text, column, columns) for column, text in zip(tuple(Column)[1:], texts, strict=True))
    return (strong(padded(title, columns.cells[Column.TITLE] + 2), "title"), Span(tail, "dim"))


def line(item: ExamRow, columns: Columns, now: datetime, zone: tzinfo | None = None) -> Row:
    title, *texts = _texts(item, now, zone)
    looks = dict.fromkeys(Column, "dim") | {Column.SCORE: "accent" if item.kind is ExamGroup.RESUME else "base"}
    tail = (
        Span(_cell(text, column, columns), looks[column])
        for column, text in zip(tuple(Column)[1:], texts, strict=True)
        if columns.cells[column]
    )
    return (Span(f"{SIGNS[item.kind]} ", LOOKS[item.kind]), Span(padded(title, columns.cells[Column.TITLE])), *tail)


def _cell(text: str, column: Column, columns: Columns) -> str:
    """Return the text of a column behind the title, with the gap before it. Only the course begins at the left."""
    cells = columns.cells[column]
    return "  " + padded(text, cells, right=column is not Column.COURSE) if cells else ""
