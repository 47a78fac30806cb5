"""The time left of an exam: the clock, warnings and changes (pure)."""

from lms_tui.attempt.deadline import Deadline
from lms_tui.views.format import clock, spoken
from lms_tui.views.runner import Severity

THRESHOLDS = (60, 300, 600)
"""Seconds left at which the clock warns and a hidden clock is shown again."""


_LEAST_TOLD = 3
"""Seconds. A smaller change is not worth a message."""


def clock_text(left: float | None) -> str:
    """Return the time left such as `01:42:07`, rounded down. Hours may exceed 24."""
    if left is None:
        return "no limit"
    seconds = max(0, int(left))
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def first_tick(left: float | None, fraction: float) -> float:
    """Return the seconds until this fraction of a second of the time left remains, at least 0 and less than 1.

    A clock that is drawn then and after each further second skips no second and shows none twice. It may be drawn a
    little late.
    """
    return fraction if left is None else (left - fraction) % 1.0


def clock_severity(left: float | None) -> Severity:
    if left is None or left > THRESHOLDS[2]:
        return Severity.PLAIN
    return Severity.WARNING if left > THRESHOLDS[0] else Severity.BAD


def warning(before: float | None, left: float | None) -> str:
    """Return the warning for the last threshold between the two times left, or ""."""
    if before is None or left is None:
        return ""
    passed = next((t for t in THRESHOLDS if left <= t < before), None)
    return "" if passed is None or left <= 0 else f"{spoken(passed)} left."


def banner(left: float | None, *, section: bool) -> str:
    """Return the text of the last five minutes, or "" before them. `section`: it is the time of a section."""
    if left is None or not 0 < left <= THRESHOLDS[1]:
        return ""
    return f"{clock(left)} left. {'This section' if section else 'The exam'} ends by itself."


def added(seconds: int) -> str:
    """Return the time that the server has added in whole minutes, such as `+5 min`, or "" below half a minute."""
    minutes = round(seconds / 60)
    return f"+{minutes} min" if minutes > 0 else ""


def change_of_time(before: Deadline, after: Deadline) -> str:
    """Return the message for an end that the server has moved, or "".

    A stopped clock moves the end all the time. A reply that took long leaves open where the end is.
    """
    stopped = before.stopped_at is not None or after.stopped_at is not None
    if before.ends_at is None or after.ends_at is None or stopped:
        return ""
    moved = after.ends_at - before.ends_at
    if abs(moved) < max(_LEAST_TOLD, before.error + after.error):
        return ""
    if moved > 0:
        return f"You have been given {spoken(moved + 0.5)} more."
    return f"The server corrected the time: {spoken(0.5 - moved)} less."
