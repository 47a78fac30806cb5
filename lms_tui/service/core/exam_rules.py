"""What an exam shows, as functions of its columns, for all that holds them."""

from collections.abc import Sequence
from datetime import datetime, timedelta


def answers_shown(*, allowed: bool, only_closed: bool, end: datetime | None, now: datetime) -> bool:
    """Return whether students can see the answers now. An exam without an end has not closed."""
    closed = end is not None and now >= end
    return allowed and (closed or not only_closed)


def has_sections(names: Sequence[str]) -> bool:
    """Return whether students see sections. An exam without sections has a single unnamed one."""
    return len(names) != 1 or bool(names[0])


def sections_lock(durations: Sequence[timedelta | None]) -> bool:
    """Return whether sections run one after the other: there are at least two, and each has a duration."""
    return len(durations) >= 2 and all(durations)
