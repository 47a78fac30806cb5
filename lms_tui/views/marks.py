"""What can be got in an exam, and how much of it was (pure)."""

from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.views import format as say
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.exams import Exam

_STEP: Final = Decimal("0.25")
"""Of which the marks of an exam are taken to be multiples."""
_ROUNDED: Final = Decimal("0.005")
"""By as much a figure of two places is off."""
_COUNTS: Final = frozenset({"correct_count", "incorrect_count", "unanswered_count"})


def full_marks(exam: Exam) -> Decimal | None:
    """The most one can get; None where questions have marks of their own or nothing is known."""
    if exam.variable_mark_per_question or exam.mark_per_question is None or not exam.number_of_questions:
        return None
    return exam.mark_per_question * exam.number_of_questions


def most_of(attempt: Attempt) -> Decimal | None:
    """The most that this attempt could get, as its server reckons: essays that nobody has marked yet do not count.

    None where that cannot be told. The document has no field for it: it follows from score and percentage, both of
    them rounded.
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
    """How many answered questions nobody has marked yet, such as essays: neither right, wrong nor unanswered.

    0 where the service tells no counts.
    """
    if not _COUNTS & attempt.model_fields_set:
        return 0
    return max(0, attempt.total_questions - attempt.correct_count - attempt.incorrect_count - attempt.unanswered_count)


def waiting_words(count: int) -> str:
    """`1 answer waits for a person to mark`, without a stop."""
    return f"{say.counted(count, 'answer')} {'waits' if count == 1 else 'wait'} for a person to mark"


def share_of(attempt: Attempt) -> float | None:
    """How much of it, in per cent."""
    told = _percentage(attempt)
    if told is not None:
        return float(told)
    full = full_marks(attempt.exam)
    return float(100 * attempt.score / full) if full and attempt.score is not None else None


def _percentage(attempt: Attempt) -> Decimal | None:
    try:
        share = Decimal(attempt.percentage)
    except InvalidOperation:
        return None
    return share if share.is_finite() else None
