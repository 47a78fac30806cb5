"""The exams of the institute for staff, with the numbers of their attempts."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.orm import Session, joinedload

from lms_tui.banks.scoring import Outcome
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Correction, Exam, Question, mentor_students
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.staff_exams import StaffExam

AT_A_TIME: Final = 100
LISTED: Final = (
    select(Exam)
    .where(~Exam.is_archived, ~Exam.is_bank)
    .order_by(Exam.start_date.desc(), Exam.id)
    .options(joinedload(Exam.course))
)


def of_mentor(mentor_id: int | None) -> ColumnElement[bool]:
    """Return the condition that the student of an attempt is one of a mentor, or any student without a mentor."""
    if mentor_id is None:
        return true()
    own = select(mentor_students.c.student_id).where(mentor_students.c.mentor_id == mentor_id)
    return Attempt.user_id.in_(own)


def exam_views(session: Session, exams: Sequence[Exam], mentor_id: int | None = None) -> list[StaffExam]:
    """Return exams with the numbers of their attempts. `mentor_id`: only those of the students of this mentor."""
    ids = [exam.id for exam in exams]
    own = of_mentor(mentor_id)
    states = select(Attempt.exam_id, Attempt.state, func.count()).where(Attempt.exam_id.in_(ids), own)
    rows = session.execute(states.group_by(Attempt.exam_id, Attempt.state))
    counts = {(exam, state): count for exam, state, count in rows}
    waiting = (
        select(Question.exam_id, func.count(AttemptQuestion.attempt_id.distinct()))
        .join(AttemptQuestion, AttemptQuestion.question_id == Question.id)
        .join(Attempt, Attempt.id == AttemptQuestion.attempt_id)
        .where(Question.exam_id.in_(ids), Question.correction != Correction.VOID, own)
        .where(AttemptQuestion.outcome == Outcome.UNSCORED)
        .group_by(Question.exam_id)
    )
    to_mark = {exam: count for exam, count in session.execute(waiting)}  # noqa: C416  # dict() cannot take rows as the type checker sees them
    return [
        StaffExam(
            id=exam.id,
            slug=exam.slug,
            title=exam.title,
            course=exam.course.name,
            start_date=exam.start_date,
            end_date=exam.end_date,
            is_published=exam.is_published,
            number_of_questions=exam.number_of_questions,
            running=counts.get((exam.id, AttemptState.RUNNING), 0),
            ended=counts.get((exam.id, AttemptState.COMPLETED), 0),
            to_mark=to_mark.get(exam.id, 0),
            may_change=mentor_id is None,
        )
        for exam in exams
    ]
