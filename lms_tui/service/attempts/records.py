"""Attempts in the database, and their clocks."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload, selectinload

from lms_tui.service.attempts.clock import AttemptClock, SectionClock
from lms_tui.service.attempts.rows import AttemptRow, SectionRow
from lms_tui.service.core.database.tables import Attempt, AttemptSection, Exam
from lms_tui.service.core.errors import Forbidden, already_ended, not_yours
from lms_tui.wire.attempt_states import AttemptState

WITH_ALL = (
    joinedload(Attempt.user),
    selectinload(Attempt.exam).joinedload(Exam.course),
    selectinload(Attempt.exam).selectinload(Exam.sections),
    selectinload(Attempt.sections),
)
"""Loader options for views of attempts."""


def check_owner(session: Session, user_id: int, attempt_id: int) -> None:
    """Raise Forbidden if the attempt is missing or belongs to another user."""
    if session.scalar(select(Attempt.id).where(Attempt.id == attempt_id, Attempt.user_id == user_id)) is None:
        raise not_yours()


def own_attempt(session: Session, user_id: int, attempt_id: int, *, lock: bool = False) -> Attempt:
    """Return an attempt with its sections. Raises Forbidden if it is missing or belongs to another user.

    With `lock`, the row is locked until the transaction ends.
    """
    statement = (
        select(Attempt)
        .where(Attempt.id == attempt_id, Attempt.user_id == user_id)
        .options(selectinload(Attempt.sections))
    )
    found = session.scalar(statement.with_for_update() if lock else statement)
    if found is None:
        raise not_yours()
    return found


def running_attempt(session: Session, user_id: int, attempt_id: int, *, lock: bool = False) -> Attempt:
    """Return an own, running attempt. Raises Forbidden for an ended one."""
    attempt = own_attempt(session, user_id, attempt_id, lock=lock)
    if attempt.state != AttemptState.RUNNING:
        raise already_ended()
    return attempt


def completed_attempt(session: Session, user_id: int, attempt_id: int) -> Attempt:
    attempt = own_attempt(session, user_id, attempt_id)
    if attempt.state != AttemptState.COMPLETED:
        raise Forbidden("The exam has not ended yet.")
    return attempt


def clock_of(attempt: Attempt | AttemptRow) -> AttemptClock:
    rows: Sequence[AttemptSection | SectionRow] = attempt.sections
    sections = tuple(
        SectionClock(section.allowed, section.time_taken, AttemptState(section.state), section.over)
        for section in rows
        if section.allowed is not None
    )
    paused = attempt.paused is not None
    return AttemptClock(attempt.allowed, attempt.time_taken, attempt.last_contact, sections, paused)


def write_clock(attempt: Attempt | AttemptRow, clock: AttemptClock) -> None:
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


def is_overdue(attempt: Attempt | AttemptRow, now: datetime, grace: timedelta) -> bool:
    """Return whether the time has been over for longer than `grace`."""
    return attempt.state == AttemptState.RUNNING and attempt.deadline is not None and attempt.deadline + grace < now
