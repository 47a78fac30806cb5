"""How well an answer was known: from its outcome, its time and the certainty of the student (pure)."""

from enum import IntEnum, StrEnum
from typing import Final

from lms_tui.banks.scoring import Outcome

SLOW: Final = 1.5
"""An answer is slow if it took this many times the usual time."""
_QUICK: Final = 0.5


class Certainty(StrEnum):
    """How certain a student is of an answer. NONE: the student did not say."""

    NONE = ""
    SURE = "sure"
    THINK = "think so"
    GUESS = "guess"


class Grade(IntEnum):
    """The four ratings of FSRS."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


History = tuple[tuple[float, Grade], ...]
"""The moment and the rating of each review of a card, the oldest first."""


def is_slow(seconds: float | None, usual: float | None) -> bool:
    return bool(seconds is not None and usual and seconds > SLOW * usual)


def grade(
    outcome: Outcome, certainty: Certainty = Certainty.NONE, seconds: float | None = None, usual: float | None = None
) -> Grade:
    """Return the rating of an answer. A partly correct answer is not known yet."""
    if outcome is not Outcome.CORRECT:
        return Grade.AGAIN
    if certainty is Certainty.GUESS or is_slow(seconds, usual):
        return Grade.HARD
    quick = seconds is not None and usual is not None and seconds < _QUICK * usual
    return Grade.EASY if certainty is Certainty.SURE and quick else Grade.GOOD


def needs_card(found: Grade) -> bool:
    """Whether a question with this rating comes back. Later reviews of its card do not end that."""
    return found <= Grade.HARD
