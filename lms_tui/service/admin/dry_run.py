"""The institute of a dry run: one user, one course, all exams public."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import select

from lms_tui.banks.model import Exam
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.naming import find_user
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.exams.importer import import_exam

PASSWORD: Final = "practice"  # noqa: S105  # public, for loopback only
_COURSE: Final = "Dry run"


def fill_dry_run(
    database: Database,
    exams: Callable[[], Sequence[Exam]],
    username: str,
    passwords: Passwords,
    now: datetime,
    slug: str = "",
) -> None:
    """Create the user if needed and import the exams, unless the database already holds exams.

    `slug` replaces the slug of the first exam. Raises the errors of `exams`.
    """
    with database.read() as session:
        if session.scalar(select(tables.Exam.id).limit(1)) is not None:
            return
    given = list(exams())
    if slug:
        given[:1] = [replace(exam, slug=slug) for exam in given[:1]]
    with database.write() as session:
        if find_user(session, username) is None:
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
            # A dry run has no end, and the instructor wants to see the review.
            shown = replace(exam, answers_after_closing=False)
            import_exam(session, shown, course=_COURSE, now=now, start_date=now - timedelta(days=1), is_public=True)


def read_files(files: Sequence[Path]) -> list[Exam]:
    """Read exam files. Raises OSError and NotAnExam."""
    from lms_tui.banks.reader import LARGEST, read_exam  # noqa: PLC0415  # most dry runs receive the exam

    exams = []
    for path in files:
        with path.open("rb") as stream:
            # One byte more than the limit lets the reader refuse a larger file.
            exams.append(read_exam(stream.read(LARGEST + 1), path.name).exam)
    return exams
