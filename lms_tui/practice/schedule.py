"""When a card comes back: FSRS with its default parameters and without steps of minutes (pure).

The session itself repeats a missed card, so that the first interval is a day. Nothing is fitted to one student.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from lms_tui.practice.grading import Grade

if TYPE_CHECKING:
    from fsrs import Scheduler

RETENTION: Final = 0.9
"""The probability of recall at which a card is due."""
_LONGEST: Final = 365


@dataclass(frozen=True, slots=True)
class Memory:
    """The state of a card in FSRS. Times are seconds of the wall clock."""

    stability: float
    difficulty: float
    reviewed: float
    due: float


def after_review(memory: Memory | None, found: Grade, at: float) -> Memory:
    """Return the memory after a review. `memory`: None for the first one. A review in the past counts as now."""
    from fsrs import Card, Rating, State  # noqa: PLC0415 - home counts due cards without it

    moment = datetime.fromtimestamp(at if memory is None else max(at, memory.reviewed), UTC)
    card = Card(card_id=1)
    if memory is not None:
        last = datetime.fromtimestamp(memory.reviewed, UTC)
        due = datetime.fromtimestamp(memory.due, UTC)
        card = Card(1, State.Review, None, memory.stability, memory.difficulty, due, last)
    card, _ = _scheduler().review_card(card, Rating(int(found)), moment)
    return Memory(card.stability or 0.0, card.difficulty or 0.0, moment.timestamp(), card.due.timestamp())


def _scheduler() -> "Scheduler":
    from fsrs import Scheduler  # noqa: PLC0415 - see above

    return Scheduler(
        desired_retention=RETENTION,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=_LONGEST,
        enable_fuzzing=False,
    )


def end_of_day(at: float) -> float:
    """Return the last moment of the day of `at` on this computer. A card that is due until then is due today."""
    day = datetime.fromtimestamp(at).astimezone()
    return (day.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)).timestamp() - 0.001
