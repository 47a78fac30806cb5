"""A throw-away institute for one exam file: one user, one course, everything open."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import select

from lms_tui.banks.model import Exam
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.exams.importer import import_exam

PASSWORD: Final = "practice"  # noqa: S105  # public, and refused anywhere but on loopback
_COURSE: Final = "Dry run"


def furnish(
    database: Database,
    exams: Callable[[], Sequence[Exam]],
    username: str,
    passwords: Passwords,
    now: datetime,
    slug: str = "",
) -> None:
    """Import exams for a user who is made when there is none; raises what `exams` raises.

    `slug`: of the first exam, in the place of its own. A database that holds exams already is one to go on with, and
    nobody is asked for any.
    """
    with database.read() as session:
        if session.scalar(select(tables.Exam.id).limit(1)) is not None:
            return
    given = list(exams())
    if slug:
        given[:1] = [replace(exam, slug=slug) for exam in given[:1]]
    with database.write() as session:
        if session.scalar(select(tables.User.id).where(tables.User.username == username)) is None:
            session.add(
                tables.User(
                    username=username,
                    password_hash=passwords.hash_public(PASSWORD),
                    tokens_valid_from=now,
                    created=now,
                    modified=now,
                )
            )
        for exam in given:
            import_exam(session, exam, course=_COURSE, now=now, start_date=now - timedelta(days=1), is_public=True)


def read_files(files: Sequence[Path]) -> list[Exam]:
    """Read exam files; raises OSError and NotAnExam."""
    from lms_tui.banks.reader import LARGEST, read_exam  # noqa: PLC0415  # most practice is given its exam

    exams = []
    for path in files:
        with path.open("rb") as stream:
            # As much as a reader takes, and a byte more that tells it of the rest.
            exams.append(read_exam(stream.read(LARGEST + 1), path.name).exam)
    return exams
