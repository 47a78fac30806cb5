"""Percentages and ranks of attempts, as pure functions."""

from decimal import Decimal
from typing import Final

from lms_tui.common.frozen import frozen

_NOTHING: Final = Decimal(0)
_PLACES: Final = Decimal("0.01")


@frozen
class Ranking:
    """The place of a score among all scores.

    `rank` goes 1, 2, 2, 4 and so on. `max_rank` is the number of scores. `percentile` is the percentage of scores at or
    below this one.
    """

    rank: int
    max_rank: int
    percentile: float


def percentage(score: Decimal, maximum: Decimal) -> str:
    share = score * 100 / maximum if maximum > 0 else _NOTHING
    return str(share.quantize(_PLACES) + _NOTHING)


def ranking(at_or_below: int, students: int) -> Ranking:
    """Rank a score that `at_or_below` of all students have or do not reach. Equal scores share the best rank."""
    return Ranking(
        rank=students - at_or_below + 1,
        max_rank=students,
        percentile=percent(at_or_below, students),
    )


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
