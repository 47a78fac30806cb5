"""The result of one attempt: every card fills when its part has arrived, and says so when it did not."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll

from lms_tui.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import ExamAsked, ReviewAsked
from lms_tui.tui.presenters import result as present
from lms_tui.tui.presenters.rows import Row, row, wrapped
from lms_tui.tui.presenters.words import words
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.wire.attempts import RUNNING, Attempt, ReviewQuestion
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.client.port import Lms


def _waiting(_: int) -> Sequence[Row]:
    return [row(("Asking the server …", "dim"))]


class ResultScreen(CommandScreen[None]):
    WHERE = Where.RESULT
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(self, lms: "Lms", attempt_id: int, *, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._attempt_id = attempt_id
        self._badge = badge
        self._attempt: Attempt | None = None

    def compose(self) -> ComposeResult:
        yield TopLine("Result", "", self._badge)
        with VerticalScroll(id="page"):
            with Vertical(classes="column"):
                yield Card("Score", _waiting, glyphs=self.glyphs, id="score")
                yield Card("Answers", _waiting, glyphs=self.glyphs, id="answers")
                yield Card("Your attempts", _waiting, glyphs=self.glyphs, id="earlier")
            with Vertical(classes="column"):
                yield Card("Subjects", _waiting, glyphs=self.glyphs, id="subjects")
                yield Card("Time for each question", _waiting, glyphs=self.glyphs, id="time")
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self._load()

    def _show(self, card: str, fill: Callable[[int], Sequence[Row]]) -> None:
        shown = self.query_one(f"#{card}", Card)
        shown.show(shown.title, fill)

    def _fail(self, card: str, error: ApiError) -> None:
        told = words(error, retry="ctrl+r tries again.")
        self._show(card, lambda room: wrapped(f"! {told.what} {told.advice}", room, "bad"))

    @work(name="result", group="result", exclusive=True)
    async def _load(self) -> None:
        try:
            attempt = await self._lms.attempts.read(self._attempt_id)
        except ApiError as error:
            for card in ("score", "answers", "earlier", "subjects", "time"):
                self._fail(card, error)
            return
        self._attempt = attempt
        now = datetime.now(UTC)
        self.query_one(TopLine).show(f"{clean_line(attempt.exam.title)}: result")
        if attempt.state == RUNNING:
            for card in ("score", "answers", "earlier", "subjects", "time"):
                self._show(card, lambda room: wrapped("The attempt is still running; there is no result yet.", room))
            return
        self._show("score", lambda room: present.score_rows(attempt, room, now))
        self._show("answers", lambda room: present.answer_rows(attempt, room))
        await asyncio.gather(
            self._part("earlier", self._earlier(attempt, now)),
            self._part("subjects", self._subjects()),
            self._part("time", self._times()),
        )

    async def _part(self, card: str, part: Awaitable[None]) -> None:
        try:
            await part
        except ApiError as error:
            self._fail(card, error)

    async def _earlier(self, attempt: Attempt, now: datetime) -> None:
        others = await self._lms.attempts.of_exam(attempt.exam.slug)
        self._show("earlier", lambda room: present.earlier_rows(attempt, others, room, now))

    async def _subjects(self) -> None:
        subjects = await self._lms.attempts.subjects(self._attempt_id)
        self._show("subjects", lambda room: present.subject_rows(subjects, room))

    async def _times(self) -> None:
        """The chart grows with every page of the review."""
        questions: list[ReviewQuestion] = []
        async for page in self._lms.attempts.review(self._attempt_id):
            questions += page.results
            self._show("time", partial(present.time_rows, tuple(questions)))
        if not questions:
            self._show("time", lambda room: present.time_rows((), room))

    def action_retry(self) -> None:
        self._load()

    def action_review(self) -> None:
        if self._attempt is not None and self._attempt.state != RUNNING:
            self.post_message(ReviewAsked(self._attempt))

    def action_retake(self) -> None:
        if self._attempt is None:
            return
        if self._attempt.allow_retake and self._attempt.remaining_attempts != 0:
            slug = self._attempt.exam.slug
            app = self.app
            self.dismiss(None)
            app.post_message(ExamAsked(slug))
        else:
            self.notify("This exam cannot be taken again.", severity="warning", markup=False)

    def action_back(self) -> None:
        self.dismiss(None)
