"""Who is at the demo institute. All of them sign in with the same password, which is public."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Role, User
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.catalogue import EVENING, MORNING, SCHOLARS
from lms_tui.service.exams.importer import batch_named

PASSWORD: Final = "practice"  # noqa: S105 - public by intent, for loopback only


@dataclass(frozen=True, slots=True)
class Person:
    """`strength`: the share of questions that a student tends to get right."""

    username: str
    first_name: str
    last_name: str
    gender_code: str
    born: date
    city: str
    state_code: str
    batches: tuple[str, ...] = ()
    strength: float = 0.5
    role: Role = Role.STUDENT


STAFF: Final = (
    Person("admin", "Sunita", "Menon", "female", date(1979, 3, 14), "Pune", "IN-MH", role=Role.ADMIN),
    Person("staff", "Prakash", "Joshi", "male", date(1985, 8, 2), "Pune", "IN-MH", role=Role.MODERATOR),
    Person("mentor", "Farida", "Khan", "female", date(1988, 11, 23), "Hyderabad", "IN-TS", role=Role.MENTOR),
    Person("devika", "Devika", "Rao", "female", date(1991, 2, 6), "Mysuru", "IN-KA", role=Role.MENTOR),
)
STUDENTS: Final = (
    Person("asha", "Asha", "Nair", "female", date(2009, 5, 9), "Kochi", "IN-KL", (MORNING, SCHOLARS), 0.7),
    Person("ravi", "Ravi", "Kumar", "male", date(2009, 1, 26), "Patna", "IN-BR", (MORNING,), 0.6),
    Person("meera", "Meera", "Iyer", "female", date(2009, 7, 3), "Chennai", "IN-TN", (MORNING, SCHOLARS), 0.92),
    Person("arjun", "Arjun", "Reddy", "male", date(2008, 12, 17), "Vijayawada", "IN-AP", (MORNING,), 0.8),
    Person("fatima", "Fatima", "Sheikh", "female", date(2009, 4, 21), "Bhopal", "IN-MP", (MORNING, SCHOLARS), 0.85),
    Person("gurpreet", "Gurpreet", "Singh", "male", date(2009, 9, 30), "Ludhiana", "IN-PB", (MORNING,), 0.55),
    Person("lakshmi", "Lakshmi", "Pillai", "female", date(2009, 2, 11), "Kollam", "IN-KL", (MORNING,), 0.75),
    Person("imran", "Imran", "Ansari", "male", date(2008, 10, 5), "Lucknow", "IN-UP", (EVENING, SCHOLARS), 0.65),
    Person("sneha", "Sneha", "Patil", "female", date(2009, 6, 15), "Kolhapur", "IN-MH", (EVENING,), 0.5),
    Person("tenzin", "Tenzin", "Dorjee", "male", date(2009, 3, 28), "Gangtok", "IN-SK", (EVENING, SCHOLARS), 0.7),
    Person("ananya", "Ananya", "Das", "female", date(2009, 8, 19), "Kolkata", "IN-WB", (EVENING,), 0.88),
    Person("joseph", "Joseph", "Fernandes", "male", date(2008, 11, 8), "Margao", "IN-GA", (EVENING,), 0.42),
    Person("kavita", "Kavita", "Rathore", "female", date(2009, 1, 4), "Jodhpur", "IN-RJ", (EVENING,), 0.6),
    Person("suresh", "Suresh", "Mahato", "male", date(2009, 5, 25), "Ranchi", "IN-JH", (EVENING,), 0.35),
    Person("zoya", "Zoya", "Mir", "female", date(2009, 10, 12), "Srinagar", "IN-JK", (EVENING, SCHOLARS), 0.78),
    Person("vikram", "Vikram", "Chauhan", "male", date(2008, 9, 1), "Shimla", "IN-HP", (MORNING,), 0.48),
)


def add_people(session: Session, passwords: Passwords, now: datetime) -> dict[str, User]:
    """Add who is missing, by username, and return the students; an account that is there keeps its password."""
    password_hash = passwords.hash_public(PASSWORD)
    usernames = [person.username for person in (*STAFF, *STUDENTS)]
    known = {user.username: user for user in session.scalars(select(User).where(User.username.in_(usernames)))}
    for person in (*STAFF, *STUDENTS):
        if person.username not in known:
            known[person.username] = _user(session, person, password_hash, now)
    session.add_all(known.values())
    session.flush()
    return {person.username: known[person.username] for person in STUDENTS}


def _user(session: Session, person: Person, password_hash: str, now: datetime) -> User:
    return User(
        username=person.username,
        role=person.role.value,
        password_hash=password_hash,
        tokens_valid_from=now,
        first_name=person.first_name,
        last_name=person.last_name,
        email=f"{person.username}@institute.example",
        birth_date=person.born,
        gender_code=person.gender_code,
        city=person.city,
        state_code=person.state_code,
        created=now,
        modified=now,
        batches=[batch_named(session, name, now) for name in person.batches],
    )
