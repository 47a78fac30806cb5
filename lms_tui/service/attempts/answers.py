"""The questions of a running attempt without their keys, and the rules for answers."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from functools import cache
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Row, Select, select

from lms_tui.banks.texts import counted
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.asked import COLUMNS, load_asked, with_context
from lms_tui.service.attempts.lifecycle import StudentAttempts, section_index
from lms_tui.service.attempts.records import begun_sections, running_attempt
from lms_tui.service.attempts.rows import AnswerRow
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Question
from lms_tui.service.core.errors import Forbidden, Invalid
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.text import storable
from lms_tui.service.core.urls import Urls
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import Page
from lms_tui.wire.files import FileReference, FileRules
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType, fields_of_type

_MAX_TEXT: Final = 50_000
_MAX_GAPS: Final = 200

AnswerId = Annotated[int, Field(strict=True, ge=1, le=2**63 - 1)]


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class GapBody(_Body):
    order: Annotated[str, Field(pattern=r"^[1-9][0-9]{0,3}$", coerce_numbers_to_str=True)]
    answer: Annotated[str, Field(strict=True, max_length=_MAX_TEXT)]


class AnswerBody(_Body):
    """An omitted or null field keeps its value."""

    selected_answers: Annotated[list[AnswerId], Field(max_length=_MAX_GAPS)] | None = None
    review: Annotated[bool, Field(strict=True)] | None = None
    short_text: Annotated[str, Field(strict=True, max_length=_MAX_TEXT)] | None = None
    essay_text: Annotated[str, Field(strict=True, max_length=_MAX_TEXT)] | None = None
    essay_topic: Annotated[str, Field(strict=True, max_length=_MAX_TEXT)] | None = None
    gap_fill_responses: Annotated[list[GapBody], Field(max_length=_MAX_GAPS)] | None = None


@cache
def _listed() -> Select[*tuple[Any, ...]]:
    """Select what a student sees of the questions of an attempt, in their order."""
    statement = select(
        AttemptQuestion.id,
        AttemptQuestion.attempt_id,
        AttemptQuestion.duration,
        AttemptQuestion.selected_answers,
        AttemptQuestion.short_text,
        AttemptQuestion.essay_text,
        AttemptQuestion.essay_topic,
        AttemptQuestion.gap_fill_responses,
        AttemptQuestion.review,
        AttemptQuestion.option_order,
        *COLUMNS,
    ).join(Question, Question.id == AttemptQuestion.question_id)
    return with_context(statement).order_by(AttemptQuestion.order)


@frozen
class AttemptQuestions:
    """The questions of a student's attempts."""

    student: StudentAttempts

    def page(self, attempt_id: int, paging: Paging, section_id: int | None = None) -> Page[wire.AttemptQuestion]:
        """List questions without keys. In an exam with locking sections, only those of sections that have begun."""
        self.student.close_overdue()
        with self.student.database.read() as session:
            attempt = running_attempt(session, self.student.user_id, attempt_id)
            statement = self._begun(attempt, _listed().where(AttemptQuestion.attempt_id == attempt.id), section_id)

            def present(rows: Sequence[Row[*tuple[Any, ...]]]) -> list[wire.AttemptQuestion]:
                asked = load_asked(session, rows)
                return [
                    wire.AttemptQuestion(
                        question=asked[row.question_id].view(row.option_order),
                        **answer_fields(row, self.student.urls),
                    )
                    for row in rows
                ]

            return paging.of_columns(session, statement, present)

    def _begun(self, attempt: Attempt, statement: Select[*tuple[Any, ...]], section_id: int | None) -> Select[Any]:
        begun = begun_sections(attempt, self.student.now)
        if section_id is not None:
            section_index(attempt, section_id)
            if begun is not None and section_id not in begun:
                raise Forbidden("This section has not started yet.")
            begun = [section_id]
        return statement if begun is None else statement.where(AttemptQuestion.section_id.in_(begun))


def _problem_of_choice(kind: str, options: AbstractSet[int], selected: AbstractSet[int]) -> str:
    if selected and kind not in CHOICE_TYPES:
        return "This question does not accept selected answers."
    if not selected <= options:
        return "A selected option does not belong to this question."
    if kind == QuestionType.SINGLE and len(selected) > 1:
        return "This question accepts only one option."
    return ""


def _problem_of_files(gaps: Sequence[GapBody], rules: FileRules) -> str:
    files = [FileReference.read(gap.answer) for gap in gaps]
    types = {file.type for file in files if file is not None}
    if None in files:
        return "An answer to this question is a list of files."
    if {gap.order for gap in gaps} != {str(order) for order in range(1, len(gaps) + 1)}:
        return "The numbers of the files are not 1, 2 and so on."
    if len(gaps) > rules.most:
        return f"This question accepts at most {counted(rules.most, 'file')}."
    if rules.types and not types <= set(rules.types):
        return f"This question accepts only files of these types: {', '.join(rules.types)}."
    return ""


def check(kind: str, options: AbstractSet[int], body: AnswerBody, files: FileRules) -> None:
    """Raise Invalid unless the answer fits the type of the question, its option IDs, and the files that it accepts."""
    problems: dict[str, list[str]] = {}
    if problem := _problem_of_choice(kind, options, set(body.selected_answers or ())):
        problems["selected_answers"] = [problem]
    fields = fields_of_type(kind)
    for name in ("short_text", "essay_text", "essay_topic", "gap_fill_responses"):
        if getattr(body, name) and name not in fields:
            problems[name] = ["This question does not accept this field."]
    if body.gap_fill_responses and len({gap.order for gap in body.gap_fill_responses}) < len(body.gap_fill_responses):
        problems["gap_fill_responses"] = ["A gap has two answers."]
    elif kind == QuestionType.FILES and (problem := _problem_of_files(body.gap_fill_responses or (), files)):
        problems["gap_fill_responses"] = [problem]
    if problems:
        raise Invalid(problems)


def apply(row: AttemptQuestion | AnswerRow, body: AnswerBody, spent: timedelta, now: datetime) -> None:
    """Write the answer to the row. `spent`: the time that it took. An answered question counts as visited."""
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


def answer_fields(row: Row[*tuple[Any, ...]] | AnswerRow, urls: Urls) -> dict[str, Any]:
    """Return the fields of a question that belong to the attempt."""
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
