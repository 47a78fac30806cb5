"""A throw-away institute for one exam file: one user, one course, everything open."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import select

from lms_tui.banks.reader import LARGEST, read_exam
from lms_tui.service.db.database import Database
from lms_tui.service.db.tables import Exam, User
from lms_tui.service.exams.importer import import_exam
from lms_tui.service.passwords import Passwords

PASSWORD: Final = "practice"  # noqa: S105  # public, and refused anywhere but on loopback
_COURSE: Final = "Dry run"


def furnish(
    database: Database, files: tuple[Path, ...], username: str, passwords: Passwords, now: datetime, slug: str = ""
) -> None:
    """Import exam files for a user who is made when there is none; raises OSError and NotAnExam.

    `slug`: of the first exam, in the place of its own. A database that holds exams already is one to go on with.
    """
    with database.read() as session:
        if session.scalar(select(Exam.id).limit(1)) is not None:
            return
    exams = [read_exam(_read(path), path.name).exam for path in files]
    if slug:
        exams[:1] = [replace(exam, slug=slug) for exam in exams[:1]]
    with database.write() as session:
        if session.scalar(select(User.id).where(User.username == username)) is None:
            session.add(
                User(
                    username=username,
                    password_hash=passwords.hash_public(PASSWORD),
                    tokens_valid_from=now,
                    created=now,
                    modified=now,
                )
            )
        for exam in exams:
            import_exam(session, exam, course=_COURSE, now=now, start_date=now - timedelta(days=1), is_public=True)


def _read(path: Path) -> bytes:
    """As much as a reader takes, and a byte more that tells it of the rest."""
    with path.open("rb") as stream:
        return stream.read(LARGEST + 1)
