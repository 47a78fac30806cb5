"""The result of one attempt. Each card is filled when its data has arrived."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll

from lms_tui.attempt.own_times import NO_TIMES, OwnTimes
from lms_tui.common.cleaning import clean_line
from lms_tui.common.moments import now_of
from lms_tui.common.sizes import bytes_of
from lms_tui.common.user_errors import AdvisedError
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.dialogs import ask_text
from lms_tui.tui.learning import learn
from lms_tui.tui.messages import ExamAsked, PracticeAsked, ReplayAsked, ReviewAsked
from lms_tui.tui.saving import fault_of, place_of, save
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.subject_tree import SubjectTree
from lms_tui.tui.widgets.time_chart import TimeChart
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import insight
from lms_tui.views import result as present
from lms_tui.views.error_messages import error_message, review_message
from lms_tui.views.missed import missed
from lms_tui.views.outcomes import Outcome, outcome
from lms_tui.views.rows import Row, row, wrapped
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.errors import ApiError, Forbidden

if TYPE_CHECKING:
    from pathlib import Path

    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms
    from lms_tui.practice.decks import UserDeck

_CARDS: Final = ("score", "answers", "strengths", "pace", "earlier", "time")


def _waiting(_: int) -> Sequence[Row]:
    return [row(("Loading …", "dim"))]


class ResultScreen(CommandScreen[None]):
    WHERE = Where.RESULT
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)

    def __init__(
        self,
        lms: "Lms",
        attempt_id: int,
        clock: "Clock",
        downloads: "Path",
        *,
        badge: str = "",
        deck: "UserDeck | None" = None,
        times: OwnTimes = NO_TIMES,
    ) -> None:
        super().__init__()
        self._own_times = times
        self._deck = deck
        self._questions: list[ReviewQuestion] = []
        self._lms = lms
        self._clock = clock
        self._downloads = downloads
        self._attempt_id = attempt_id
        self._badge = badge
        self._attempt: Attempt | None = None

    def compose(self) -> ComposeResult:
        yield TopLine("Result", "", self._badge)
        with VerticalScroll(id="page"):
            with Vertical(classes="column"):
                yield Card("Score", _waiting, glyphs=self.glyphs, id="score")
                yield Card("Answers", _waiting, glyphs=self.glyphs, id="answers")
                yield Card("Accuracy and speed", _waiting, glyphs=self.glyphs, id="pace")
                yield Card("Your attempts", _waiting, glyphs=self.glyphs, id="earlier")
            with Vertical(classes="column"):
                yield TimeChart("Time for each question", _waiting, glyphs=self.glyphs, id="time")
                yield SubjectTree("Subjects", glyphs=self.glyphs, id="subjects")
                yield Card("Strengths and weaknesses", _waiting, glyphs=self.glyphs, id="strengths")
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self.query_one(SubjectTree).say("Loading …")
        self._load()

    def _show(self, card: str, fill: Callable[[int], Sequence[Row]]) -> None:
        shown = self.query_one(f"#{card}", Card)
        shown.show(shown.title, fill)

    def _say(self, card: str, text: str, look: str = "base") -> None:
        if card == "subjects":
            self.query_one(SubjectTree).say(text, look)
        else:
            self.query_one(f"#{card}", Card).say(text, look)

    def _fail(self, card: str, error: ApiError) -> None:
        describe = review_message if card == "time" else error_message
        message = describe(error, retry=f"Press {self.key_of('retry')} to try again.")
        if isinstance(error, Forbidden) and card == "time":
            self._say(card, message.text, "dim")
        else:
            self._say(card, f"! {message.text}", "bad")

    @work(name="result", group="result", exclusive=True)
    async def _load(self) -> None:
        try:
            attempt = await self._lms.attempts.read(self._attempt_id)
        except ApiError as error:
            for card in (*_CARDS, "subjects"):
                self._fail(card, error)
            return
        self._attempt = attempt
        self.query_one(CommandBar).hide(*(() if present.may_retake(attempt) else ("retake",)))
        now = now_of(self._clock)
        self._show_title()
        if attempt.state == AttemptState.RUNNING:
            for card in (*_CARDS, "subjects"):
                self._say(card, "The attempt is still running. There is no result yet.")
            return
        self._show("score", lambda room: present.score_rows(attempt, room, now))
        self._show("answers", lambda room: present.answer_rows(attempt, room))
        self._show("pace", lambda room: insight.pace_rows(attempt, room))
        await asyncio.gather(
            self._part(self._earlier(attempt, now), "earlier"),
            self._part(self._subjects(), "subjects", "strengths"),
            self._part(self._times(attempt), "time"),
        )

    async def _part(self, part: Awaitable[None], *cards: str) -> None:
        try:
            await part
        except ApiError as error:
            for card in cards:
                self._fail(card, error)

    async def _earlier(self, attempt: Attempt, now: datetime) -> None:
        others = await self._lms.attempts.of_exam(attempt.exam.slug)
        self._show("earlier", lambda room: present.earlier_rows(attempt, others, room, now))

    async def _subjects(self) -> None:
        subjects = await self._lms.attempts.subjects(self._attempt_id)
        self.query_one(SubjectTree).show_subjects(subjects)
        self._show("strengths", lambda room: insight.subject_words(subjects, room))

    async def _times(self, attempt: Attempt) -> None:
        """Load the review and update the chart with each page."""
        questions = self._questions = []
        chart, on_screen = self.query_one(TimeChart), self._own_times.cover(attempt)
        async for page in self._lms.attempts.review(self._attempt_id):
            questions += self._own_times.put_into(page.results, attempt)
            chart.show_questions(questions, max(attempt.total_questions, len(questions)), on_screen=on_screen)
        chart.show_questions(questions, len(questions), on_screen=on_screen)
        if partly := sum(outcome(question) is Outcome.PARTLY for question in questions):
            self._show("answers", lambda room: present.answer_rows(attempt, room, partly))
            self._show("pace", lambda room: insight.pace_rows(attempt, room, partly))

    def _show_title(self, right: str = "") -> None:
        title = clean_line(self._attempt.exam.title) if self._attempt else ""
        # A download may end while the screen is being removed.
        for line in self.query(TopLine):
            line.show(f"{title}: result" if title else "Result", right)

    def action_later_time(self) -> None:
        self._move_time(1)

    def action_earlier_time(self) -> None:
        self._move_time(-1)

    def _move_time(self, step: int) -> None:
        chart = self.query_one(TimeChart)
        chart.move(step)
        chart.scroll_visible(animate=False)

    def action_fold_subjects(self) -> None:
        tree = self.query_one(SubjectTree)
        tree.fold_all()
        tree.scroll_visible(animate=False)

    def action_retry(self) -> None:
        self._load()

    @on(TimeChart.Opened)
    def action_review(self) -> None:
        """Open the review at the question of the chart's cursor."""
        if self._attempt is not None and self._attempt.state != AttemptState.RUNNING:
            chosen = self.query_one(TimeChart).chosen
            self.post_message(ReviewAsked(self._attempt, chosen.id if chosen is not None else 0))

    def action_practise_missed(self) -> None:
        """Add the questions of this attempt that were not known to the deck, and practise them."""
        attempt, deck = self._attempt, self._deck
        if attempt is None or deck is None:
            return
        cards = missed(attempt, self._questions)
        if not cards:
            keys = any(option.is_correct for question in self._questions for option in question.question.answers)
            words = "You knew every question." if keys else "The server does not show the answers of this exam."
            self.notify(words, timeout=5, markup=False)
            return
        try:
            run = deck.start_with(cards, f"Practice: {clean_line(attempt.exam.title)}")
        except AdvisedError as error:
            self.notify(f"{error} {error.advice}", severity="error", timeout=15, markup=False)
        else:
            learn(self, deck, attempt, self._questions)
            self.post_message(PracticeAsked(run))

    def action_replay(self) -> None:
        if self._attempt is not None and self._attempt.state != AttemptState.RUNNING:
            self.post_message(ReplayAsked(self._attempt))

    @work(name="pdf", group="pdf", exclusive=True)
    async def action_save_pdf(self) -> None:
        """Ask where to save the PDF, then download it in the background and show the progress."""
        attempt = self._attempt
        if attempt is None or attempt.state == AttemptState.RUNNING:
            return

        def progress(done: int, whole: int | None) -> None:
            self._show_title(f"PDF {bytes_of(done)}" + (f" of {bytes_of(whole)}" if whole else ""))

        usual = self._downloads / f"{attempt.exam.slug or 'review'}-{attempt.id}.pdf"
        typed = await ask_text(
            self.app, "Save the review as a PDF", "Path", value=str(usual), check=lambda text: fault_of(text, usual)
        )
        if typed is None:
            return
        self._show_title("PDF: waiting for the server …")
        try:
            content = await self._lms.attempts.review_pdf(attempt, progress)
            kept = await asyncio.to_thread(save, *place_of(typed, usual), "pdf", content)
        except ApiError as error:
            message = error_message(error, retry=f"Press {self.key_of('save_pdf')} to try again.")
            self.notify(message.text, title="No PDF", severity="error", markup=False)
        except OSError as error:
            self.notify(
                f"The PDF cannot be written ({error.strerror}). Choose another folder, or free some disk space.",
                title="No PDF",
                severity="error",
                markup=False,
            )
        else:
            self._saved(str(kept))
        finally:
            self._show_title()

    def _saved(self, path: str) -> None:
        """Show the path on the score card too. A notification may vanish before the user has copied it."""
        self.notify(f"Saved as {path}", title="PDF", timeout=10, markup=False)
        attempt, now = self._attempt, now_of(self._clock)
        if attempt is not None and self.is_attached:
            self._show(
                "score",
                lambda room: [*present.score_rows(attempt, room, now), *wrapped(f"PDF saved as {path}", room, "good")],
            )

    def action_retake(self) -> None:
        if self._attempt is None:
            return
        if present.may_retake(self._attempt):
            slug = self._attempt.exam.slug
            app = self.app
            self.dismiss(None)
            app.post_message(ExamAsked(slug))
        else:
            self.notify("You cannot take this exam again.", severity="warning", markup=False)
