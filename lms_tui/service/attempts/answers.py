"""Questions of a running attempt: shown without a key, and the rules by which they are answered."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Select, select
from sqlalchemy.orm import joinedload

from lms_tui.service.attempts.lifecycle import Sitting, place_of
from lms_tui.service.attempts.matching import asked_html, offered
from lms_tui.service.attempts.records import clock_of, running_attempt
from lms_tui.service.attempts.rows import AnswerRow
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Question
from lms_tui.service.core.errors import Forbidden, Invalid
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.text import storable
from lms_tui.service.core.urls import Urls
from lms_tui.wire import attempts as wire
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.base import Page
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType, fields_of_type

_LONGEST_TEXT: Final = 50_000
_MOST_GAPS: Final = 200

SHOWN: Final = (
    joinedload(AttemptQuestion.question).selectinload(Question.options),
    joinedload(AttemptQuestion.question).selectinload(Question.pairs),
    joinedload(AttemptQuestion.question).joinedload(Question.passage),
    joinedload(AttemptQuestion.question).joinedload(Question.subject),
)

AnswerId = Annotated[int, Field(strict=True, ge=1, le=2**63 - 1)]


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class GapBody(_Body):
    order: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,3}$", coerce_numbers_to_str=True)]
    answer: Annotated[str, Field(strict=True, max_length=_LONGEST_TEXT)]


class AnswerBody(_Body):
    """What of an answer is to change; a field that is left out or null stays as it is."""

    selected_answers: Annotated[list[AnswerId], Field(max_length=_MOST_GAPS)] | None = None
    review: Annotated[bool, Field(strict=True)] | None = None
    short_text: Annotated[str, Field(strict=True, max_length=_LONGEST_TEXT)] | None = None
    essay_text: Annotated[str, Field(strict=True, max_length=_LONGEST_TEXT)] | None = None
    essay_topic: Annotated[str, Field(strict=True, max_length=_LONGEST_TEXT)] | None = None
    gap_fill_responses: Annotated[list[GapBody], Field(max_length=_MOST_GAPS)] | None = None


@dataclass(frozen=True, slots=True)
class Answering:
    """A student's questions at one moment."""

    sitting: Sitting

    def page(self, attempt_id: int, paging: Paging, section_id: int | None = None) -> Page[wire.AttemptQuestion]:
        """List questions without their keys; where sections lock, only those of sections that have begun."""
        self.sitting.settle()
        with self.sitting.database.read() as session:
            attempt = running_attempt(session, self.sitting.user_id, attempt_id)
            statement = (
                select(AttemptQuestion)
                .where(AttemptQuestion.attempt_id == attempt.id)
                .order_by(AttemptQuestion.order)
                .options(*SHOWN)
            )
            statement = self._begun(attempt, statement, section_id)
            return paging.of_rows(
                session, statement, lambda rows: [question_view(row, self.sitting.urls) for row in rows]
            )

    def _begun(
        self, attempt: Attempt, statement: Select[AttemptQuestion], section_id: int | None
    ) -> Select[AttemptQuestion]:
        clock = clock_of(attempt).at(self.sitting.now)
        begun = [
            section.id
            for place, section in enumerate(attempt.sections)
            if not clock.sections or clock.sections[place].state is not AttemptState.NOT_STARTED
        ]
        if section_id is not None:
            place_of(attempt, section_id)
            if section_id not in begun:
                raise Forbidden("This section has not started yet.")
            begun = [section_id]
        if len(begun) < len(attempt.sections):
            statement = statement.where(AttemptQuestion.section_id.in_(begun))
        return statement


def check(kind: str, options: AbstractSet[int], body: AnswerBody) -> None:
    """Raise Invalid where the answer does not fit a question of this kind with options of these ids."""
    problems: dict[str, list[str]] = {}
    if body.selected_answers:
        if kind not in CHOICE_TYPES:
            problems["selected_answers"] = ["This question is not answered by choosing."]
        elif not options >= set(body.selected_answers):
            problems["selected_answers"] = ["An answer that was selected is not one of this question."]
        elif kind == QuestionType.SINGLE and len(set(body.selected_answers)) > 1:
            problems["selected_answers"] = ["This question takes one answer."]
    fields = fields_of_type(kind)
    for name in ("short_text", "essay_text", "essay_topic", "gap_fill_responses"):
        if getattr(body, name) and name not in fields:
            problems[name] = ["This question is not answered in this way."]
    if body.gap_fill_responses and len({gap.order for gap in body.gap_fill_responses}) < len(body.gap_fill_responses):
        problems["gap_fill_responses"] = ["A gap is answered twice."]
    if problems:
        raise Invalid(problems)


def apply(row: AnswerRow, body: AnswerBody, spent: timedelta, now: datetime) -> None:
    """Write what the body gives into the row; a question that is answered has been visited."""
    if body.selected_answers is not None:
        row.selected_answers = list(dict.fromkeys(body.selected_answers))
    if body.short_text is not None:
        row.short_text = storable(body.short_text)
    if body.essay_text is not None:
        row.essay_text = storable(body.essay_text)
    if body.essay_topic is not None:
        row.essay_topic = storable(body.essay_topic)
    if body.gap_fill_responses is not None:
        row.gap_fill_responses = [
            {"order": gap.order, "answer": storable(gap.answer)} for gap in body.gap_fill_responses
        ]
    row.review = body.review if body.review is not None else bool(row.review)
    row.duration = (row.duration or timedelta()) + spent
    row.first_seen = row.first_seen or now
    row.last_seen = now


def question_view(row: AttemptQuestion, urls: Urls) -> wire.AttemptQuestion:
    return wire.AttemptQuestion(question=body_view(row.question), **answer_fields(row, urls))


def body_view(question: Question) -> wire.AttemptQuestionBody:
    """Show a question without its key."""
    return wire.AttemptQuestionBody(
        question_html=asked_html(question),
        direction=question.passage.html if question.passage else None,
        answers=offered(question),
        essay_topics=list(question.essay_topics),
        subject=question.subject.name if question.subject else "",
        type=question.kind,
    )


def answer_fields(row: AttemptQuestion | AnswerRow, urls: Urls) -> dict[str, Any]:
    """Return what of a question belongs to the attempt."""
    return {
        "id": row.id,
        "url": urls.attempt_question(row.attempt_id, row.id),
        "duration": row.duration,
        "selected_answers": list(row.selected_answers),
        "short_text": row.short_text,
        "essay_text": row.essay_text,
        "essay_topic": row.essay_topic,
        "gap_fill_responses": row.gap_fill_responses,
        "review": row.review,
    }
