"""How fast a person goes: the time that is used beside the questions that are done (pure)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session
    from lms_tui.wire.exams import Exam

_BEHIND: Final = 0.1
"""Share of the time by which the questions may lag behind before it is said in colour."""
_STEP: Final = 5
"""Seconds in which the time of this question is counted, so that it does not ask to be watched."""


@dataclass(frozen=True, slots=True)
class Pace:
    """`used`, `done`: shares from 0 to 1; `full` and `short` say the same in less room."""

    used: float
    done: float
    full: str
    short: str
    severity: Severity


def seconds_of(exam: "Exam | None", session: "Session") -> float | None:
    """How long the clock that runs was at its start; None where none runs, or it is not known."""
    if exam is None:
        return None
    running = session.running_section
    if running is None:
        return exam.duration.total_seconds() if exam.duration else None
    ordered = sorted(exam.sections, key=lambda section: section.order)
    found = ordered[running].duration if running < len(ordered) else None
    return found.total_seconds() if found else None


def pace(session: "Session", whole: float | None, left: float | None, on_this: float) -> Pace | None:
    """Compare. `whole`, `left`: seconds of the clock; `on_this`: seconds with the question on the screen so far."""
    if not whole or left is None or not session.items:
        return None
    running = session.running_section
    items = [item for item in session.items if running is None or item.section == running]
    done = sum(item.answer.given for item in items)
    used = min(1.0, max(0.0, 1 - left / whole))
    share = done / len(items) if items else 1.0
    rest = len(items) - done
    each = f"{_clock(left / rest)} for each of {rest} left" if rest else "every question is answered"
    this = _clock(on_this // _STEP * _STEP)
    return Pace(
        used,
        share,
        f"time {used:.0%} · answered {share:.0%} · {each} · this one {this}",
        f"time {used:.0%} · done {share:.0%}" + (f" · {_clock(left / rest)} each" if rest else ""),
        Severity.WARNING if used - share > _BEHIND else Severity.PLAIN,
    )


def _clock(seconds: float) -> str:
    whole = max(0, int(seconds))
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
