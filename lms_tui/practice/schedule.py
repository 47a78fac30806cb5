"""When a card comes back: FSRS without steps of minutes, with its default parameters or those of one student (pure).

The session itself repeats a missed card, so that the first interval is a day.
"""

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lms_tui.common.frozen import frozen
from lms_tui.practice.grading import Grade

if TYPE_CHECKING:
    from fsrs import Card, Scheduler

RETENTION: Final = 0.9
"""The probability of recall at which a card is due."""
_LONGEST: Final = 365
Parameters = tuple[float, ...]
"""The parameters of FSRS, or () for the default ones."""


@frozen
class Memory:
    """The state of a card in FSRS. Times are seconds of the wall clock."""

    stability: float
    difficulty: float
    reviewed: float
    due: float


def after_review(memory: Memory | None, found: Grade, at: float, parameters: Parameters = ()) -> Memory:
    """Return the memory after a review. `memory`: None for the first one. A review in the past counts as now."""
    from fsrs import Card, Rating  # noqa: PLC0415 - home counts due cards without it

    moment = datetime.fromtimestamp(at if memory is None else max(at, memory.reviewed), UTC)
    card = Card(card_id=1) if memory is None else _card(memory)
    card, _ = _scheduler(parameters).review_card(card, Rating(int(found)), moment)
    return Memory(card.stability or 0.0, card.difficulty or 0.0, moment.timestamp(), card.due.timestamp())


def recall(memory: Memory, at: float, parameters: Parameters = ()) -> float:
    """Return the probability that a card is known at a moment."""
    return _scheduler(parameters).get_card_retrievability(_card(memory), datetime.fromtimestamp(at, UTC))


def written_parameters(parameters: Parameters) -> str:
    return json.dumps(parameters)


@lru_cache(maxsize=4)
def read_parameters(text: str) -> Parameters:
    """Return parameters that were written, or () for a text that holds none that FSRS accepts."""
    if not text:
        return ()
    try:
        found = tuple(float(each) for each in json.loads(text))
        _scheduler(found)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return ()
    return found


def _card(memory: Memory) -> "Card":
    from fsrs import Card, State  # noqa: PLC0415 - see above

    last = datetime.fromtimestamp(memory.reviewed, UTC)
    due = datetime.fromtimestamp(memory.due, UTC)
    return Card(1, State.Review, None, memory.stability, memory.difficulty, due, last)


@lru_cache(maxsize=4)
def _scheduler(parameters: Parameters) -> "Scheduler":
    """Raises ValueError for parameters that FSRS does not accept."""
    from fsrs import Scheduler  # noqa: PLC0415 - see above
    from fsrs.scheduler import DEFAULT_PARAMETERS  # noqa: PLC0415 - see above

    return Scheduler(
        parameters=parameters or DEFAULT_PARAMETERS,
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
