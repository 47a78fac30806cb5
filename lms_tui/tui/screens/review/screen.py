"""The review shows every question of an ended attempt with its outcome. Pages are loaded as the user scrolls."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal

from lms_tui.attempt.own_times import NO_TIMES, OwnTimes
from lms_tui.common.cleaning import clean_line
from lms_tui.content.images import following
from lms_tui.content.model import MathsStyle
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.learning import learn
from lms_tui.tui.messages import ReplayAsked
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import RowsPane
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.row_list import Entry, RowList
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import review as present
from lms_tui.views.compare import OWN, Whose
from lms_tui.views.error_messages import review_message
from lms_tui.views.outcomes import FILTERS, NOT_CORRECT, Outcome, ReviewFilter, outcome
from lms_tui.views.practice import AGAIN, Practice
from lms_tui.views.question_layout import LONGEST_LINE
from lms_tui.views.rows import Row, row, wrapped
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.client.port import Lms
    from lms_tui.practice.decks import UserDeck

_STYLES: Final = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE, MathsStyle.SOURCE)
_BY_SETTING: Final = {"picture": MathsStyle.PICTURE, "line": MathsStyle.LINE, "source": MathsStyle.SOURCE}


class ReviewScreen(CommandScreen[None]):
    """`question_id`: the question to show first, 0 for the first one. `maths`: the setting of that name.

    `desk` returns a text of the student's own in this attempt by its name, or "". `deck` gets what was not known.
    `times`: how long each question was on the screen of this computer.
    """

    WHERE = Where.REVIEW
    WHOSE: ClassVar[Whose] = OWN
    CSS_PATH = str(Path(__file__).with_name("screen.tcss"))  # a subclass has it too
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(WHERE),
        Binding("space", "page_down", show=False),
    ]

    def __init__(
        self,
        lms: "Lms",
        attempt: Attempt,
        question_id: int = 0,
        *,
        maths: str = "layout",
        badge: str = "",
        desk: Callable[[str], str] = lambda _: "",
        deck: "UserDeck | None" = None,
        times: OwnTimes = NO_TIMES,
    ) -> None:
        super().__init__()
        self._times = times
        self._deck = deck
        self._desk = desk
        self._lms = lms
        self._attempt = attempt
        self._badge = badge
        self._style = _BY_SETTING.get(maths, MathsStyle.TWO_DIMENSIONAL)
        self._filter = ReviewFilter()
        self._practice: Practice | None = None
        self._wanted = question_id
        self._questions: list[ReviewQuestion] = []
        self._pages: AsyncIterator[Page[ReviewQuestion]] | None = None
        self._complete = False
        self._trouble = ""

    def compose(self) -> ComposeResult:
        yield TopLine(f"{clean_line(self._attempt.exam.title)}: review", "", self._badge)
        with Horizontal():
            yield RowList("Questions", glyphs=self.glyphs, id="questions", pages=False)
            yield RowsPane("", glyphs=self.glyphs, id="question")
        yield self.command_bar()

    def on_mount(self) -> None:
        questions = self.query_one(RowList)
        questions.follow(self._show_question)
        questions.focus()
        self._draw()
        self._read()

    @on(RowList.EndNear)
    def _go_on(self) -> None:
        if not self._trouble:
            self._read()

    def action_retry(self) -> None:
        """Read from the first page again. Questions that are already loaded are skipped."""
        self._pages, self._trouble = None, ""
        self._read()

    def _read(self, *, until: int = 0) -> None:
        """Load one more page. `until`: go on to an incorrect answer after (1) or before (-1) the present question."""
        if not self._complete and not any(w.group == "pages" and w.is_running for w in self.workers):
            self.run_worker(self._read_page(until), name="pages", group="pages")

    async def _read_page(self, until: int) -> None:
        pages = self._pages = self._pages or self.pages_of(self._attempt.id)
        try:
            page = await anext(pages, None)
        except ApiError as error:
            message = review_message(error, retry=f"Press {self.key_of('retry')} to try again.")
            self._trouble, self._pages = f"! {message.text}", None
            self._draw()
            return
        if page is None:
            self._complete = True
        else:
            known = {question.id for question in self._questions}
            timed = self._times.put_into(page.results, self._attempt)
            self._questions += [question for question in timed if question.id not in known]
            self._complete = page.next is None
            learn(self, self._deck, self._attempt, timed)
        self._draw(self._found_wanted())
        if self._wanted:
            self.call_later(self._read)
        if until:
            self.call_later(self._jump_incorrect, until)

    def pages_of(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:
        return self._lms.attempts.review(attempt_id)

    def _found_wanted(self) -> str:
        """Return the key of the wanted first question once it is loaded, "" before."""
        found = str(self._wanted) if any(q.id == self._wanted for q in self._questions) else ""
        if found or self._complete:
            self._wanted = 0
        return found

    @property
    def _shown(self) -> list[ReviewQuestion]:
        shown = [question for question in self._questions if self._filter.takes(question)]
        return shown if self._practice is None else [question for question in shown if outcome(question) in AGAIN]

    @property
    def _total(self) -> int:
        return max(self._attempt.total_questions, len(self._questions))

    def _draw(self, key: str = "") -> None:
        shown, filters = self._shown, self._filter_texts()
        list_row = self._practice.list_row if self._practice is not None else present.list_row
        note = " · ".join(filters)
        self.query_one(RowList).show(
            lambda room: [
                *(Entry(str(question.id), partial(list_row, question, room)) for question in shown),
                *(Entry("", line) for text in self._remarks(bool(shown)) for line in wrapped(text, room, "dim")),
            ],
            title=f"{len(shown)}/{self._total}" if note else f"{self._total} questions",
            note=note,
            key=key,
        )
        practised = self._practice.summary(self._questions) if self._practice is not None else ""
        self.query_one(TopLine).show(
            f"{clean_line(self._attempt.exam.title)}: review",
            practised or present.summary(self._questions, self._total),
        )
        self._show_question()

    def _filter_texts(self) -> list[str]:
        """Describe the filters of the list."""
        texts = [
            "practice" if self._practice is not None else "",
            self._filter.kind if self._filter.kind != "all" else "",
            clean_line(self._filter.subject),
            f"“{clean_line(self._filter.text)}”" if self._filter.text else "",
        ]
        return [text for text in texts if text]

    def _remarks(self, anything: bool) -> list[str]:
        if self._trouble:
            return [self._trouble]
        if not self._complete:
            return ["Loading …"]
        if not anything:
            return ["No question matches. Press esc to show all." if self._questions else "There are no questions."]
        return []

    @property
    def _chosen(self) -> ReviewQuestion | None:
        key = self.query_one(RowList).key
        return next((question for question in self._questions if str(question.id) == key), None)

    def _show_question(self) -> None:
        question = self._chosen
        pane = self.query_one("#question", RowsPane)
        if question is None:
            texts = self._remarks(anything=False)
            pane.show("", lambda room: [line for text in texts for line in wrapped(text, room, "dim")])
            return
        pane.show(
            present.title_of(question, self._total),
            lambda room: self._question_rows(question, room) or [row("")],
            note=present.marks_of(question),
        )

    def _question_rows(self, question: ReviewQuestion, room: int) -> list[Row]:
        room = min(room, LONGEST_LINE)
        if self._practice is not None:
            return self._practice.rows(question, room, self._style)
        return present.question_rows(question, room, self._style, self._desk, self.WHOSE)

    def action_next_question(self) -> None:
        self.query_one(RowList).action_move(1)

    def action_previous_question(self) -> None:
        self.query_one(RowList).action_move(-1)

    def action_next_incorrect(self) -> None:
        self._jump_incorrect(1)

    def action_previous_incorrect(self) -> None:
        self._jump_incorrect(-1)

    def _jump_incorrect(self, step: int) -> None:
        """Go to the next or previous incorrect answer. Loads more pages if needed."""
        shown, chosen = self._shown, self._chosen
        place = shown.index(chosen) if chosen in shown else -1
        missed = [n for n, question in enumerate(shown) if outcome(question) in NOT_CORRECT]
        ahead = [n for n in missed if (n > place if step > 0 else n < place)][::step]
        if ahead:
            self.query_one(RowList).go_to(str(shown[ahead[0]].id))
        elif not self._complete and not self._trouble:
            self._read(until=step)
        elif missed and missed[::step][0] != place:
            self._say(f"Continued from the {'start' if step > 0 else 'end'}.")
            self.query_one(RowList).go_to(str(shown[missed[::step][0]].id))
        else:
            self._say("No other answer is incorrect or partly correct.")

    def action_filter_outcome(self) -> None:
        kind = FILTERS[(FILTERS.index(self._filter.kind) + 1) % len(FILTERS)]
        self._filter_by(replace(self._filter, kind=kind))
        shown = f"incorrect and {Outcome.PARTLY}" if kind == Outcome.INCORRECT else kind
        self._say(f"Showing {shown} questions")

    def _say(self, text: str) -> None:
        """Show a short message in place of the earlier ones, because its key is pressed often."""
        self.app.clear_notifications()
        self.notify(text, timeout=3, markup=False)

    def _filter_by(self, to: ReviewFilter) -> None:
        self._filter = to
        self._draw()

    @work(name="find", group="find", exclusive=True)
    async def action_find_text(self) -> None:
        text = await dialogs.ask_text(
            self.app,
            "Find questions",
            "Words of the question, its answers or its explanation. Leave it empty to show all.",
            value=self._filter.text,
        )
        if text is not None:
            self._filter_by(replace(self._filter, text=text))

    @work(name="subject", group="subject", exclusive=True)
    async def action_filter_subject(self) -> None:
        subjects = sorted({q.question.subject for q in self._questions if q.question.subject})
        options = ["All subjects", *(clean_line(subject) for subject in subjects)]
        chosen = subjects.index(self._filter.subject) + 1 if self._filter.subject in subjects else 0
        place = await dialogs.choose(self.app, "Choose a subject", options, chosen=chosen)
        if place is not None:
            self._filter_by(replace(self._filter, subject=subjects[place - 1] if place else ""))

    @work(name="go to", group="go to", exclusive=True)
    async def action_go_to(self) -> None:
        numbers = {str(question.order): question for question in self._shown}
        text = await dialogs.ask_text(
            self.app,
            "Go to a question",
            f"Question number, 1 to {self._total}",
            check=lambda text: "" if text in numbers else "No question in the list has this number.",
        )
        if text:
            self.query_one(RowList).go_to(str(numbers[text].id))

    def action_practise(self) -> None:
        """Start or stop practice with the questions that were not answered correctly."""
        if self._practice is not None:
            self._practice = None
            self._draw()
            return
        if not self._attempt.allow_retake:
            text = "You cannot take this exam again. Its questions are not open for practice."
            self.notify(text, severity="warning", markup=False)
            return
        self._practice, self._filter = Practice(), ReviewFilter()
        self._draw()
        self.query_one(RowList).action_edge(-1)

    def action_try_option(self, place: int) -> None:
        question = self._chosen
        if self._practice is not None and question is not None:
            self._practise_on(self._practice.choose(question, place))

    @on(RowList.Selected)
    def action_show_answer(self) -> None:
        question = self._chosen
        if self._practice is not None and question is not None:
            self._practise_on(self._practice.uncover(question))

    def _practise_on(self, practice: Practice) -> None:
        if practice != self._practice:
            self._practice = practice
            self._draw()

    def action_replay(self) -> None:
        question = self._chosen
        self.post_message(ReplayAsked(self._attempt, question.id if question is not None else 0))

    def action_maths_style(self) -> None:
        self._style = following(self._style, _STYLES)
        self._show_question()

    def action_enlarge_picture(self) -> None:
        if self._chosen is None:
            self.show_pictures([])
            return
        body = self._chosen.question
        options = (option.text_html for option in body.answers)
        self.show_pictures([body.direction, body.question_html, *options, body.explanation_html])

    @property
    def scrolled_pane(self) -> Pane:
        return self.query_one("#question", RowsPane)

    def action_back(self) -> None:
        """Stop practice, clear the filters, or leave the review."""
        if self._practice is not None:
            self.action_practise()
        elif self._filter != ReviewFilter():
            self._filter_by(ReviewFilter())
        else:
            self.dismiss(None)
