"""The pace of an attempt: time used, compared with questions answered (pure)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lms_tui.views.format import clock
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session
    from lms_tui.wire.exams import Exam

_BEHIND: Final = 0.1
"""Share of the time by which answers may lag before the pace is shown as a warning."""
_STEP: Final = 5
"""Seconds between two changes of the time on this question. A faster count would distract."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The time used and the questions done, as shares from 0 to 1.

    `full` and `short` are texts for wide and narrow screens.
    """

    used: float
    done: float
    full: str
    short: str
    severity: Severity


def seconds_of(exam: "Exam | None", session: "Session") -> float | None:
    """Return the time limit in seconds of the running section or of the exam, or None."""
    if exam is None:
        return None
    running = session.running_section
    if running is None:
        return exam.duration.total_seconds() if exam.duration else None
    ordered = sorted(exam.sections, key=lambda section: section.order)
    found = ordered[running].duration if running < len(ordered) else None
    return found.total_seconds() if found else None


def pace(session: "Session", whole: float | None, left: float | None, on_this: float) -> Pace | None:
    """Compare time and answers. `whole`: the time limit. `left`: the time left. `on_this`: time on this question.

    All in seconds.
    """
    if not whole or left is None or not session.items:
        return None
    running = session.running_section
    items = [item for item in session.items if running is None or item.section == running]
    done = sum(item.answer.given for item in items)
    used = min(1.0, max(0.0, 1 - left / whole))
    share = done / len(items) if items else 1.0
    rest = len(items) - done
    each = f"{clock(left / rest)} for each of {rest} left" if rest else "every question is answered"
    this = clock(on_this // _STEP * _STEP)
    return Pace(
        used,
        share,
        f"time {used:.0%} · answered {share:.0%} · {each} · this one {this}",
        f"time {used:.0%} · done {share:.0%}" + (f" · {clock(left / rest)} each" if rest else ""),
        Severity.WARNING if used - share > _BEHIND else Severity.PLAIN,
    )
