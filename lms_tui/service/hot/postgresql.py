"""The hot moves on PostgreSQL: a batch is two round trips, one that locks and loads and one that writes and commits."""

import json
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final

import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.pq import TransactionStatus
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow, UserRow
from lms_tui.service.db.database import DURABLE, Database
from lms_tui.service.hot import statements
from lms_tui.service.hot.moves import Move, Rows

_MICROSECOND: Final = timedelta(microseconds=1)


class PostgresqlStore:
    """A connection of its own, made when it is first needed and again after it was lost."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: AsyncConnection | None = None
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
                await self._abandon(connection)
                raise
        except psycopg.OperationalError as error:
            raise OperationalError("a batch of answers", None, error) from error

    async def _connected(self) -> AsyncConnection:
        if self._connection is None or self._connection.closed:
            arguments = self._database.url.translate_connect_args(username="user", database="dbname")
            arguments |= dict(self._database.url.query)
            self._connection = await AsyncConnection.connect(**arguments, autocommit=True)
            await self._connection.execute(DURABLE)
        return self._connection

    async def _abandon(self, connection: AsyncConnection) -> None:
        if connection.closed or connection.info.transaction_status is TransactionStatus.IDLE:
            return
        try:
            await connection.execute("ROLLBACK")
        except psycopg.Error:
            self._finish()

    def _finish(self) -> None:
        # Its own close belongs to the loop that made it, which may have ended.
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.pgconn.finish()


class PostgresqlUnit:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def load(self, moves: Sequence[Move]) -> Rows:
        users = list({move.user_id for move in moves})
        attempts = list({move.attempt_id for move in moves})
        questions = list({move.question_id for move in moves if move.question_id is not None})
        execute = self._connection.execute
        async with self._connection.pipeline():
            await execute("BEGIN")
            # Locked before anything is read, so that all of it is as the transaction before left it.
            await execute(_LOCK, (attempts,))
            found_attempts = await execute(_ATTEMPTS, (attempts,), binary=True)
            found_sections = await execute(_SECTIONS, (attempts,), binary=True)
            found_users = await execute(_USERS, (users,), binary=True)
            found_answers = await execute(_ANSWERS, (questions,), binary=True) if questions else None
        rows = Rows({}, {}, {})
        for user in await found_users.fetchall():
            rows.users[user[0]] = UserRow(*user)
        for attempt in await found_attempts.fetchall():
            rows.attempts[attempt[0]] = _attempt(attempt)
        await _put_sections(rows, found_sections)
        for answer in await found_answers.fetchall() if found_answers is not None else ():
            rows.answers[answer[0]] = _answer(answer)
        return rows

    async def save(self, rows: Rows) -> None:
        attempts, answers = rows.changed_attempts.values(), rows.changed_answers.values()
        sections = [section for attempt in attempts for section in attempt.sections if section.allowed is not None]
        execute = self._connection.execute
        async with self._connection.pipeline():
            await execute(_SAVE_ATTEMPTS, _columns(_attempt_values(row) for row in attempts))
            if sections:
                await execute(_SAVE_SECTIONS, _columns(_section_values(row) for row in sections))
            if answers:
                await execute(_SAVE_ANSWERS, _columns(_answer_values(row) for row in answers))
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
        first_seen=found[12],
        last_seen=found[13],
    )


def _span(stored: int | None) -> timedelta | None:
    return None if stored is None else stored * _MICROSECOND


def _columns(rows: Iterable[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _attempt_values(row: AttemptRow) -> tuple[Any, ...]:
    return row.id, row.time_taken // _MICROSECOND, row.last_contact, row.deadline, row.last_answer


def _section_values(row: SectionRow) -> tuple[Any, ...]:
    return row.id, row.state, row.time_taken // _MICROSECOND, row.over


def _answer_values(row: AnswerRow) -> tuple[Any, ...]:
    return (
        row.id,
        json.dumps(row.selected_answers),
        row.short_text,
        row.essay_text,
        row.essay_topic,
        json.dumps(row.gap_fill_responses),
        row.review,
        json.dumps(row.answer_stamps),
        None if row.duration is None else row.duration // _MICROSECOND,
        row.first_seen,
        row.last_seen,
    )


_LOCK: Final = "SELECT id FROM attempts WHERE id = ANY(%s::bigint[]) ORDER BY id FOR NO KEY UPDATE"
_USERS: Final = f"{statements.USER} WHERE u.id = ANY(%s::bigint[])"
_ATTEMPTS: Final = f"{statements.ATTEMPT} WHERE a.id = ANY(%s::bigint[])"
_SECTIONS: Final = (
    f"{statements.SECTION.replace('SELECT', 'SELECT s.attempt_id,', 1)} WHERE s.attempt_id = ANY(%s::bigint[])"
    ' ORDER BY s.attempt_id, s."order"'
)
_ANSWERS: Final = f"{statements.ANSWER} WHERE q.id = ANY(%s::bigint[])"
_SAVE_ATTEMPTS: Final = (
    "UPDATE attempts a SET time_taken = v.t, last_contact = v.c, deadline = v.d, last_answer = v.l"
    " FROM unnest(%s::bigint[], %s::bigint[], %s::timestamptz[], %s::timestamptz[], %s::timestamptz[])"
    " AS v(id, t, c, d, l) WHERE a.id = v.id"
)
_SAVE_SECTIONS: Final = (
    "UPDATE attempt_sections s SET state = v.s, time_taken = v.t, over = v.o"
    " FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::timestamptz[]) AS v(id, s, t, o) WHERE s.id = v.id"
)
_SAVE_ANSWERS: Final = (
    "UPDATE attempt_questions q SET selected_answers = v.s::json, short_text = v.t, essay_text = v.e,"
    " essay_topic = v.p, gap_fill_responses = v.g::json, review = v.r, answer_stamps = v.a::json, duration = v.d,"
    " first_seen = v.f, last_seen = v.l"
    " FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::text[], %s::text[], %s::bool[], %s::text[],"
    " %s::bigint[], %s::timestamptz[], %s::timestamptz[]) AS v(id, s, t, e, p, g, r, a, d, f, l) WHERE q.id = v.id"
)
