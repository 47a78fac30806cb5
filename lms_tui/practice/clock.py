"""The clock of practice, which the setting `practice_day` moves to another day for tests."""

from collections.abc import Callable
from datetime import date, datetime


def moved(now: Callable[[], float], day: date | None) -> Callable[[], float]:
    """Return a clock that shows the same time of day on another day. With None it shows the time of the computer."""
    if day is None:
        return now
    days = (day - datetime.fromtimestamp(now()).astimezone().date()).days
    return lambda: now() + days * 86_400.0
