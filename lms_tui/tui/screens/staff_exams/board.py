"""The live board of an exam, and the commands that change running attempts."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.binding import BindingType

from lms_tui.common.moments import now_of
from lms_tui.common.outages import newest_span
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.filtered import SortedScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import board as present
from lms_tui.views.board import Asked, Choice
from lms_tui.views.error_messages import ErrorMessage, error_message
from lms_tui.views.glyphs import ASCII
from lms_tui.views.listing import Listing
from lms_tui.views.rows import Row
from lms_tui.views.staff_exams import ExamLine
from lms_tui.wire.base import Page
from lms_tui.wire.board import BoardRow, Grant, GrantKind
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms

_EVERY: Final = 5.0
"""Seconds between two questions for what has changed."""
_CHANGES: Final = ("extra_time", "message_students", "pause_clock", "go_on", "end_attempt", "reopen_attempt", "outage")


class BoardScreen(SortedScreen[BoardRow]):
    WHERE = Where.BOARD
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Live board"
    EMPTY = "No student has started this exam yet."
    NONE_FOUND = "No student matches. Press esc to show all."
    STEADY = True

    def __init__(self, lms: "Lms", line: ExamLine, clock: "Clock", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._line = line
        self._clock = clock
        self._cursor = ""
        self._ahead = timedelta()
        """How much the clock of the server is ahead of that of this computer."""
        self._marked: frozenset[int] = frozenset()

    def on_mount(self) -> None:
        hidden = () if self._line.exam.may_change else (*_CHANGES, "mark_row")
        self.query_one(CommandBar).hide("open_item", *hidden)  # the details are shown beside the list
        self.set_interval(_EVERY, self._poll)
        self.set_interval(1, self._tick)

    @property
    def heading(self) -> str:
        return self._line.title

    # The rows.

    def _now(self) -> datetime:
        return now_of(self._clock) + self._ahead

    async def page(self, number: int, wanted: str) -> Page[BoardRow]:  # noqa: ARG002 - the board is one page
        self._cursor = ""
        rows = tuple(present.in_order(await self._changes()))
        return Page[BoardRow].model_construct(count=len(rows), next=None, previous=None, per_page=1, results=rows)

    async def _changes(self) -> list[BoardRow]:
        """Return the attempts that have changed since the last time."""
        rows: list[BoardRow] = []
        more = True
        while more:
            board = await self._lms.staff_exams.board(self._line.exam.slug, self._cursor)
            rows += board.attempts
            self._cursor, more = board.cursor, board.more
            if board.now is not None:
                self._ahead = board.now - now_of(self._clock)
        return rows

    @work(name="changes", group="changes", exclusive=True)
    async def _poll(self) -> None:
        if self._loading:
            return
        try:
            changed = await self._changes()
        except ApiError as error:
            self._fail(error)
            return
        self._trouble = None
        self.take(changed)

    def take(self, changed: Sequence[BoardRow]) -> None:
        """Show attempts that have changed."""
        rows = self._items | {self.identity(row): row for row in changed}
        self._items = {self.identity(row): row for row in present.in_order(rows.values())}
        self.draw()

    def _tick(self) -> None:
        """Draw the times that pass."""
        self.query_one(RowList).redraw()
        self.query_one("#details", RowsPane).replace_rows()

    def draw(self, key: str = "") -> None:
        super().draw(key)
        for line in self.query(TopLine):
            line.show(self.NAME, present.summary(self._items.values()))

    def trouble_of(self, error: ApiError) -> ErrorMessage:
        return error_message(error)

    def identity(self, item: BoardRow) -> str:
        return str(item.attempt)

    @property
    def unordered(self) -> Listing[BoardRow]:
        return present.listing(self._now, self._marked, "*" if self.glyphs is ASCII else "✓")

    def details(self, item: BoardRow, room: int) -> Sequence[Row]:
        return present.details(item, room, self._now())

    # Which students.

    def action_mark_row(self) -> None:
        if (row := self.chosen) is not None:
            self._marked ^= {row.attempt}
            self.draw()
            self.query_one(RowList).action_move(1)

    def action_mark_all(self) -> None:
        shown = frozenset(row.attempt for row in self.shown.values())
        self._marked = frozenset() if shown <= self._marked else self._marked | shown
        self.draw()

    async def _whom(self, asked: Asked) -> Choice | None:
        marked = [row for row in self._items.values() if row.attempt in self._marked]
        choices = present.choices(asked, self.chosen, marked)
        if not choices:
            self.tell("Select a student whose exam has ended.")
            return None
        place = await dialogs.choose(self.app, f"{asked.title}: for whom?", [choice.words for choice in choices])
        return None if place is None else choices[place]

    # Changes.

    def action_extra_time(self) -> None:
        self._ask(present.EXTRA_TIME)

    def action_message_students(self) -> None:
        self._ask(present.MESSAGE)

    def action_outage(self) -> None:
        self._ask(present.OUTAGE)

    def action_pause_clock(self) -> None:
        self._ask(present.PAUSE)

    def action_go_on(self) -> None:
        self._ask(present.GO_ON)

    def action_end_attempt(self) -> None:
        self._ask(present.END)

    def action_reopen_attempt(self) -> None:
        self._ask(present.REOPEN)

    @work(name="grant", group="grant", exclusive=True)
    async def _ask(self, asked: Asked) -> None:
        whom = await self._whom(asked)
        grant = None if whom is None else await self._grant(asked, whom)
        if grant is None:
            return
        try:
            granted = await self._lms.staff_exams.grant(self._line.exam.slug, grant)
        except ApiError as error:
            await self.explain(error)
            return
        self._marked = frozenset()
        self.tell(present.done_words(asked, grant, granted.changed))
        self._poll()

    async def _grant(self, asked: Asked, whom: Choice) -> Grant | None:
        """Ask for the minutes or the text, or whether to go on. Return None when cancelled."""
        words = present.question_words(asked, whom)
        grant = partial(Grant, kind=asked.kind, usernames=whom.usernames)
        if asked.kind is GrantKind.OUTAGE:
            check = present.check_span(self._now)
            typed = await dialogs.ask_text(self.app, asked.title, words, placeholder="10:05-10:17", check=check)
            span = None if typed is None else newest_span(typed, self._now().astimezone())
            return span and grant(since=span[0], until=span[1])
        if asked.least is not None:
            check = present.check_minutes(asked.least)
            typed = await dialogs.ask_text(self.app, asked.title, words, placeholder="minutes", check=check)
            return None if typed is None else grant(minutes=int(typed))
        if asked.kind is GrantKind.MESSAGE:
            check = present.check_message
            typed = await dialogs.ask_text(self.app, asked.title, words, placeholder="message", check=check)
            return None if typed is None else grant(text=typed)
        if asked.warning and not await dialogs.confirm(self.app, asked.title, words, yes=asked.title, danger=True):
            return None
        return grant()
