"""Marks by hand: of essays and files, and in place of automatic marks. They count once they are released.

A second marker can give second marks. Where both differ by more than is allowed, the answer waits for final marks.
Otherwise the mean of both counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final

from sqlalchemy import Select, delete, insert, literal, select, update
from sqlalchemy.orm import Session, aliased, joinedload

from lms_tui.banks.scoring import BY_HAND, Outcome
from lms_tui.common.frozen import frozen
from lms_tui.service.core.answer_words import gaps_in_words
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import (
    IS_RELEASED,
    Attempt,
    AttemptQuestion,
    Correction,
    Exam,
    HandMark,
    Question,
    SecondMark,
    User,
)
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.naming import find_user, user_named
from lms_tui.service.core.text import storable
from lms_tui.service.grading.rescoring import rescore
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.grading import Marker
from lms_tui.wire.question_types import QuestionType

_PLACES: Final = Decimal("0.01")
_ENDED: Final = Attempt.state == AttemptState.COMPLETED


@frozen
class Mark:
    """Marks for the answer of a student to a question. `question`: its number.

    The student is named by `username`, for the newest ended attempt, or by `attempt`. `reason`: why the automatic marks
    are wrong, which essays and files do not need. `points`: of each criterion of the rubric, in place of `marks`.
    """

    question: int
    marks: Decimal
    username: str = ""
    attempt: int = 0
    comment: str = ""
    reason: str = ""
    marker: Marker = Marker.FIRST
    points: tuple[Decimal, ...] = ()


@frozen
class Paper:
    """An answer that a person marks.

    `given`: the newest marks by hand, or None. `is_released`: students see them. `second`: those of a second marker.
    """

    answer_id: int
    attempt: int
    username: str
    name: str
    question: int
    maximum: Decimal
    given: Decimal | None
    comment: str
    is_released: bool
    second: Decimal | None = None

    def differs(self, allowed: Decimal) -> bool:
        """Return whether two marks differ by more than is allowed."""
        return self.given is not None and self.second is not None and abs(self.given - self.second) > allowed


def marked_by_hand(exam: Exam, question: int = 0) -> Select[int]:
    """Select the ID of each answer of an ended attempt that a person marks, by question and then by attempt.

    `question`: only this one, also if it has short texts, which are marked automatically.
    """
    statement = (
        select(AttemptQuestion.id)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .where(Attempt.exam_id == exam.id, _ENDED, AttemptQuestion.outcome != Outcome.UNANSWERED)
        .where(Question.kind.in_({*BY_HAND, QuestionType.SHORT} if question else BY_HAND))
        .where(Question.correction != Correction.VOID)
        .order_by(Question.order, Attempt.id)
    )
    return statement.where(Question.order == question) if question else statement


def papers(
    session: Session,
    exam: Exam,
    *,
    question: int = 0,
    username: str = "",
    marked: bool = False,
    answers: Sequence[int] | None = None,
) -> list[Paper]:
    """Return the answers of ended attempts that wait for marks, by question and then by attempt.

    `question`, `username`: only of these. `marked`: also those that have marks. `answers`: these, as `marked_by_hand`
    selects them.
    """
    draft, released = aliased(HandMark), aliased(HandMark)
    statement = (
        select(AttemptQuestion.id, Attempt.id, User, Question.order, Question.marks, draft, released, SecondMark.marks)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .join(User, User.id == Attempt.user_id)
        .join(Question, Question.id == AttemptQuestion.question_id)
        .outerjoin(draft, (draft.attempt_question_id == AttemptQuestion.id) & ~draft.is_released)
        .outerjoin(released, (released.attempt_question_id == AttemptQuestion.id) & released.is_released)
        .outerjoin(SecondMark, SecondMark.attempt_question_id == AttemptQuestion.id)
        .where(AttemptQuestion.id.in_(marked_by_hand(exam).order_by(None) if answers is None else answers))
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
            second=second,
        )
        for answer, attempt, user, number, maximum, new, old, second in session.execute(statement)
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
    if mark.points:
        mark = of_points(question, mark)
    _check(question, mark)
    row, user = _answer(session, exam, question, mark)
    draft, second = session.get(HandMark, (row.id, False)), session.get(SecondMark, row.id)
    if mark.marker is Marker.SECOND:
        if draft is None or draft.by == by[:200]:
            raise Invalid({"marks": ["Another person must have given the first marks, which are not released."]})
        before: HandMark | SecondMark | None = second
        second = second or SecondMark(attempt_question_id=row.id)
        target: HandMark | SecondMark = second
    else:
        before = draft or session.get(HandMark, (row.id, True))
        draft = draft or HandMark(attempt_question_id=row.id, is_released=False)
        draft.reason = storable(mark.reason)
        target = draft
        if second is not None and mark.marker is Marker.FINAL:
            session.delete(second)
            second = None
    note(
        session,
        at=now,
        who=by,
        what="marks.give",
        about=f"exam {exam.slug}, question {mark.question}, user {user.username}, attempt {row.attempt_id}",
        before={"marks": row.marks, "comment": ""} if before is None else _values(before),
        after={"marks": mark.marks, "comment": mark.comment, "reason": mark.reason, "marker": mark.marker.value},
    )
    target.marks, target.by, target.at, target.comment = mark.marks, by[:200], now, storable(mark.comment)
    session.add(target)
    session.flush()
    return Paper(
        *(row.id, row.attempt_id, user.username, user.display_name, question.order, question.marks),
        *(draft.marks, draft.comment),
        is_released=False,
        second=None if second is None else second.marks,
    )


def of_points(question: Question, mark: Mark) -> Mark:
    """Return marks that are the sum of the points of the rubric, which the comment begins with. Raises Invalid."""
    limits = [Decimal(row["points"]) for row in question.rubric]
    if len(mark.points) != len(limits) or not all(
        0 <= points <= most for points, most in zip(mark.points, limits, strict=True)
    ):
        words = ", ".join(f"{row['criterion']} 0 to {row['points']}" for row in question.rubric) or "no rubric"
        raise Invalid({"points": [f"Question {question.order} has {words}."]})
    parts = (
        f"{row['criterion']} {points.normalize():f}/{row['points']}"
        for row, points in zip(question.rubric, mark.points, strict=True)
    )
    comment = " · ".join(parts) + (f"\n{mark.comment}" if mark.comment else "")
    return replace(mark, marks=sum(mark.points, Decimal()), comment=comment)


def set_rubric(
    session: Session, exam: Exam, number: int, rubric: Sequence[tuple[str, Decimal]], *, by: str, now: datetime
) -> list[dict[str, str]]:
    """Give a question these criteria with their points, or none. Raises Invalid."""
    question = session.scalar(select(Question).where(Question.exam_id == exam.id, Question.order == number))
    if question is None:
        raise Invalid({"question": [f"The exam {exam.slug} has no question {number}."]})
    if rubric and sum(points for _, points in rubric) != question.marks:
        most = question.marks.normalize()
        raise Invalid({"points": [f"The points of all criteria add up to the marks of question {number}, {most:f}."]})
    if any(points <= 0 or not name.strip() for name, points in rubric):
        raise Invalid({"points": ["A criterion has a name, and points above 0."]})
    rows = [{"criterion": storable(name.strip())[:200], "points": f"{points.normalize():f}"} for name, points in rubric]
    about, before = f"exam {exam.slug}, question {number}", {"rubric": question.rubric}
    note(session, at=now, who=by, what="rubric.set", about=about, before=before, after={"rubric": rows})
    question.rubric = rows
    return rows


def release(
    session: Session, exam: Exam, *, by: str, now: datetime, differ_by: Decimal | None = None
) -> tuple[int, int]:
    """Let all marks by hand count, and mark the attempts again. Return how many they are, and how many answers wait.

    Where two marks differ by more than `differ_by`, the answer waits for final marks. Otherwise their mean counts.
    Where marks of a question count, an answer that was left empty has none of its marks. The exam is locked.
    """
    differing = _join_second_marks(session, exam, differ_by)
    answers = (
        select(AttemptQuestion.id)
        .join(Attempt)
        .where(Attempt.exam_id == exam.id, _ENDED, AttemptQuestion.id.not_in(select(SecondMark.attempt_question_id)))
    )
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
    waiting = len(papers(session, exam)) + differing
    if ids:
        note(session, at=now, who=by, what="marks.release", about=f"exam {exam.slug}", after={"answers": len(ids)})
    return len(ids), waiting


def _join_second_marks(session: Session, exam: Exam, differ_by: Decimal | None) -> int:
    """Replace first and second marks by their mean, unless they differ too much. Return how many do."""
    rows = session.execute(
        select(HandMark, SecondMark)
        .join(SecondMark, SecondMark.attempt_question_id == HandMark.attempt_question_id)
        .join(AttemptQuestion, AttemptQuestion.id == HandMark.attempt_question_id)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .where(Attempt.exam_id == exam.id, ~HandMark.is_released)
    ).all()
    differing = 0
    for first, second in rows:
        if differ_by is not None and abs(first.marks - second.marks) > differ_by:
            differing += 1
            continue
        first.marks = ((first.marks + second.marks) / 2).quantize(_PLACES, ROUND_HALF_UP)
        first.comment = "\n".join(dict.fromkeys(text for text in (first.comment, second.comment) if text))
        session.delete(second)
    session.flush()
    return differing


def answers_of(session: Session, answers: Sequence[int]) -> dict[int, AttemptQuestion]:
    """Return these answers with their questions, by their IDs."""
    statement = select(AttemptQuestion).where(AttemptQuestion.id.in_(answers))
    rows = session.scalars(statement.options(joinedload(AttemptQuestion.question)))
    return {row.id: row for row in rows}


def text_of(row: AttemptQuestion) -> str:
    """Return an answer with its topic, or the names and sizes of its files."""
    files = gaps_in_words(((gap["order"], gap["answer"]) for gap in row.gap_fill_responses), "\n")
    return "\n\n".join(part for part in (row.essay_topic, row.essay_text or row.short_text, files) if part)


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
        user = find_user(session, mark.username)
        statement = statement.where(Attempt.user_id == (0 if user is None else user.id))
    attempt = session.scalar(statement.order_by(Attempt.id.desc()).limit(1))
    own = select(AttemptQuestion).where(AttemptQuestion.question_id == question.id)
    row = None if attempt is None else session.scalar(own.where(AttemptQuestion.attempt_id == attempt.id))
    if attempt is None or row is None:
        named = f"Attempt {mark.attempt}" if mark.attempt else mark.username or "Nobody"
        raise Invalid({"user": [f"{named} has no ended attempt with question {question.order} of {exam.slug}."]})
    return row, session.get_one(User, attempt.user_id)


def _values(mark: HandMark | SecondMark) -> dict[str, object]:
    reason = mark.reason if isinstance(mark, HandMark) else ""
    return {"marks": mark.marks, "comment": mark.comment, "reason": reason}
