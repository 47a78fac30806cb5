"""The institute of a dry run: one user, one course, all exams public. It is made without SQLAlchemy, to start fast."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from lms_tui.banks.model import Exam
from lms_tui.service.core.database.head import HEAD
from lms_tui.service.core.database.new_file import new_file
from lms_tui.service.core.database.plain_rows import insert, insert_all
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.slugs import first_free
from lms_tui.service.exams.exam_rows import Row, add_questions, exam_row, exam_slug

PASSWORD: Final = "practice"  # noqa: S105  # public, for loopback only
_COURSE: Final = "Dry run"
_SUBJECT: Final = "SELECT id FROM subjects WHERE name = ? AND parent_id IS ?"
_QUESTIONS: Final = 'SELECT id FROM questions WHERE exam_id = ? ORDER BY "order"'


def make_dry_run(
    file: Path, exams: Sequence[Exam], username: str, passwords: Passwords, now: datetime, slug: str = ""
) -> None:
    """Make the database of a dry run. `slug` replaces that of the first exam.

    Raises FileExistsError if there is a file, other OSErrors, sqlite3.Error, and ValueError for an exam without
    questions.
    """
    with new_file(file) as connection:
        insert(connection, "alembic_version", {"version_num": HEAD})
        insert(connection, "users", _user(username, passwords.hash_public(PASSWORD), now))
        course = insert(connection, "courses", {"name": _COURSE, "is_public": False, "created": now})
        store = _SqliteRows(connection)
        taken: set[str] = set()
        for exam in exams:
            wanted = slug if slug and not taken else exam.slug or exam.title
            free = first_free(exam_slug(wanted), taken)
            add_questions(store, exam, store.add("exams", _exam(exam, course, free, now)))
            taken.add(free)


def _exam(exam: Exam, course: int, slug: str, now: datetime) -> Row:
    return exam_row(exam) | {
        "slug": slug,
        "course_id": course,
        "start_date": now - timedelta(days=1),
        "end_date": None,
        "is_published": True,
        "is_public": True,
        "template_type": 1,
        "rank_publishing_date": None,
        "allow_pdf": False,
        "allow_question_pdf": False,
        # A dry run has no end, and the instructor wants to see the review.
        "answers_after_closing": False,
        "source_digest": "",
        "created": now,
    }


def _user(username: str, password_hash: str, now: datetime) -> Row:
    empty = ("first_name", "last_name", "email", "photo", "address1", "address2", "city", "zip", "phone")
    return {
        "username": username,
        "name_key": username.casefold(),
        "password_hash": password_hash,
        "role": "student",
        "is_active": True,
        **dict.fromkeys(empty, ""),
        "tokens_valid_from": now,
        "created": now,
        "modified": now,
    }


class _SqliteRows:
    """Keeps the rows of an exam in the transaction of a connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, table: str, row: Row) -> int:
        return insert(self._connection, table, row)

    def add_all(self, table: str, rows: Sequence[Row]) -> None:
        insert_all(self._connection, table, rows)

    def find_subject(self, name: str, parent: int | None) -> int | None:
        found = self._connection.execute(_SUBJECT, (name, parent)).fetchone()
        return None if found is None else found[0]

    def question_ids(self, exam_id: int) -> Sequence[int]:
        return [number for (number,) in self._connection.execute(_QUESTIONS, (exam_id,))]


def read_files(files: Sequence[Path]) -> list[Exam]:
    """Read exam files. Raises OSError and NotAnExam."""
    from lms_tui.banks.reader import LARGEST, read_exam  # noqa: PLC0415  # most dry runs receive the exam

    exams = []
    for path in files:
        with path.open("rb") as stream:
            # One byte more than the limit lets the reader refuse a larger file.
            exams.append(read_exam(stream.read(LARGEST + 1), path.name).exam)
    return exams
