"""How many attempts a student has made, in the database."""

from collections.abc import Collection
from functools import cache

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import IS_RUNNING, Attempt, Exam
from lms_tui.service.exams.retakes import AttemptCounts


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
