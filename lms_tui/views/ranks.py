"""Rank and percentile among the students who took an exam (pure)."""

from typing import Final

from lms_tui.wire.attempts import Attempt

_FEWEST: Final = 5
"""Students from which a rank and a percentile are shown. Among fewer they say little, and they tell single scores."""


def too_few(attempt: Attempt) -> bool:
    """Return whether too few students have taken the exam for a rank."""
    return bool(attempt.rank and attempt.max_rank and attempt.max_rank < _FEWEST)


def rank_words(attempt: Attempt | None) -> str:
    """Return `13 of 14`, `13` if the number of students is unknown, or "" without a rank to show."""
    if attempt is None or not attempt.rank or too_few(attempt):
        return ""
    return f"{attempt.rank} of {attempt.max_rank}" if attempt.max_rank else str(attempt.rank)
