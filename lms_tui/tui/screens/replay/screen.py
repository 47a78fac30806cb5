"""The replay of an ended attempt, from the journal of this computer and the keys of the review."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from lms_tui.attempt.ports import JournalError
from lms_tui.attempt.replay import replay_of
from lms_tui.common.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import ReviewAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import replay as present
from lms_tui.views.error_messages import review_message
from lms_tui.views.rows import EMPTY, Row, wrapped
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.attempt.ports import JournalRecord
    from lms_tui.client.port import Lms

_WIDE: Final = 100
"""Least width at which the timeline stands beside the table."""


class ReplayScreen(CommandScreen[None]):
    """`look` reads the journal of the attempt. It raises JournalError if this computer has none.

    `question_id`: the question to select first where the timeline has its own box, 0 for the first one.
    """

    WHERE = Where.REPLAY
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(WHERE),
        Binding("space", "page_down", show=False),
    ]

    def __init__(
        self,
        lms: "Lms",
        attempt: Attempt,
        look: "Callable[[], JournalRecord]",
        question_id: int = 0,
        *,
        badge: str = "",
    ) -> None:
        super().__init__()
        self._wanted = str(question_id)
        self._lms = lms
        self._attempt = attempt
        self._look = look
        self._badge = badge
        self._view: present.ReplayView | None = None
        self._remark = "Loading …"

    def compose(self) -> ComposeResult:
        yield TopLine(f"{clean_line(self._attempt.exam.title)}: replay", "", self._badge)
        with Horizontal():
            yield RowList("Questions", glyphs=self.glyphs, id="questions")
            yield RowsPane("Timeline", glyphs=self.glyphs, id="timeline")
        yield self.command_bar()

    def on_mount(self) -> None:
        questions = self.query_one(RowList)
        questions.follow(self._follow)
        questions.focus()
        self.action_retry()

    def action_retry(self) -> None:
        self._draw()
        self._load()

    @work(name="replay", group="replay", exclusive=True)
    async def _load(self) -> None:
        try:
            replay = replay_of(self._look())
        except JournalError:
            self._remark = present.NO_JOURNAL
            self._draw()
            return
        review: list[ReviewQuestion] = []
        reason = ""
        try:
            async for page in self._lms.attempts.review(self._attempt.id):
                review += page.results
        except ApiError as error:
            reason = review_message(error, retry=f"Press {self.key_of('retry')} to try again.").text
        self._view = present.replay_view(replay, review, reason)
        self._draw()
        if self._is_wide:
            self.query_one(RowList).go_to(self._wanted)
        else:
            self.call_after_refresh(self.query_one(RowList).set_top, 0)  # the sentences come first, also on few rows

    @property
    def _is_wide(self) -> bool:
        return self.app.size.width >= _WIDE

    def _draw(self) -> None:
        self.query_one(RowList).show(self._entries)
        self._follow()

    def _entries(self, room: int) -> Sequence[Entry]:
        """The table. On a narrow terminal the sentences and the timeline stand above it."""
        view = self._view
        if view is None:
            return [Entry("", line) for line in wrapped(self._remark, room, "dim")]
        above: list[Row] = []
        if not self._is_wide:
            height = max(3, min(10, self.app.size.height - 16))
            above = [*present.head_rows(view, room), *present.timeline_rows(view, room, height), EMPTY]
        rows = [Entry("", line) for line in (*above, present.heading(room))]
        return [*rows, *(Entry(str(line.question_id), partial(present.list_row, line, room)) for line in view.lines)]

    def _follow(self) -> None:
        """Show the selected question in the timeline."""
        self.query_one("#timeline", RowsPane).show("Timeline", self._beside)

    def _beside(self, room: int) -> Sequence[Row]:
        view, line = self._view, self._line
        if view is None:
            return wrapped(self._remark, room, "dim")
        height = max(4, min(20, self.app.size.height - 18))
        chosen = line.question_id if line else 0
        rows = [*present.head_rows(view, room), EMPTY, *present.timeline_rows(view, room, height, chosen)]
        return [*rows, EMPTY, *present.detail_rows(line, room, timed=view.timed)] if line else rows

    @property
    def _line(self) -> present.Line | None:
        key = self.query_one(RowList).key
        lines = self._view.lines if self._view else ()
        return next((line for line in lines if str(line.question_id) == key), None)

    @on(RowList.Selected)
    def action_review_question(self) -> None:
        """Open the review at the selected question."""
        line = self._line
        if line is not None and self._view is not None and not self._view.reason:
            self.post_message(ReviewAsked(self._attempt, line.question_id))
        elif self._view is not None and self._view.reason:
            self.notify(self._view.reason, severity="warning", markup=False)

    @property
    def scrolled_pane(self) -> Pane:
        return self.query_one("#timeline", RowsPane)
