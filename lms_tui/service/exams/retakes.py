from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import IS_RUNNING, Attempt, Exam


class AttemptCounts(NamedTuple):
    """The attempts of one student at one exam. `running` is 0 or 1."""

    made: int
    running: int


def attempt_counts(session: Session, user_id: int, exams: Collection[int]) -> dict[int, AttemptCounts]:
    """Count the attempts of a student at each of the exams."""
    found = session.execute(_counts(), {"user": user_id, "exams": list(exams)})
    return {exam_id: AttemptCounts(*counts) for exam_id, *counts in found}


@cache
def _counts() -> Select[int, int, int]:
    # A subquery for each exam, because SQLite would read all attempts of the student for a list of exams.
    made = select(func.count()).where(Attempt.user_id == bindparam("user"), Attempt.exam_id == Exam.id)
    running = made.where(IS_RUNNING)
    exams = Exam.id.in_(bindparam("exams", expanding=True))
    return select(Exam.id, made.scalar_subquery(), running.scalar_subquery()).where(exams)


def may_attempt(exam: Exam, attempts: int) -> bool:
    """Return whether one more attempt is allowed. The first attempt is not a retake."""
    return remaining_attempts(exam, attempts) != 0


def remaining_attempts(exam: Exam, attempts: int) -> int | None:
    """Return how many attempts are left, None if unlimited."""
    if not exam.allow_retake:
        return max(0, 1 - attempts)
    if exam.max_retakes is None or exam.max_retakes < 0:
        return None
    return max(0, exam.max_retakes + 1 - attempts)
