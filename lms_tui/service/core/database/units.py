"""The whole numbers in which the database keeps times and marks."""

from datetime import timedelta
from decimal import Decimal
from typing import Final

_PLACES: Final = Decimal("0.0001")
SCALE: Final = 10_000
_ZERO: Final = Decimal(0)
MICROSECOND: Final = timedelta(microseconds=1)


def microseconds(time: timedelta) -> int:
    return time // MICROSECOND


def time_of(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * MICROSECOND


def ten_thousandths(marks: Decimal) -> int:
    """Return marks with four decimal places as a whole number, for exact sorting and sums."""
    return int(marks.quantize(_PLACES) * SCALE)


def marks_of(stored: int) -> Decimal:
    return Decimal(stored) / SCALE if stored else _ZERO
