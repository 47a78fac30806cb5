"""The hot moves on SQLite: prepared statements on the loop, which take microseconds, and the commit in a thread."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pydantic_core import from_json, to_json
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow
from lms_tui.service.attempts.writes import Move, Rows
from lms_tui.service.core.database.engine import Database
from lms_tui.service.server.fast_path import statements
from lms_tui.service.users.rows import UserRow

_MICROSECOND: Final = timedelta(microseconds=1)


class SqliteStore:
    """A connection of its own; it takes turns with the other writers of the process."""

    width = 1

    def __init__(self, database: Database) -> None:
        self._database = database
        # Its own thread: those of the requests may all be waiting for something else.
        self._thread = ThreadPoolExecutor(1, "commit")
        database.on_close(self._thread.shutdown)
        self._connection: sqlite3.Connection | None = None

    @asynccontextmanager
    async def unit(self) -> AsyncIterator["SqliteUnit"]:
        await self._take_turn()
        try:
            connection = await self._begin()
            try:
                yield SqliteUnit(connection)
            except BaseException:
                connection.rollback()
                raise
            await self._aside(_commit, connection)
        except sqlite3.OperationalError as error:
            raise OperationalError("a batch of answers", None, error) from error
        finally:
            self._database.turn.release()

    async def _aside(self, work: Callable[..., object], *arguments: object) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    async def _take_turn(self) -> None:
        turn = self._database.turn
        # Who queues already goes first: the loop would win every race against a thread that has to wake up.
        if turn.is_wanted or not turn.acquire(blocking=False):
            await self._aside(turn.acquire)

    async def _begin(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = self._database.connect_hot()
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            # Another program writes; the loop must not wait for it.
            await self._aside(_begin_patiently, self._connection, self._database.patience)
        return self._connection


def _begin_patiently(connection: sqlite3.Connection, milliseconds: int) -> None:
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

    async def load(self, moves: Sequence[Move]) -> Rows:
        rows = Rows({}, {}, {})
        for move in moves:
            if move.attempt_id not in rows.attempts:
                self._load_attempt(rows, move.attempt_id)
            if move.user_id not in rows.users:
                self._load_user(rows, move.user_id)
            if move.question_id is not None and move.question_id not in rows.answers:
                self._load_answer(rows, move.question_id)
        return rows

    def _load_user(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_USER, (key,)):
            rows.users[key] = _user(found)

    def _load_attempt(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_ATTEMPT, (key,)):
            rows.attempts[key] = attempt = _attempt(found)
            rows.users[attempt.user_id] = _user(found[statements.ATTEMPT_COLUMNS :])
            attempt.sections = [_section(section) for section in self._connection.execute(_SECTIONS, (key,))]

    def _load_answer(self, rows: Rows, key: int) -> None:
        for found in self._connection.execute(_ANSWER, (key,)):
            rows.answers[key] = _answer(found)

    async def save(self, rows: Rows) -> None:
        execute = self._connection.execute
        for attempt in rows.worked.values():
            execute(_SAVE_WORK, (_stored(attempt.last_answer), attempt.id))
        for attempt in rows.clocks.values():
            execute(
                _SAVE_CLOCK,
                (
                    attempt.time_taken // _MICROSECOND,
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
                    None if answer.duration is None else answer.duration // _MICROSECOND,
                    seen if answer.first_seen is answer.last_seen else _stored(answer.first_seen),
                    seen,
                    answer.id,
                ),
            )


def _sections(sections: Iterable[SectionRow]) -> Iterable[tuple[Any, ...]]:
    for row in sections:
        yield row.state, row.time_taken // _MICROSECOND, _stored(row.over), row.id


def _user(found: tuple[Any, ...]) -> UserRow:
    key, username, first_name, last_name, photo, is_active, valid_from, modified = found
    return UserRow(key, username, first_name, last_name, photo, bool(is_active), _moment(valid_from), _moment(modified))


def _section(found: tuple[Any, ...]) -> SectionRow:
    key, exam_section, order, state, allowed, taken, over = found
    return SectionRow(key, exam_section, order, state, _span(allowed), taken * _MICROSECOND, _maybe(over))


def _attempt(found: tuple[Any, ...]) -> AttemptRow:
    return AttemptRow(
        id=found[0],
        exam_id=found[1],
        user_id=found[2],
        state=found[3],
        date=_moment(found[4]),
        last_started_time=_moment(found[5]),
        last_contact=_moment(found[6]),
        last_answer=_maybe(found[7]),
        allowed=_span(found[8]),
        time_taken=found[9] * _MICROSECOND,
        deadline=_maybe(found[10]),
        total_questions=found[11],
        score=statements.marks(found[12]),
        max_score=statements.marks(found[13]),
        correct_count=found[14],
        incorrect_count=found[15],
        unanswered_count=found[16],
        total_bonus=statements.marks(found[17]),
        speed=found[18],
        accuracy=found[19],
        attempts=found[20],
    )


def _answer(found: tuple[Any, ...]) -> AnswerRow:
    return AnswerRow(
        id=found[0],
        attempt_id=found[1],
        question_id=found[2],
        section_id=found[3],
        selected_answers=from_json(found[4]),
        short_text=found[5],
        essay_text=found[6],
        essay_topic=found[7],
        gap_fill_responses=from_json(found[8]),
        review=None if found[9] is None else bool(found[9]),
        answer_stamps=from_json(found[10]),
        duration=_span(found[11]),
    )


def _moment(stored: str) -> datetime:
    return datetime.fromisoformat(stored + "+00:00")


def _maybe(stored: str | None) -> datetime | None:
    return None if stored is None else _moment(stored)


def _span(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * _MICROSECOND


def _stored(moment: datetime | None) -> str | None:
    """Write a moment as SQLAlchemy does, so that both read and compare each other's."""
    if moment is None:
        return None
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat(" ", "microseconds")[:-6]


_USER: Final = f"{statements.USER} WHERE u.id = ?"
_ATTEMPT: Final = f"{statements.ATTEMPT} WHERE a.id = ?"
_SECTIONS: Final = f'{statements.SECTION} WHERE s.attempt_id = ? ORDER BY s."order"'
_ANSWER: Final = f"{statements.ANSWER} WHERE q.id = ?"
_SAVE_WORK: Final = "UPDATE attempts SET last_answer = ? WHERE id = ?"
_SAVE_CLOCK: Final = "UPDATE attempts SET time_taken = ?, last_contact = ?, deadline = ? WHERE id = ?"
_SAVE_SECTION: Final = "UPDATE attempt_sections SET state = ?, time_taken = ?, over = ? WHERE id = ?"
_SAVE_ANSWER: Final = (
    "UPDATE attempt_questions SET selected_answers = ?, short_text = ?, essay_text = ?, essay_topic = ?,"
    " gap_fill_responses = ?, review = ?, answer_stamps = ?, duration = ?,"
    " first_seen = coalesce(first_seen, ?), last_seen = ? WHERE id = ?"
)
