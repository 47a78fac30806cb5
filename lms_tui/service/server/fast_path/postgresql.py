"""The hot moves on PostgreSQL: a batch is two round trips, one that locks and loads and one that writes and commits."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.pq import TransactionStatus
from pydantic_core import to_json
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow
from lms_tui.service.attempts.writes import Move, Rows
from lms_tui.service.core.database.engine import DURABLE, Database
from lms_tui.service.server.fast_path import statements
from lms_tui.service.users.rows import UserRow

_MICROSECOND: Final = timedelta(microseconds=1)


class PostgresqlStore:
    """Connections of its own, made when they are first needed and again after they were lost."""

    width = 2
    """While the database works on one batch, the process takes another apart."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._idle: list[AsyncConnection] = []
        self._all: set[AsyncConnection] = set()
        database.on_close(self._finish)

    @asynccontextmanager
    async def unit(self) -> AsyncIterator["PostgresqlUnit"]:
        try:
            connection = await self._connected()
            try:
                unit = PostgresqlUnit(connection)
                yield unit
                await unit.commit()
            except BaseException:
                # The driver takes statements for prepared that a failed pipeline never reached: it cannot go on.
                self._all.discard(connection)
                await connection.close()
                raise
            self._idle.append(connection)
        except psycopg.OperationalError as error:
            raise OperationalError("a batch of answers", None, error) from error

    async def _connected(self) -> AsyncConnection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.closed:
                return connection
            self._all.discard(connection)
        arguments = self._database.url.translate_connect_args(username="user", database="dbname")
        arguments |= dict(self._database.url.query)
        connection = await AsyncConnection.connect(**arguments, autocommit=True)
        self._all.add(connection)
        await connection.execute(DURABLE)
        return connection

    def _finish(self) -> None:
        # Their own close belongs to the loop that made them, which may have ended.
        for connection in self._all:
            connection.pgconn.finish()
        self._idle.clear()
        self._all.clear()


class PostgresqlUnit:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def load(self, moves: Sequence[Move]) -> Rows:
        attempts = _ids({move.attempt_id for move in moves})
        questions = {move.question_id for move in moves if move.question_id is not None}
        execute = self._connection.execute
        async with self._connection.pipeline():
            await execute("BEGIN")
            # Locked before the rest is read, so that all of it is as the transaction before left it.
            found_attempts = await execute(_ATTEMPTS, (attempts,), binary=True)
            found_sections = await execute(_SECTIONS, (attempts,), binary=True)
            found_answers = await execute(_ANSWERS, (_ids(questions),), binary=True) if questions else None
        rows = Rows({}, {}, {})
        for attempt in await found_attempts.fetchall():
            rows.attempts[attempt[0]] = _attempt(attempt)
            user = UserRow(*attempt[statements.ATTEMPT_COLUMNS :])
            rows.users[user.id] = user
        await _put_sections(rows, found_sections)
        await self._load_others(rows, {move.user_id for move in moves})
        for answer in await found_answers.fetchall() if found_answers is not None else ():
            rows.answers[answer[0]] = _answer(answer)
        return rows

    async def _load_others(self, rows: Rows, users: set[int]) -> None:
        """Load who asks for an attempt that is not their own, or not there."""
        if missing := users - rows.users.keys():
            found = await self._connection.execute(_USERS, (_ids(missing),), binary=True)
            for user in await found.fetchall():
                rows.users[user[0]] = UserRow(*user)

    async def save(self, rows: Rows) -> None:
        # One statement for both kinds of change: here the statement costs, not the columns.
        attempts, answers = (rows.worked | rows.clocks).values(), rows.changed_answers.values()
        sections = [section for attempt in attempts for section in attempt.sections if section.allowed is not None]
        execute = self._connection.execute
        async with self._connection.pipeline():
            await execute(_SAVE_ATTEMPTS, _changes(map(_attempt_change, attempts)))
            if sections:
                await execute(_SAVE_SECTIONS, _changes(map(_section_change, sections)))
            if answers:
                await execute(_SAVE_ANSWERS, _changes(map(_answer_change, answers)))
            await execute("COMMIT")

    async def commit(self) -> None:
        """End a transaction that had nothing to save."""
        if self._connection.info.transaction_status is not TransactionStatus.IDLE:
            await self._connection.execute("COMMIT")


