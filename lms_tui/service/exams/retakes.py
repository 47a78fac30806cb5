"""How many attempts of an exam a student may still make."""

from typing import TYPE_CHECKING, NamedTuple

from lms_tui.service.exams.rows import ExamRow

if TYPE_CHECKING:
    from lms_tui.service.core.database.tables import Exam


class AttemptCounts(NamedTuple):
    """The attempts of one student at one exam. `running` is 0 or 1."""

    made: int
    running: int


def may_attempt(exam: "Exam | ExamRow", attempts: int) -> bool:
    """Return whether one more attempt is allowed. The first attempt is not a retake."""
    return remaining_attempts(exam, attempts) != 0


def remaining_attempts(exam: "Exam | ExamRow", attempts: int) -> int | None:
    """Return how many attempts are left, None if unlimited."""
    if not exam.allow_retake:
        return max(0, 1 - attempts)
    if exam.max_retakes is None or exam.max_retakes < 0:
        return None
    return max(0, exam.max_retakes + 1 - attempts)
