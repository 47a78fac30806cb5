"""The parameters of FSRS that fit one student, computed from the reviews of a deck (pure).

The optimizer is that of FSRS in Rust, in the extra `tune`. It has a fixed seed. Tuning with 40,000 reviews takes
about 9 seconds, most of them for the comparison.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError
from lms_tui.practice.grading import Grade, History
from lms_tui.practice.schedule import Memory, Parameters, after_review, read_parameters, recall, written_parameters

FEWEST: Final = 400
"""Repetitions that tuning needs. FSRS advises several hundred."""
_MOST: Final = 50_000
"""Reviews of the newest cards that are used, which bounds the time."""
_FITTED: Final = 0.8
"""The share of the repetitions, the oldest, from which the parameters are computed. The rest tests them."""
_DAY: Final = 86_400.0
_CERTAIN: Final = 1e-4
"""A predicted probability stays this far from 0 and 1, where one answer has an infinite log loss."""
_DIGITS: Final = 6
"""The optimizer computes in 32 bits. Without rounding, 0.8 is above the bound 0.8 of FSRS."""


class TuningError(AdvisedError):
    """The parameters cannot be computed."""


@frozen
class Tuning:
    """Computed parameters. `before`, `after`: the log loss of the tested repetitions with the old and the new ones.

    A repetition is a review a day or more after the review before.
    """

    parameters: Parameters
    repetitions: int
    tested: int
    before: float
    after: float

    @property
    def is_better(self) -> bool:
        return self.after < self.before


def repetitions(histories: Sequence[History]) -> list[float]:
    """Return the moments of all repetitions, the oldest first."""
    return sorted(
        later for history in histories for (earlier, _), (later, _) in pairwise(history) if later - earlier >= _DAY
    )


def tuning(histories: Sequence[History], before: Parameters) -> Tuning:
    """Compute parameters and compare their predictions with those of `before`. Raises TuningError."""
    used = list(_newest(histories))
    moments = repetitions(used)
    if len(moments) < FEWEST:
        words = f"Tuning needs {FEWEST} repetitions, and this deck has {len(moments)}."
        raise TuningError(words, "Practise more. A repetition is an answer a day or more after the one before.")
    until = moments[int(len(moments) * _FITTED)]
    found = _fitted(used, until)
    tested = sum(at >= until for at in moments)
    return Tuning(found, len(moments), tested, log_loss(used, until, before), log_loss(used, until, found))


def _newest(histories: Sequence[History]) -> Iterator[History]:
    count = 0
    for history in histories:
        count += len(history)
        if count > _MOST:
            return
        yield history


def _fitted(histories: Sequence[History], until: float) -> Parameters:
    try:
        from fsrs_rs_python import DEFAULT_PARAMETERS, FSRS, FSRSItem, FSRSReview  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        words = "Install it: python3 -m pip install 'lms-tui[tune]'"
        raise TuningError("Tuning needs the extra tune.", words) from error

    items = []
    for history in histories:
        reviews: list[FSRSReview] = []
        before = history[0][0]
        for at, grade in history:
            if at >= until:
                break
            days = int((at - before) // _DAY)
            reviews.append(FSRSReview(int(grade), days))
            before = at
            if days:
                items.append(FSRSItem(reviews))
    computed = FSRS(DEFAULT_PARAMETERS).compute_parameters(items)
    # Compared as they are stored: rounded, and () for the default ones if FSRS does not accept them.
    return read_parameters(written_parameters(tuple(round(each, _DIGITS) for each in computed)))


def log_loss(histories: Sequence[History], since: float, parameters: Parameters) -> float:
    """Return the mean log loss of the predictions for the repetitions from a moment on. Lower is better."""
    total, count = 0.0, 0
    for history in histories:
        memory: Memory | None = None
        for at, grade in history:
            if memory is not None and at >= since and at - memory.reviewed >= _DAY:
                known = min(max(recall(memory, at, parameters), _CERTAIN), 1 - _CERTAIN)
                total -= math.log(known if grade > Grade.AGAIN else 1 - known)
                count += 1
            memory = after_review(memory, grade, at, parameters)
    return total / count if count else 0.0