async def _put_sections(rows: Rows, found: AsyncCursor[tuple[Any, ...]]) -> None:
    for attempt_id, *section in await found.fetchall():
        key, exam_section, order, state, allowed, taken, over = section
        rows.attempts[attempt_id].sections.append(
            SectionRow(key, exam_section, order, state, _span(allowed), taken * _MICROSECOND, over)
        )


def _attempt(found: tuple[Any, ...]) -> AttemptRow:
    return AttemptRow(
        id=found[0],
        exam_id=found[1],
        user_id=found[2],
        state=found[3],
        date=found[4],
        last_started_time=found[5],
        last_contact=found[6],
        last_answer=found[7],
        allowed=_span(found[8]),
        time_taken=found[9] * _MICROSECOND,
        deadline=found[10],
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
        selected_answers=found[4],
        short_text=found[5],
        essay_text=found[6],
        essay_topic=found[7],
        gap_fill_responses=found[8],
        review=found[9],
        answer_stamps=found[10],
        duration=_span(found[11]),
    )


def _span(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * _MICROSECOND


def _ids(ids: Iterable[int]) -> str:
    """An array as PostgreSQL reads it; the driver's own way costs more than the query."""
    return "{" + ",".join(map(str, ids)) + "}"


def _changes(rows: Iterable[dict[str, Any]]) -> tuple[str, str]:
    """Rows as one parameter, taken apart by the database, and their ids, by which it finds them in the index.

    How many rows are in the first it can only guess, and guesses so many that it would read the whole table.
    """
    changes = list(rows)
    return to_json(changes).decode(), _ids(change["id"] for change in changes)


def _attempt_change(row: AttemptRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "t": row.time_taken // _MICROSECOND,
        "c": row.last_contact,
        "d": row.deadline,
        "l": row.last_answer,
    }


def _section_change(row: SectionRow) -> dict[str, Any]:
    return {"id": row.id, "s": row.state, "t": row.time_taken // _MICROSECOND, "o": row.over}


def _answer_change(row: AnswerRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "s": row.selected_answers,
        "t": row.short_text,
        "e": row.essay_text,
        "p": row.essay_topic,
        "g": row.gap_fill_responses,
        "r": row.review,
        "a": row.answer_stamps,
        "d": None if row.duration is None else row.duration // _MICROSECOND,
        "f": row.first_seen,
        "l": row.last_seen,
    }


_USERS: Final = f"{statements.USER} WHERE u.id = ANY(%s::bigint[])"
_ATTEMPTS: Final = f"{statements.ATTEMPT} WHERE a.id = ANY(%s::bigint[]) ORDER BY a.id FOR NO KEY UPDATE OF a"
_SECTIONS: Final = (
    f"{statements.SECTION.replace('SELECT', 'SELECT s.attempt_id,', 1)} WHERE s.attempt_id = ANY(%s::bigint[])"
    ' ORDER BY s.attempt_id, s."order"'
)
_ANSWERS: Final = f"{statements.ANSWER} WHERE q.id = ANY(%s::bigint[])"
_SAVE_ATTEMPTS: Final = (
    "UPDATE attempts a SET time_taken = v.t, last_contact = v.c, deadline = v.d, last_answer = v.l"
    " FROM json_to_recordset(%s::json) AS v(id bigint, t bigint, c timestamptz, d timestamptz, l timestamptz)"
    " WHERE a.id = v.id AND a.id = ANY(%s::bigint[])"
)
_SAVE_SECTIONS: Final = (
    "UPDATE attempt_sections s SET state = v.s, time_taken = v.t, over = v.o"
    " FROM json_to_recordset(%s::json) AS v(id bigint, s text, t bigint, o timestamptz)"
    " WHERE s.id = v.id AND s.id = ANY(%s::bigint[])"
)
_SAVE_ANSWERS: Final = (
    "UPDATE attempt_questions q SET selected_answers = v.s, short_text = v.t, essay_text = v.e, essay_topic = v.p,"
    " gap_fill_responses = v.g, review = v.r, answer_stamps = v.a, duration = v.d,"
    " first_seen = coalesce(q.first_seen, v.f), last_seen = v.l"
    " FROM json_to_recordset(%s::json) AS v(id bigint, s json, t text, e text, p text, g json, r bool, a json,"
    " d bigint, f timestamptz, l timestamptz) WHERE q.id = v.id AND q.id = ANY(%s::bigint[])"
)
