"""The list of all exams: to resume, to start, upcoming and done. It is filtered as one types, and sorted."""

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from lms_tui.common.cleaning import clean_line
from lms_tui.common.moments import now_of
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.attempts.base import ExamsScreen, Filters
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.search import close_search, open_search
from lms_tui.views import exam_columns as present
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.exam_columns import GIVEN, Columns, Order
from lms_tui.views.rows import wrapped

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock, Journals
    from lms_tui.views.ports import UserSession

_PAUSE: Final = 0.3
"""Seconds without a key after which the server is asked for what the filter finds beyond the rows that are loaded."""


class AttemptsScreen(ExamsScreen):
    """The exam list. It shows the lists in `known` until the server has answered."""

    WHERE = Where.ATTEMPTS
    NAME = "Exams"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(WHERE),
        Binding("down,pagedown", "leave_search", show=False),  # the list handles these keys while it has the focus
    ]

    def __init__(
        self,
        session: "UserSession",
        journals: "Journals",
        clock: "Clock",
        known: ExamLists | None = None,
        *,
        badge: str = "",
    ) -> None:
        super().__init__(session, journals, clock, badge=badge)
        self._lists = known or self._lists
        self._order = GIVEN
        self._columns = Columns.of((), 4, now_of(self._clock))
        self._headed: dict[int, Columns] = {}
        """The columns below each heading, by its place in the list."""
        self._courses: tuple[str, ...] = ()

    def fields(self) -> Iterable[Widget]:
        # With select_on_focus, keys that are typed ahead would replace each other.
        yield Input(
            placeholder="Part of a title. Enter goes to the list, esc shows all exams.",
            id="search",
            compact=True,
            select_on_focus=False,
        )

    def on_mount(self) -> None:
        super().on_mount()
        self._loading = True  # the first frame must say so, and the screen loads its list after it
        self.draw()

    @on(RowList.EndNear)
    def _go_on(self) -> None:
        if not self._loading and not self._trouble and self._next:
            self._load()

    @property
    def wants_all(self) -> bool:
        """A sorted list needs every row."""
        return self._order is not GIVEN

    def shown(self) -> tuple[ExamRow, ...]:
        self._courses = tuple(sorted({*self._courses, *self._lists.courses}))
        items = self._lists.items()
        if self._filters != self._wanted:
            items = tuple(item for item in items if self._wanted.match(item))
        return self._order.of(items)

    def entries(self, room: int) -> list[Entry]:
        now = now_of(self._clock)
        columns = self._columns = Columns.of(self._items.values(), room, now, order=self._order)
        self._headed.clear()
        entries: list[Entry] = []
        for kind in ExamGroup:
            items = [item for item in self._items.values() if item.kind is kind]
            if not items:
                continue
            if entries:
                entries.append(Entry("", ()))
            its = columns.of_group(kind)
            self._headed[len(entries)] = its
            entries.append(Entry("", present.heading(kind, its)))
            entries += [Entry(item.key, partial(present.line, item, its, now)) for item in items]
        remarks = [line for text in self.remarks(bool(entries)) for line in wrapped(text, room, "dim")]
        return entries + [Entry("", line) for line in remarks]

    def note(self) -> str:
        title, course = self._wanted.title, self._wanted.course
        return " · ".join(clean_line(limit) for limit in (f"“{title}”" if title else "", course) if limit)

    # The filter.

    def action_search(self) -> None:
        open_search(self)

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self._filter_by(Filters(event.value.strip(), self._wanted.course))

    @on(Input.Submitted, "#search")
    def action_leave_search(self) -> None:
        self.query_one(RowList).focus()

    def action_back(self) -> None:
        """Clear the search and the filters, or go back."""
        if not self.query_one("#search").display and self._wanted == Filters():
            self.dismiss()
            return
        close_search(self)
        self._filter_by(Filters())

    def _filter_by(self, wanted: Filters) -> None:
        """Show the rows that match. If more may match than are loaded, ask the server after a pause."""
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self.draw()
        if self._loading or self._trouble or self._next or not self._filters.include(wanted):
            self._ask_server()

    @work(name="filter", group="filter", exclusive=True)
    async def _ask_server(self) -> None:
        await asyncio.sleep(_PAUSE)
        self._filters = self._wanted
        self._load(afresh=True)

    @work(name="course", group="course", exclusive=True)
    async def action_filter_course(self) -> None:
        options = ["All courses", *(clean_line(course) for course in self._courses)]
        chosen = options.index(clean_line(self._wanted.course)) if self._wanted.course else 0
        place = await dialogs.choose(self.app, "Choose a course", options, chosen=chosen)
        if place is not None:
            self._filter_by(Filters(self._wanted.title, self._courses[place - 1] if place else ""))

    # The order.

    def action_sort(self) -> None:
        self._sort(self._order.following(self._columns.shown))

    @on(RowList.HeadingClicked)
    def _sort_by_clicked(self, event: RowList.HeadingClicked) -> None:
        columns = self._headed.get(event.place)
        column = columns.at(event.x) if columns else None
        if column is not None:
            self._sort(self._order.clicked(column))

    def _sort(self, order: Order) -> None:
        self._order = order
        self.draw()
        if self.wants_all and self._next and not self._trouble:
            self._load()
