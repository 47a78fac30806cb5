"""The clock of an attempt as its rows hold it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from lms_tui.service.attempts.clock import AttemptClock, SectionClock
from lms_tui.service.attempts.rows import AttemptRow, SectionRow
from lms_tui.wire.attempt_states import AttemptState

if TYPE_CHECKING:
    from lms_tui.service.core.database.tables import Attempt, AttemptSection


def clock_of(attempt: "Attempt | AttemptRow") -> AttemptClock:
    rows: Sequence[AttemptSection | SectionRow] = attempt.sections
    sections = tuple(
        SectionClock(section.allowed, section.time_taken, AttemptState(section.state), section.over)
        for section in rows
        if section.allowed is not None
    )
    paused = attempt.paused is not None
    return AttemptClock(attempt.allowed, attempt.time_taken, attempt.last_contact, sections, paused)


def write_clock(attempt: "Attempt | AttemptRow", clock: AttemptClock) -> None:
    """Write a clock to the row. A passed deadline stays, because contact must not extend the grace period."""
    attempt.allowed, attempt.time_taken = clock.allowed, clock.taken
    attempt.last_contact = clock.contact
    passed = attempt.deadline is not None and attempt.deadline <= clock.contact
    if not (passed and not clock.left):
        attempt.deadline = clock.deadline
    rows: Sequence[AttemptSection | SectionRow] = attempt.sections
    for row, section in zip(rows, clock.sections, strict=False):
        row.state = section.state.value
        row.allowed, row.time_taken = section.allowed, section.taken
        row.over = section.over


def is_overdue(attempt: "Attempt | AttemptRow", now: datetime, grace: timedelta) -> bool:
    """Return whether the time has been over for longer than `grace`."""
    return attempt.state == AttemptState.RUNNING and attempt.deadline is not None and attempt.deadline + grace < now
