"""Practice with the questions that were not answered correctly (pure). Nothing is sent."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.content.lines import Mark
from lms_tui.content.model import MathsStyle
from lms_tui.views import review
from lms_tui.views.outcomes import LOOKS, NOT_CORRECT, SIGNS, Outcome, outcome
from lms_tui.views.rows import EMPTY, Row, Span, row, wrapped
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.question_types import QuestionType

AGAIN: Final = NOT_CORRECT | {Outcome.UNANSWERED}
"""Outcomes of the questions to practise."""


@frozen
class Practice:
    """`given`: options chosen in practice, by question ID. `uncovered`: questions whose key is shown."""

    given: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))
    uncovered: frozenset[int] = frozenset()

    def choose(self, question: ReviewQuestion, place: int) -> "Practice":
        """Choose an option. A question with one answer is uncovered at once."""
        options = question.question.answers
        if question.id in self.uncovered or not (0 <= place < len(options) and review.has_options(question)):
            return self
        option, before = options[place].id, self.given.get(question.id, ())
        if question.question.type != QuestionType.MULTIPLE:
            return self._with(question, (option,)).uncover(question)
        return self._with(question, tuple(o for o in before if o != option) if option in before else (*before, option))

    def uncover(self, question: ReviewQuestion) -> "Practice":
        return replace(self, uncovered=self.uncovered | {question.id})

    def _with(self, question: ReviewQuestion, chosen: tuple[int, ...]) -> "Practice":
        return replace(self, given=MappingProxyType({**self.given, question.id: chosen}))

    def is_covered(self, question: ReviewQuestion) -> bool:
        return question.id not in self.uncovered

    def as_now(self, question: ReviewQuestion) -> ReviewQuestion:
        """Return the question with the answer of the practice in place of the answer of the attempt."""
        return question.model_copy(
            update={
                "selected_answers": self.given.get(question.id, ()),
                "short_text": None,
                "essay_text": None,
                "gap_fill_responses": (),
                "outcome": "",
            }
        )

    def list_row(self, question: ReviewQuestion, room: int) -> Row:
        shown = self.as_now(question)
        return review.list_row(
            shown.model_copy(update={"selected_answers": ()}) if self.is_covered(question) else shown, room
        )

    def rows(self, question: ReviewQuestion, room: int, style: MathsStyle) -> list[Row]:
        """The question without its key, or with the key and the outcome."""
        if self.is_covered(question):
            return self._covered(question, room, style)
        now, then = outcome(self.as_now(question)), outcome(question)
        head: list[Row] = []
        if question.id in self.given:
            head = [
                row(Span(f"{SIGNS[now]} Now {now.value}", LOOKS[now], Mark.BOLD), (f" (before: {then.value})", "dim"))
            ]
            return [*head, EMPTY, *review.question_rows(self.as_now(question), room, style)]
        return review.question_rows(question, room, style)

    def _covered(self, question: ReviewQuestion, room: int, style: MathsStyle) -> list[Row]:
        chosen = frozenset(self.given.get(question.id, ()))
        if not review.has_options(question):
            advice = "Think of your answer, then press enter to see the correct answer."
        elif question.question.type == QuestionType.MULTIPLE:
            advice = "Choose every correct answer by its letter, then press enter."
        else:
            advice = "Choose a letter to see the correct answer."
        rows = review.covered_rows(question, chosen, room, style)
        return [*rows, EMPTY, *wrapped(f"{advice} Practice is not scored.", room, "dim")]

    def summary(self, questions: Iterable[ReviewQuestion]) -> str:
        """`practice: 3 correct of 5 tried`."""
        tried = [q for q in questions if q.id in self.uncovered and q.id in self.given]
        correct = sum(outcome(self.as_now(question)) is Outcome.CORRECT for question in tried)
        return f"practice: {correct} correct of {len(tried)} tried"
