from lms_tui.service.core.database.tables import Exam


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
