"""The users of the demo institute."""

from datetime import datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import User
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.data import Person, institute_data
from lms_tui.service.exams.importer import batch_named
from lms_tui.service.users.emails import give_email

PASSWORD: Final = "practice"  # noqa: S105 - public by intent, for loopback only


def add_people(session: Session, passwords: Passwords, now: datetime) -> dict[str, User]:
    """Add missing users and return the students by user name. An existing account keeps its password."""
    data = institute_data()
    password_hash = passwords.hash_public(PASSWORD)
    known = find_people(session)
    for person in data.people:
        if person.username not in known:
            known[person.username] = _user(session, person, password_hash, now)
    session.add_all(known.values())
    session.flush()
    return {person.username: known[person.username] for person in data.students}


def find_people(session: Session) -> dict[str, User]:
    """Return the existing users of the demo institute by user name."""
    usernames = [person.username for person in institute_data().people]
    return {user.username: user for user in session.scalars(select(User).where(User.username.in_(usernames)))}


def _user(session: Session, person: Person, password_hash: str, now: datetime) -> User:
    user = User(
        username=person.username,
        role=person.role,
        password_hash=password_hash,
        tokens_valid_from=now,
        first_name=person.first_name,
        last_name=person.last_name,
        birth_date=person.born,
        gender_code=person.gender_code,
        city=person.city,
        state_code=person.state_code,
        created=now,
        modified=now,
        batches=[batch_named(session, name, now) for name in person.batches],
    )
    give_email(session, user, f"{person.username}@institute.example")
    return user
