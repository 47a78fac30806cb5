"""The pace of an attempt: time used, compared with questions answered (pure)."""

from typing import TYPE_CHECKING, Final

from lms_tui.common.frozen import frozen
from lms_tui.views.format import clock, percent
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session
    from lms_tui.wire.exams import Exam

_BEHIND: Final = 0.1
"""Share of the time by which answers may lag before the pace is shown as a warning."""
_STEP: Final = 5
"""Seconds between two changes of the time on this question. A faster count would distract."""

_PLAN_STEP: Final = 30
"""Seconds between two values of the time ahead or behind."""


@frozen
class Pace:
    """The time used and the questions done, as shares from 0 to 1.

    `texts` are for wide to narrow screens. `plan` says how far ahead or behind.
    """

    used: float
    done: float
    texts: tuple[str, ...]
    plan: str
    severity: Severity

    def text(self, room: int) -> str:
        """Return the longest text that fits into `room` cells, or the shortest one."""
        return next((text for text in self.texts if len(text) <= room), self.texts[-1])


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
    """Compare time and answers with a plan that gives each question the same time.

    `whole`: the time limit. `left`: the time left. `on_this`: time on this question. All in seconds.
    """
    if not whole or left is None or not session.items:
        return None
    running = session.running_section
    items = [item for item in session.items if running is None or item.section == running]
    done = sum(item.answer.given for item in items)
    used = min(1.0, max(0.0, 1 - left / whole))
    share = done / len(items) if items else 1.0
    rest = len(items) - done
    each = "every question is answered" if not rest else f"{clock(left / rest)} for {_those_left(rest)}"
    planned = whole / len(items) if items else whole
    plan = against_plan((share - used) * whole, planned)
    this = f"this one {clock(on_this // _STEP * _STEP)} of {clock(planned)}"
    shares = f"time {_percent(used)} · answered {_percent(share)}"
    texts = [f"{shares} · {plan} · {each} · {this}", f"{plan} · {this}"]
    if rest:
        texts.insert(1, f"{plan} · {this} · {clock(left / rest)} each")
    return Pace(
        used,
        share,
        tuple(texts),
        plan,
        Severity.WARNING if used - share > _BEHIND else Severity.PLAIN,
    )


def _those_left(count: int) -> str:
    return "the last one" if count == 1 else f"each of {count} left"


def _percent(share: float) -> str:
    return percent(round(100 * share))


def pace_words(now: Pace | None) -> str:
    """Return the pace as a sentence for `--plain`, or "" where there is none."""
    if now is None:
        return ""
    return f"Pace: time used {_percent(now.used)}, answered {_percent(now.done)}, {now.plan}."


def against_plan(ahead: float, planned: float) -> str:
    """`4:30 ahead`, `12:00 behind`, or `on plan` within one question. Half minutes, so that it is steady."""
    if abs(ahead) < max(planned, _PLAN_STEP):
        return "on plan"
    return f"{clock(abs(ahead) // _PLAN_STEP * _PLAN_STEP)} {'ahead' if ahead > 0 else 'behind'}"
