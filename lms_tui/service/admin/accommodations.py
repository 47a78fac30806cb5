"""Set the accommodations of students from the command line."""

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.admin.administration import Administration, user_of
from lms_tui.service.core.audit import note
from lms_tui.service.core.database.tables import IS_RUNNING, Accommodation, Attempt, Exam, User

Row = dict[str, Any]
_MINUTE = timedelta(minutes=1)


@frozen
class Allowance:
    """The accommodation to set. A field that is None keeps its value."""

    factor: Decimal | None = None
    minutes: int | None = None
    closes_later: int | None = None
    no_limit: bool | None = None


def allow(admin: Administration, usernames: Sequence[str], given: Allowance | None) -> tuple[list[Row], list[str]]:
    """Set the accommodations of users, all or none, and return them with notes. `given`: None removes them."""
    rows, notes = [], []
    with admin.database.write() as session:
        for name in dict.fromkeys(usernames):
            user = user_of(session, name)
            before = _row(user)
            user.accommodation = None if given is None else _changed(user.accommodation, given)
            session.flush()
            running, after = _running(session, user), _row(user)
            note(
                session,
                at=admin.now,
                who=admin.who,
                what="user.allow",
                about=f"user {user.username}",
                before=before,
                after=after,
            )
            rows.append(after)
            if running and given != Allowance():
                notes.append(_unchanged(user.username, running))
    return rows, notes


def _changed(before: Accommodation | None, given: Allowance) -> Accommodation | None:
    if given == Allowance():
        return before
    row = before or Accommodation(factor=Decimal(1), extra=timedelta(), closes_later=timedelta(), no_limit=False)
    if given.factor is not None:
        row.factor = given.factor
    if given.minutes is not None:
        row.extra = given.minutes * _MINUTE
    if given.closes_later is not None:
        row.closes_later = given.closes_later * _MINUTE
    if given.no_limit is not None:
        row.no_limit = given.no_limit
    return row


def _running(session: Session, user: User) -> Sequence[str]:
    """Return the link names of the exams that the user has started and not ended."""
    slugs = select(Exam.slug).join(Attempt).where(Attempt.user_id == user.id, IS_RUNNING).order_by(Exam.slug)
    return session.scalars(slugs).all()


def _unchanged(username: str, slugs: Sequence[str]) -> str:
    return f"{username} has started {', '.join(slugs)}. The time of an exam that has been started stays as it is."


def _row(user: User) -> Row:
    given = user.accommodation
    return {
        "username": user.username,
        "name": user.display_name,
        "factor": 1.0 if given is None else float(given.factor),
        "minutes": 0 if given is None else given.extra // _MINUTE,
        "closes_later": 0 if given is None else given.closes_later // _MINUTE,
        "no_limit": given is not None and given.no_limit,
    }
