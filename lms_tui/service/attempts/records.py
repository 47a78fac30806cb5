"""Attempts in the database."""

from collections.abc import Collection
from datetime import datetime
from functools import cache

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session, joinedload

from lms_tui.service.attempts.row_clocks import clock_of
from lms_tui.service.core.database.loading import PARENTS, load_lists
from lms_tui.service.core.database.tables import Attempt, AttemptSection, Exam
from lms_tui.service.core.errors import Forbidden, already_ended, not_yours
from lms_tui.service.exams.sections import load_sections
from lms_tui.wire.attempt_states import AttemptState

# These statements are made once: SQLAlchemy needs as long to make one as to run it.


@cache
def _owned() -> Select[int]:
    return select(Attempt.id).where(Attempt.id == bindparam("attempt"), Attempt.user_id == bindparam("user"))


@cache
def _with_user_and_exam() -> Select[Attempt]:
    return (
        select(Attempt)
        .where(Attempt.id.in_(bindparam("ids", expanding=True)))
        .options(
            joinedload(Attempt.user, innerjoin=True),
            joinedload(Attempt.exam, innerjoin=True).joinedload(Exam.course, innerjoin=True),
        )
    )


@cache
def _sections() -> Select[AttemptSection]:
    return select(AttemptSection).where(AttemptSection.attempt_id.in_(PARENTS)).order_by(AttemptSection.order)


@cache
def _own() -> Select[Attempt]:
    return select(Attempt).where(Attempt.id == bindparam("attempt"), Attempt.user_id == bindparam("user"))


@cache
def _own_locked() -> Select[Attempt]:
    return _own().with_for_update()


def load_with_all(session: Session, ids: Collection[int]) -> dict[int, Attempt]:
    """Load attempts by their IDs with all that views of them need, in three statements."""
    rows = {row.id: row for row in session.scalars(_with_user_and_exam(), {"ids": ids})}
    load_sections(session, {row.exam for row in rows.values()})
    load_lists(session, rows.values(), Attempt.sections, _sections(), AttemptSection.attempt_id)
    return rows


def check_owner(session: Session, user_id: int, attempt_id: int) -> None:
    """Raise Forbidden if the attempt is missing or belongs to another user."""
    if session.scalar(_owned(), {"attempt": attempt_id, "user": user_id}) is None:
        raise not_yours()


def own_attempt(session: Session, user_id: int, attempt_id: int, *, lock: bool = False) -> Attempt:
    """Return an attempt with its sections. Raises Forbidden if it is missing or belongs to another user.

    With `lock`, the row is locked until the transaction ends.
    """
    found = session.scalar(_own_locked() if lock else _own(), {"attempt": attempt_id, "user": user_id})
    if found is None:
        raise not_yours()
    load_lists(session, [found], Attempt.sections, _sections(), AttemptSection.attempt_id)
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


def begun_sections(attempt: Attempt, now: datetime) -> list[int] | None:
    """Return the IDs of the sections whose questions the student may see, or None for the whole exam."""
    clock = clock_of(attempt).at(now)
    begun = [
        section.id
        for index, section in enumerate(attempt.sections)
        if not clock.sections or clock.sections[index].state is not AttemptState.NOT_STARTED
    ]
    return begun if len(begun) < len(attempt.sections) else None
