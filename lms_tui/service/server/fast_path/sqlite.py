"""Heartbeats and answers on SQLite. Statements run on the loop in microseconds, the commit in a thread."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.rows import AttemptRow, SectionRow
from lms_tui.service.attempts.writes import Rows, Write
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.plain_sqlite import sqlite_moment, sqlite_text
from lms_tui.service.core.database.units import microseconds
from lms_tui.service.server.fast_path import statements


class SqliteStore:
    """Writes through one connection and shares the write lock with the other writers of the process."""

    width = 1
    few = 6
    """So few show that the processor has time, and a batch costs it little."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # A separate thread, because the threads of requests may all be busy.
        self._thread = ThreadPoolExecutor(1, "commit")
        database.on_close(self._thread.shutdown)
        self._connection: sqlite3.Connection | None = None

    @asynccontextmanager
    async def unit(self) -> AsyncIterator["SqliteUnit"]:
        await self._lock()
        try:
            connection = await self._begin()
            try:
                yield SqliteUnit(connection)
            except BaseException:
                connection.rollback()
                raise
            await self._in_thread(_commit, connection)
        except sqlite3.OperationalError as error:
            raise OperationalError("a batch of answers", None, error) from error
        finally:
            self._database.write_lock.release()

    async def _in_thread(self, work: Callable[..., object], *arguments: object) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def _lock(self) -> None:
        lock = self._database.write_lock
        # Be fair to waiting threads, because the loop would win every race against a thread that must wake up.
        if lock.has_waiters or not lock.acquire(blocking=False):
            await self._in_thread(lock.acquire)

    async def _begin(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._database.connect_fast_path()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            # Another process writes, and the loop must not wait for it.
            await self._in_thread(_begin_waiting, self._connection, self._database.patience)
        return self._connection


def _begin_waiting(connection: sqlite3.Connection, milliseconds: int) -> None:
    connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.execute("PRAGMA busy_timeout = 0")


def _commit(connection: sqlite3.Connection) -> None:
    try:
        connection.execute("COMMIT")
    except sqlite3.Error:
        connection.rollback()
        raise


class SqliteUnit:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def load(self, writes: Sequence[Write]) -> Rows:
        rows = Rows()
        for write in writes:
            if write.question_id is None and write.attempt_id not in rows.shown:
                self._load_shown(rows, write.attempt_id)
        for write in writes:
            if write.attempt_id not in rows.attempts:
                self._load_attempt(rows, write.attempt_id)
            if write.user_id not in rows.callers:
                self._load_caller(rows, write.user_id)
            if write.question_id is not None and write.question_id not in rows.answers:
                self._load_answer(rows, write.question_id)
        return rows

    def _load_caller(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_CALLER, (key,)):
            rows.callers[key] = statements.caller_row(found, sqlite_moment)

    def _load_shown(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_SHOWN_ATTEMPT, (key,)):
            rows.attempts[key] = rows.shown[key] = shown = statements.shown_row(found, sqlite_moment)
            rows.callers[shown.user_id] = shown.user
            if found[-1]:  # it has sections
                self._load_sections(shown)

    def _load_attempt(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_ATTEMPT, (key,)):
            rows.attempts[key] = attempt = statements.attempt_row(found, sqlite_moment)
            rows.callers[attempt.user_id] = statements.caller_of(found, sqlite_moment)
            if found[-1]:  # its sections have time limits
                self._load_sections(attempt)

    def _load_sections(self, attempt: AttemptRow) -> None:
        for found in self._connection.execute(_SECTIONS, (attempt.id,)):
            attempt.sections.append(statements.section_row(found, sqlite_moment))

    def _load_answer(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_ANSWER, (key,)):
            rows.answers[key] = statements.answer_row(found)

    async def save(self, rows: Rows) -> None:
        execute = self._connection.execute
        for attempt in rows.worked.values():
            execute(_SAVE_WORK, (_stored(attempt.last_answer), attempt.answers_seen, attempt.id))
        for attempt in rows.clocks.values():
            execute(
                _SAVE_CLOCK,
                (
                    microseconds(attempt.time_taken),
                    _stored(attempt.last_contact),
                    _stored(attempt.deadline),
                    attempt.id,
                ),
            )
            if attempt.sections and attempt.sections[0].allowed is not None:
                self._connection.executemany(_SAVE_SECTION, _sections(attempt.sections))
        for answer in rows.changed_answers.values():
            seen = _stored(answer.last_seen)
            execute(
                _SAVE_ANSWER,
                (
                    to_json(answer.selected_answers).decode(),
                    answer.short_text,
                    answer.essay_text,
                    answer.essay_topic,
                    to_json(answer.gap_fill_responses).decode(),
                    answer.review,
                    to_json(answer.answer_stamps).decode(),
                    None if answer.duration is None else microseconds(answer.duration),
                    seen if answer.first_seen is answer.last_seen else _stored(answer.first_seen),
                    seen,
                    answer.id,
                ),
            )


def _sections(sections: Iterable[SectionRow]) -> Iterable[tuple[Any, ...]]:
    for row in sections:
        yield row.state, microseconds(row.time_taken), _stored(row.over), row.id


def _stored(moment: datetime | None) -> str | None:
    return None if moment is None else sqlite_text(moment)


_CALLER: Final = f"{statements.CALLER} WHERE u.id = ?"
_HAS_SECTIONS: Final = (
    ", EXISTS (SELECT 1 FROM attempt_sections s JOIN exam_sections e ON e.id = s.exam_section_id"
    " WHERE s.attempt_id = a.id AND (s.allowed IS NOT NULL OR e.name <> '' OR s.\"order\" > 1)) FROM attempts a"
)
"""Whether a heartbeat shows sections or counts their time. An exam without sections has a single unnamed one."""
_SHOWN_ATTEMPT: Final = statements.SHOWN_ATTEMPT.replace(" FROM attempts a", _HAS_SECTIONS, 1) + " WHERE a.id = ?"
_HAS_TIME_LIMITS: Final = (
    ", EXISTS (SELECT 1 FROM attempt_sections s WHERE s.attempt_id = a.id AND s.allowed IS NOT NULL) FROM"
)
_ATTEMPT: Final = statements.ATTEMPT.replace(" FROM", _HAS_TIME_LIMITS, 1) + " WHERE a.id = ?"
_SECTIONS: Final = f'{statements.SECTION} WHERE s.attempt_id = ? ORDER BY s."order"'
_ANSWER: Final = f"{statements.ANSWER} WHERE q.id = ?"
_SAVE_WORK: Final = "UPDATE attempts SET last_answer = ?, answers_seen = ? WHERE id = ?"
_SAVE_CLOCK: Final = "UPDATE attempts SET time_taken = ?, last_contact = ?, deadline = ? WHERE id = ?"
_SAVE_SECTION: Final = "UPDATE attempt_sections SET state = ?, time_taken = ?, over = ? WHERE id = ?"
_SAVE_ANSWER: Final = (
    "UPDATE attempt_questions SET selected_answers = ?, short_text = ?, essay_text = ?, essay_topic = ?,"
    " gap_fill_responses = ?, review = ?, answer_stamps = ?, duration = ?,"
    " first_seen = coalesce(first_seen, ?), last_seen = ? WHERE id = ?"
)
