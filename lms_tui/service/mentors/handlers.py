"""Mentors and their students."""

from typing import Final

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session, selectinload

from lms_tui.service.core.bodies import Body, Names
from lms_tui.service.core.database.tables import User, mentor_students
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.core.naming import rows_named
from lms_tui.service.core.principal import Role
from lms_tui.service.core.urls import Urls
from lms_tui.service.mentors.views import mentor_with_students, student_view
from lms_tui.wire import mentors as wire

_FIELD: Final = "students_username"


class StudentsBody(Body):
    students_username: Names


def listed(session: Session, urls: Urls) -> list[wire.Mentor]:
    """Return every mentor with the number of students, the oldest account first."""
    rows = session.execute(
        select(User, func.count(mentor_students.c.student_id))
        .outerjoin(mentor_students, mentor_students.c.mentor_id == User.id)
        .where(User.role == Role.MENTOR)
        .group_by(User.id)
        .order_by(User.id)
    )
    return [mentor_with_students(mentor, students, urls) for mentor, students in rows]


def students(session: Session, mentor_id: int, urls: Urls) -> list[wire.MentorStudent]:
    """Return the students of a mentor by user name. Raises NotFound for an unknown mentor."""
    _check_mentor(session, mentor_id)
    rows = session.scalars(
        select(User)
        .join(mentor_students, mentor_students.c.student_id == User.id)
        .where(mentor_students.c.mentor_id == mentor_id)
        .order_by(User.username)
        .options(selectinload(User.batches))
    )
    return [student_view(row, urls) for row in rows]


def assign(session: Session, mentor_id: int, usernames: list[str]) -> None:
    """Assign students to a mentor, all or none. A student who is already assigned stays."""
    # The lock makes a simultaneous assignment of the same student wait.
    _check_mentor(session, mentor_id, lock=True)
    found = _students_named(session, usernames)
    held = set(
        session.scalars(
            select(mentor_students.c.student_id).where(
                mentor_students.c.mentor_id == mentor_id,
                mentor_students.c.student_id.in_([student.id for student in found]),
            )
        )
    )
    rows = [{"mentor_id": mentor_id, "student_id": student.id} for student in found if student.id not in held]
    if rows:
        session.execute(insert(mentor_students), rows)


def remove(session: Session, mentor_id: int, usernames: list[str]) -> None:
    """Unassign students from a mentor, and ignore students of other mentors."""
    _check_mentor(session, mentor_id)
    found = _students_named(session, usernames)
    session.execute(
        delete(mentor_students).where(
            mentor_students.c.mentor_id == mentor_id,
            mentor_students.c.student_id.in_([student.id for student in found]),
        )
    )


def _check_mentor(session: Session, mentor_id: int, *, lock: bool = False) -> None:
    statement = select(User.id).where(User.id == mentor_id, User.role == Role.MENTOR)
    if session.scalar(statement.with_for_update() if lock else statement) is None:
        raise NotFound


def _students_named(session: Session, usernames: list[str]) -> list[User]:
    found: list[User] = rows_named(session, User.username, usernames, _FIELD)
    others = [user.username for user in found if user.role != Role.STUDENT]
    if others:
        raise Invalid({_FIELD: [f"“{username}” is not a student." for username in others[:5]]})
    return found
