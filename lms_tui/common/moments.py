"""The moment that a clock shows."""

from datetime import UTC, datetime
from typing import Protocol


class Wall(Protocol):
    def wall(self) -> float:
        """Return the seconds since 1970."""


def now_of(clock: Wall) -> datetime:
    """Return the moment that the clock shows."""
    return datetime.fromtimestamp(clock.wall(), UTC)
