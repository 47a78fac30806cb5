"""Full marks and time of an exam, and the share of the marks that an attempt got (pure)."""

from datetime import timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.views import format as say
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.exams import Exam

_STEP: Final = Decimal("0.25")
"""Marks of an exam are assumed to be multiples of this."""
_ROUNDED: Final = Decimal("0.005")
"""Largest error of a number that is rounded to two places."""
_COUNTS: Final = frozenset({"correct_count", "incorrect_count", "unanswered_count"})


def time_given(attempt: Attempt) -> timedelta | None:
    """Return the time limit of this student, extra time included, or None without a limit.

    The API has no field for it. The service of this program tells what was left at the end. A server that tells no rest
    leaves the limit of the exam.
    """
    usual = attempt.exam.duration
    if not usual:
        return None
    told = (attempt.time_taken or timedelta()) + (attempt.remaining_time or timedelta())
    return max(usual, timedelta(seconds=round(told.total_seconds())))


def full_marks(exam: Exam) -> Decimal | None:
    """Return the marks of all questions, or None if they differ or are unknown."""
    if exam.variable_mark_per_question or exam.mark_per_question is None or not exam.number_of_questions:
        return None
    return exam.mark_per_question * exam.number_of_questions


def most_of(attempt: Attempt) -> Decimal | None:
    """Return the full marks that the server used for the percentage, or None if they are unknown.

    Answers that are not marked yet do not count. The API has no field for the full marks. They are computed from score
    and percentage, which are rounded.
    """
    full, share = full_marks(attempt.exam), _percentage(attempt)
    if not attempt.score or attempt.score <= 0 or share is None or share <= _ROUNDED:
        return full
    rough = _ROUNDED if attempt.score % _STEP else Decimal(0)
    least, most = (100 * (attempt.score - part * rough) / (share + part * _ROUNDED) for part in (1, -1))
    if full is not None and least <= full <= most:
        return full
    near = (100 * attempt.score / share / _STEP).to_integral_value() * _STEP
    return near if least <= near <= most and most - least < _STEP else None


def unmarked(attempt: Attempt) -> int:
    """Count the answers that are not marked yet, such as essays. 0 if the server sends no counts."""
    if not _COUNTS & attempt.model_fields_set:
        return 0
    return max(0, attempt.total_questions - attempt.correct_count - attempt.incorrect_count - attempt.unanswered_count)


def waiting_words(count: int) -> str:
    """`1 answer is not marked yet`, without a full stop."""
    return f"{say.counted(count, 'answer')} {'is' if count == 1 else 'are'} not marked yet"


def share_of(attempt: Attempt) -> float | None:
    """The score in per cent of full marks."""
    share = _percentage(attempt)
    if share is not None:
        return float(share)
    full = full_marks(attempt.exam)
    return float(100 * attempt.score / full) if full and attempt.score is not None else None


def _percentage(attempt: Attempt) -> Decimal | None:
    try:
        share = Decimal(attempt.percentage)
    except InvalidOperation:
        return None
    return share if share.is_finite() else None
