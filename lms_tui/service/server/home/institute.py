"""Read what home and the instructions show first from the SQLite database of an institute, without SQLAlchemy."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple, Self

from lms_tui.service.attempts.fields import attempt_view
from lms_tui.service.attempts.rows import ShownAttemptRow
from lms_tui.service.attempts.shares import Ranking, ranking
from lms_tui.service.attempts.single_exams import ExamWithAttempts, single_view
from lms_tui.service.auth.guesses import Guess, Level
from lms_tui.service.core.database import plain_sqlite
from lms_tui.service.core.database.head import HEAD
from lms_tui.service.core.database.plain_sqlite import sqlite_moment, sqlite_text
from lms_tui.service.core.text import storable
from lms_tui.service.core.urls import Urls
from lms_tui.service.demo.marks import FIRST_BATCH, FIRST_CATEGORY, FIRST_STUDENT
from lms_tui.service.exams.retakes import AttemptCounts
from lms_tui.service.exams.rows import AccommodationRow, ExamRow, ExamSectionRow
from lms_tui.service.exams.views import exam_view, listed_fields
from lms_tui.service.server.fast_path.statements import section_row, shown_row
from lms_tui.service.server.home import statements
from lms_tui.service.users.views import current_view
from lms_tui.wire import attempts as wire
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.exams import ListedExam
from lms_tui.wire.users import CurrentUser

_NEW: Final = AttemptCounts(0, 0)
_NO_TIME: Final = timedelta()


class Account(NamedTuple):
    """The columns of a user that a sign-in needs."""

    id: int
    username: str
    email: str
    tokens_valid_from: datetime
    password_hash: str | None
    is_active: bool


class Institute:
    """Reads in microseconds, and waits for no lock. It raises sqlite3.Error.

    `connection`: between two calls, no transaction is open on it.
    """

    def __init__(self, file: Path) -> None:
        self.connection = plain_sqlite.connect(file)

    @classmethod
    def ready_in(cls, file: Path, *, demo: bool) -> Self | None:
        """Open the demo institute, or that of a dry run. Return None if it must be completed, migrated or explained."""
        try:
            institute = cls(file)
        except sqlite3.Error:
            return None
        if institute._is_ready(demo=demo):
            return institute
        institute.close()
        return None

    def close(self) -> None:
        self.connection.close()

    def _is_ready(self, *, demo: bool) -> bool:
        """Return whether the institute is complete, needs no migration, and can be written."""
        marks = (FIRST_STUDENT, FIRST_BATCH, FIRST_CATEGORY)
        try:
            # The database of a dry run gets its name when it is complete.
            complete = not demo or self.connection.execute(statements.IS_DEMO, marks).fetchone() == (1,)
            return complete and self.connection.execute(statements.TOUCH, (HEAD,)).rowcount == 1
        except sqlite3.Error:
            return False

    def account(self, username: str) -> Account | None:
        name = storable(username)
        found = self.connection.execute(statements.NAMED, {"name": name, "key": name.casefold()}).fetchone()
        if found is None:
            return None
        key, username, email, valid_from, password_hash, is_active = found
        return Account(key, username, email, sqlite_moment(valid_from), password_hash, bool(is_active))

    def levels(self, guess: Guess) -> dict[str, Level]:
        """Return what has been counted of failed sign-ins."""
        found = self.connection.execute(statements.LEVELS, guess.keys)
        return {
            key: Level(sqlite_moment(counted), sqlite_moment(blocked), level) for key, counted, blocked, level in found
        }

    def remember(self, guess: Guess) -> None:
        """Note a sign-in that has succeeded. Raises TooMany if others have failed meanwhile."""
        if guess.is_remembered(self.levels(guess)):
            return
        with self._transaction("IMMEDIATE"):
            for key, level in guess.acquit(self.levels(guess)).items():
                stored = key, sqlite_text(level.counted), sqlite_text(level.blocked_until), level.level
                self.connection.execute(statements.SAVE_LEVEL, stored)

    def user(self, user_id: int, urls: Urls) -> CurrentUser:
        with self._transaction():
            found = self.connection.execute(statements.USER, (user_id,)).fetchone()
            batches = [name for (name,) in self.connection.execute(statements.BATCHES, (user_id,))]
        return current_view(statements.user_row(found, batches), urls)

    def exams(self, statement: str, user_id: int, now: datetime, urls: Urls, most: int) -> list[ListedExam]:
        """List at most so many exams that the student has not begun. `statement`: `AVAILABLE` or `UPCOMING`."""
        with self._transaction():
            given = self._accommodation(user_id)
            rows = self._available(statement, {"user": user_id, "limit": most}, now, given)
        return [ListedExam(**listed_fields(row, urls, now, _NEW, given)) for row in rows]

    def new_exam(self, slug: str, user_id: int, now: datetime, urls: Urls) -> ExamWithAttempts | None:
        """Return an open exam that the student has not begun, or None."""
        with self._transaction():
            given = self._accommodation(user_id)
            rows = self._available(statements.AVAILABLE_NAMED, {"user": user_id, "slug": slug}, now, given)
            aids = [self.connection.execute(statements.AIDS, (row.id,)).fetchone() for row in rows]
        return single_view(listed_fields(rows[0], urls, now, _NEW, given), (), *aids[0]) if rows else None

    def attempts(self, user_id: int, now: datetime, urls: Urls, most: int) -> tuple[list[wire.Attempt], int]:
        """List at most so many attempts of the student, the newest first, and return how many there are."""
        with self._transaction():
            found = self.connection.execute(statements.ATTEMPTS, (user_id, most)).fetchall()
            rows = [shown_row(row, sqlite_moment) for row in found]
            for row in rows:
                for section in self.connection.execute(statements.SECTIONS, (row.id,)):
                    row.sections.append(section_row(section, sqlite_moment))
            exams = {key: self._exam(key) for key in {row.exam_id for row in rows}}
            places = {row.id: self._place(row) for row in rows}
            (count,) = self.connection.execute(statements.COUNT, (user_id,)).fetchone()
        shown = {key: exam_view(exam, urls, now) for key, exam in exams.items()}
        views = [
            attempt_view(
                wire.Attempt, row, exams[row.exam_id], shown[row.exam_id], row.attempts, places[row.id], urls, now
            )
            for row in rows
        ]
        return views, count

    def _available(
        self, statement: str, wanted: dict[str, int | str], now: datetime, given: AccommodationRow | None
    ) -> list[ExamRow]:
        later = _NO_TIME if given is None else given.closes_later
        moments = {"now": sqlite_text(now), "closing": sqlite_text(now - later)}
        found = self.connection.execute(statement, wanted | moments).fetchall()
        return [statements.exam_row(row, self._sections_of(row[0])) for row in found]

    def _accommodation(self, user_id: int) -> AccommodationRow | None:
        found = self.connection.execute(statements.ACCOMMODATION, (user_id,)).fetchone()
        return None if found is None else statements.accommodation_row(found)

    def _exam(self, exam_id: int) -> ExamRow:
        found = self.connection.execute(statements.EXAM, (exam_id,)).fetchone()
        return statements.exam_row(found, self._sections_of(exam_id))

    def _sections_of(self, exam_id: int) -> list[ExamSectionRow]:
        found = self.connection.execute(statements.EXAM_SECTIONS, (exam_id,))
        return [statements.exam_section_row(row) for row in found]

    def _place(self, row: ShownAttemptRow) -> Ranking | None:
        if row.state != AttemptState.COMPLETED:
            return None
        found = self.connection.execute(statements.PLACE, (row.id,)).fetchone()
        return None if found is None else ranking(*found)

    @contextmanager
    def _transaction(self, kind: str = "DEFERRED") -> Iterator[None]:
        self.connection.execute(f"BEGIN {kind}")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.rollback()
            raise
