"""Marks by hand: of essays and files, and in place of automatic marks. They count once they are released."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import delete, insert, literal, select, update
from sqlalchemy.orm import Session, aliased, joinedload

from lms_tui.banks.scoring import BY_HAND, Outcome
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import (
    IS_RELEASED,
    Attempt,
    AttemptQuestion,
    Correction,
    Exam,
    HandMark,
    Question,
    User,
)
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.naming import user_named
from lms_tui.service.core.text import storable
from lms_tui.service.grading.rescoring import rescore
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.question_types import QuestionType

_PLACES: Final = Decimal("0.01")
_ENDED: Final = Attempt.state == AttemptState.COMPLETED


@dataclass(frozen=True, slots=True)
class Mark:
    """Marks for the answer of a student to a question. `question`: its number.

    The student is named by `username`, for the newest ended attempt, or by `attempt`. `reason`: why the automatic marks
    are wrong, which essays and files do not need.
    """

    question: int
    marks: Decimal
    username: str = ""
    attempt: int = 0
    comment: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """An answer that a person marks. `given`: the newest marks by hand, or None. `is_released`: students see them."""

    answer_id: int
    attempt: int
    username: str
    name: str
    question: int
    maximum: Decimal
    given: Decimal | None
    comment: str
    is_released: bool


def papers(
    session: Session,
    exam: Exam,
    *,
    question: int = 0,
    username: str = "",
    marked: bool = False,
    short_texts: bool = False,
) -> list[Paper]:
    """Return the answers of ended attempts that wait for marks, by question and then by attempt.

    `question`, `username`: only of these. `marked`: also those that have marks. `short_texts`: also short texts,
    which are marked automatically.
    """
    draft, released = aliased(HandMark), aliased(HandMark)
    statement = (
        select(AttemptQuestion.id, Attempt.id, User, Question.order, Question.marks, draft, released)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .join(User, User.id == Attempt.user_id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .outerjoin(draft, (draft.attempt_question_id == AttemptQuestion.id) & ~draft.is_released)
        .outerjoin(released, (released.attempt_question_id == AttemptQuestion.id) & released.is_released)
        .where(Attempt.exam_id == exam.id, _ENDED, AttemptQuestion.outcome != Outcome.UNANSWERED)
        .where(Question.kind.in_({*BY_HAND, QuestionType.SHORT} if short_texts else BY_HAND))
        .where(Question.correction != Correction.VOID)
        .order_by(Question.order, Attempt.id)
    )
    if question:
        statement = statement.where(Question.order == question)
    if username:
        statement = statement.where(User.id == select(user_named(username).subquery().c.id).scalar_subquery())
    if not marked:
        statement = statement.where(draft.marks.is_(None), released.marks.is_(None))
    return [
        Paper(
            answer,
            attempt,
            user.username,
            user.display_name,
            number,
            maximum,
            **_newest(new, old),
        )
        for answer, attempt, user, number, maximum, new, old in session.execute(statement)
    ]


def _newest(draft: HandMark | None, released: HandMark | None) -> dict[str, Any]:
    """Return the fields of a Paper about its marks."""
    newest = released if draft is None else draft
    if newest is None:
        return {"given": None, "comment": "", "is_released": False}
    return {"given": newest.marks, "comment": newest.comment, "is_released": newest.is_released}


def give(session: Session, exam: Exam, mark: Mark, *, by: str, now: datetime) -> Paper:
    """Keep marks for an answer. Students see them once they are released. Raises Invalid."""
    question = session.scalar(select(Question).where(Question.exam_id == exam.id, Question.order == mark.question))
    if question is None:
        raise Invalid({"question": [f"The exam {exam.slug} has no question {mark.question}."]})
    _check(question, mark)
    row, user = _answer(session, exam, question, mark)
    draft = session.get(HandMark, (row.id, False))
    before = draft or session.get(HandMark, (row.id, True))
    note(
        session,
        at=now,
        who=by,
        what="marks.give",
        about=f"exam {exam.slug}, question {mark.question}, user {user.username}, attempt {row.attempt_id}",
        before={"marks": row.marks, "comment": ""} if before is None else _values(before),
        after={"marks": mark.marks, "comment": mark.comment, "reason": mark.reason},
    )
    if draft is None:
        draft = HandMark(attempt_question_id=row.id, is_released=False)
        session.add(draft)
    draft.marks, draft.by, draft.at = mark.marks, by[:200], now
    draft.comment, draft.reason = storable(mark.comment), storable(mark.reason)
    session.flush()
    return Paper(
        *(row.id, row.attempt_id, user.username, user.display_name, question.order, question.marks),
        *(mark.marks, mark.comment, False),
    )


def release(session: Session, exam: Exam, *, by: str, now: datetime) -> tuple[int, int]:
    """Let all marks by hand count, and mark the attempts again. Return how many they are, and how many answers wait.

    Where marks of a question count, an answer that was left empty has none of its marks. The exam is locked.
    """
    answers = select(AttemptQuestion.id).join(Attempt).where(Attempt.exam_id == exam.id, _ENDED)
    drafts = select(HandMark.attempt_question_id).where(
        ~HandMark.is_released, HandMark.attempt_question_id.in_(answers.scalar_subquery())
    )
    ids = session.scalars(drafts).all()
    session.execute(delete(HandMark).where(HandMark.is_released, HandMark.attempt_question_id.in_(drafts)))
    session.execute(
        update(HandMark)
        .where(~HandMark.is_released, HandMark.attempt_question_id.in_(answers))
        .values(is_released=True)
        .execution_options(synchronize_session=False)
    )
    released = (
        select(AttemptQuestion.question_id)
        .join(HandMark, IS_RELEASED)
        .where(AttemptQuestion.id.in_(answers))
        .distinct()
    )
    questions = session.scalars(released).all()
    _mark_empty(session, exam, questions, by, now)
    rescore(session, exam.id, questions)
    waiting = len(papers(session, exam))
    if ids:
        note(session, at=now, who=by, what="marks.release", about=f"exam {exam.slug}", after={"answers": len(ids)})
    return len(ids), waiting


def texts_of(session: Session, answers: Sequence[int]) -> dict[int, tuple[Question, str]]:
    """Return the question of each answer, and the answer with its topic."""
    statement = select(AttemptQuestion).where(AttemptQuestion.id.in_(answers))
    rows = session.scalars(statement.options(joinedload(AttemptQuestion.question)))
    return {
        row.id: (
            row.question,
            "\n\n".join(part for part in (row.essay_topic, row.essay_text or row.short_text) if part),
        )
        for row in rows
    }


def _mark_empty(session: Session, exam: Exam, questions: Sequence[int], by: str, now: datetime) -> None:
    """Give no marks for empty essays of questions whose marks count."""
    there = select(HandMark.attempt_question_id)
    values = (literal(True), literal(Decimal(0), HandMark.marks.type), literal(""), literal(""))
    empty = (
        select(AttemptQuestion.id, *values, literal(by[:200]), literal(now, HandMark.at.type))
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .where(Attempt.exam_id == exam.id, _ENDED, AttemptQuestion.outcome == Outcome.UNANSWERED)
        .where(Question.id.in_(questions), Question.kind.in_(BY_HAND), AttemptQuestion.id.not_in(there))
    )
    columns = ["attempt_question_id", "is_released", "marks", "comment", "reason", "by", "at"]
    session.execute(insert(HandMark).from_select(columns, empty))


def _check(question: Question, mark: Mark) -> None:
    """Raise Invalid unless the question can have these marks."""
    lowest = Decimal(0) if question.kind in BY_HAND else -abs(question.negative_marks)
    if mark.marks != mark.marks.quantize(_PLACES) or not lowest <= mark.marks <= question.marks:
        span = f"from {lowest.normalize():f} to {question.marks.normalize():f}"
        raise Invalid({"marks": [f"Question {question.order} takes marks {span}, with at most two decimals."]})
    if question.correction == Correction.VOID:
        raise Invalid({"question": [f"Question {question.order} is void, so it takes no marks."]})
    if question.kind not in BY_HAND and not mark.reason.strip():
        raise Invalid(
            {"reason": [f"Question {question.order} is marked automatically. Give a --reason to change that."]}
        )


def _answer(session: Session, exam: Exam, question: Question, mark: Mark) -> tuple[AttemptQuestion, User]:
    statement = select(Attempt).where(Attempt.exam_id == exam.id, _ENDED)
    if mark.attempt:
        statement = statement.where(Attempt.id == mark.attempt)
    else:
        user = session.scalar(user_named(mark.username))
        statement = statement.where(Attempt.user_id == (0 if user is None else user.id))
    attempt = session.scalar(statement.order_by(Attempt.id.desc()).limit(1))
    own = select(AttemptQuestion).where(AttemptQuestion.question_id == question.id)
    row = None if attempt is None else session.scalar(own.where(AttemptQuestion.attempt_id == attempt.id))
    if attempt is None or row is None:
        named = f"Attempt {mark.attempt}" if mark.attempt else mark.username or "Nobody"
        raise Invalid({"user": [f"{named} has no ended attempt with question {question.order} of {exam.slug}."]})
    return row, session.get_one(User, attempt.user_id)


def _values(mark: HandMark) -> dict[str, object]:
    return {"marks": mark.marks, "comment": mark.comment, "reason": mark.reason}
