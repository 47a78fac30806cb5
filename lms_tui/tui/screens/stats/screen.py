"""Statistics: progress, scores and subjects over time, and report cards."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll

from lms_tui.client.port import subjects_told
from lms_tui.common.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.tui.widgets.trend import TrendChart
from lms_tui.views import stats as present
from lms_tui.views import subject_history
from lms_tui.views.error_messages import error_message
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.client.port import Lms
    from lms_tui.wire.attempts import Attempt

_MOST_PAGES: Final = 10


class StatsScreen(CommandScreen[None]):
    WHERE = Where.STATS
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, lms: "Lms", *, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._badge = badge

    def compose(self) -> ComposeResult:
        yield TopLine("Statistics", "", self._badge)
        with VerticalScroll(id="page"):
            with Vertical(classes="column"):
                yield Card("Progress", glyphs=self.glyphs, id="progress")
                with Vertical(id="reports"):
                    yield Card("Report cards", glyphs=self.glyphs, id="no-report")
            with Vertical(classes="column"):
                yield TrendChart(id="chart")
                yield Card("Scores", glyphs=self.glyphs, id="scores")
                yield Card("Your subjects, attempt by attempt", glyphs=self.glyphs, id="subjects")
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self.action_refresh()

    def action_refresh(self) -> None:
        for card in ("#progress", "#no-report", "#scores", "#subjects"):
            self.query_one(card, Card).say("Loading …")
        self._load_stats()
        self._load_trend()

    def action_retry(self) -> None:
        self.action_refresh()

    def _fail(self, card: str, error: ApiError) -> None:
        message = error_message(error, retry=f"Press {self.key_of('refresh')} to try again.")
        self.query_one(card, Card).say(f"! {message.text}", "bad")

    @work(name="counts", group="counts", exclusive=True)
    async def _load_stats(self) -> None:
        try:
            stats = await self._lms.stats()
        except ApiError as error:
            self._fail("#progress", error)
            self._fail("#no-report", error)
            return
        self.query_one("#progress", Card).show("Progress", lambda room: present.progress_rows(stats, room))
        column = self.query_one("#reports", Vertical)
        await column.query(Card).exclude("#no-report").remove()
        empty = self.query_one("#no-report", Card)
        empty.say("No report cards yet.")
        empty.display = not stats.student_report.reports
        for report in stats.student_report.reports:
            title = f"Report card: {clean_line(report.report_title)}"
            await column.mount(Card(title, partial(present.report_rows, report), glyphs=self.glyphs))

    @work(name="trend", group="trend", exclusive=True)
    async def _load_trend(self) -> None:
        attempts: list[Attempt] = []
        number = 1
        try:
            while number <= _MOST_PAGES:
                page = await self._lms.attempts.page(number)
                attempts += page.results
                if not page.next:
                    break
                number += 1
        except ApiError as error:
            self._fail("#scores", error)
            self._fail("#subjects", error)
            return
        points = present.trend(attempts)
        chart = self.query_one(TrendChart)
        chart.display = bool(points)  # the card below says that there is none
        chart.show(points)
        self.query_one("#scores", Card).show("Scores", lambda room: present.trend_rows(points, room))
        last = subject_history.last_finished(attempts)
        try:
            subjects = await asyncio.gather(*(subjects_told(self._lms.attempts, attempt.id) for attempt in last))
        except ApiError as error:
            self._fail("#subjects", error)
            return
        histories = subject_history.subject_histories(zip(last, subjects, strict=True))
        card = self.query_one("#subjects", Card)
        card.show(card.title, lambda room: subject_history.history_rows(histories, room))
