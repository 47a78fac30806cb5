"""Heartbeats and answers on PostgreSQL. A batch takes two round trips: lock and load, then write and commit."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from psycopg import AsyncConnection, AsyncCursor
from psycopg.pq import TransactionStatus
from pydantic_core import to_json

from lms_tui.service.attempts.rows import AnswerRow, AttemptRow, SectionRow
from lms_tui.service.attempts.writes import Rows, Write
from lms_tui.service.core.database.asynchronous import AsyncConnections
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.units import microseconds
from lms_tui.service.server.fast_path import statements

_Row = tuple[Any, ...]
_Put = Callable[[Rows, _Row], None]
_Found = tuple[AsyncCursor[_Row], _Put]


class PostgresqlStore:
    width = 2
    """The process prepares one batch while the database works on another."""
    few = 0
    """Each batch takes the database as much time as several writes."""

    def __init__(self, database: Database) -> None:
        self._connections = AsyncConnections(database, _USE_INDEXES)

    @asynccontextmanager
    async def unit(self) -> AsyncIterator["PostgresqlUnit"]:
        async with self._connections.one("a batch of answers") as connection:
            unit = PostgresqlUnit(connection)
            yield unit
            await unit.commit()


class PostgresqlUnit:
    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def load(self, writes: Sequence[Write]) -> Rows:
        attempts = {write.attempt_id for write in writes}
        shown = {write.attempt_id for write in writes if write.question_id is None}
        questions = {write.question_id for write in writes if write.question_id is not None}
        found: list[_Found] = []
        async with self._connection.pipeline():
            await self._connection.execute("BEGIN")
            # The lock comes first, so all rows are read as the previous transaction left them. One statement locks
            # all attempts, because two could wait for those of another batch.
            if shown == attempts:
                found.append(await self._find(_LOCKED_SHOWN_ATTEMPTS, shown, _put_shown))
            else:
                found.append(await self._find(_LOCKED_ATTEMPTS, attempts, _put_attempt))
                found.append(await self._find(_TIMED_SECTIONS, attempts - shown, _put_section))
                if shown:
                    found.append(await self._find(_SHOWN_ATTEMPTS, shown, _put_locked))
            if shown:
                found.append(await self._find(_SECTIONS, shown, _put_section))
            if questions:
                found.append(await self._find(_ANSWERS, questions, _put_answer))
        rows = Rows()
        for cursor, put in found:
            for row in await cursor.fetchall():
                put(rows, row)
        await self._load_others(rows, {write.user_id for write in writes})
        return rows

    async def _find(self, statement: str, ids: Iterable[int], put: _Put) -> _Found:
        return await self._connection.execute(statement.encode(), (_ids(ids),), binary=True), put

    async def _load_others(self, rows: Rows, users: set[int]) -> None:
        """Load users who ask for a missing attempt or for one of another user."""
        if missing := users - rows.callers.keys():
            cursor, put = await self._find(_CALLERS, missing, _put_caller)
            for row in await cursor.fetchall():
                put(rows, row)

    async def save(self, rows: Rows) -> None:
        # One statement for both changes, because a statement costs more than a column.
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
        """End a transaction without changes."""
        if self._connection.info.transaction_status is not TransactionStatus.IDLE:
            await self._connection.execute("COMMIT")


def _put_caller(rows: Rows, found: _Row) -> None:
    caller = statements.caller_row(found, _decoded)
    rows.callers[caller.id] = caller


def _put_attempt(rows: Rows, found: _Row) -> None:
    attempt = statements.attempt_row(found, _decoded)
    rows.attempts[attempt.id] = attempt
    rows.callers[attempt.user_id] = statements.caller_of(found, _decoded)


def _put_shown(rows: Rows, found: _Row) -> None:
    shown = statements.shown_row(found, _decoded)
    rows.attempts[shown.id] = rows.shown[shown.id] = shown
    rows.callers[shown.user_id] = shown.user


def _put_locked(rows: Rows, found: _Row) -> None:
    """Put an attempt with all columns, unless it was created after the attempts were locked."""
    attempt_id, *_ = found
    if attempt_id in rows.attempts:
        _put_shown(rows, found)


def _put_section(rows: Rows, found: _Row) -> None:
    attempt_id, *section = found
    if attempt_id in rows.attempts:
        rows.attempts[attempt_id].sections.append(statements.section_row(tuple(section), _decoded))


def _put_answer(rows: Rows, found: _Row) -> None:
    answer = statements.answer_row(found)
    rows.answers[answer.id] = answer


def _decoded(value: Any) -> Any:
    """Return a moment unchanged, because the driver has already decoded it."""
    return value


def _ids(ids: Iterable[int]) -> str:
    """Return a PostgreSQL array as text. The driver needs more time for a list than the query takes."""
    return "{" + ",".join(map(str, ids)) + "}"


def _changes(rows: Iterable[dict[str, Any]]) -> tuple[str, str]:
    """Return rows as one JSON parameter, and their IDs as an array.

    Without the IDs PostgreSQL overestimates the number of rows and reads the whole table.
    """
    changes = list(rows)
    return to_json(changes).decode(), _ids(change["id"] for change in changes)


def _attempt_change(row: AttemptRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "t": microseconds(row.time_taken),
        "c": row.last_contact,
        "d": row.deadline,
        "l": row.last_answer,
        "n": row.answers_seen,
    }


def _section_change(row: SectionRow) -> dict[str, Any]:
    return {"id": row.id, "s": row.state, "t": microseconds(row.time_taken), "o": row.over}


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
        "d": None if row.duration is None else microseconds(row.duration),
        "f": row.first_seen,
        "l": row.last_seen,
    }


_USE_INDEXES: Final = (
    "SELECT set_config(name, 'off', false)"
    " FROM unnest(ARRAY['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) AS name"
)
"""Find rows by their IDs. Where a table is small, or new and without statistics, PostgreSQL reads all of it."""
_CALLERS: Final = f"{statements.CALLER} WHERE u.id = ANY(%s::bigint[])"
_LOCKED: Final = " WHERE a.id = ANY(%s::bigint[]) ORDER BY a.id FOR NO KEY UPDATE OF a"
_LOCKED_ATTEMPTS: Final = statements.ATTEMPT + _LOCKED
_LOCKED_SHOWN_ATTEMPTS: Final = statements.SHOWN_ATTEMPT + _LOCKED
_SHOWN_ATTEMPTS: Final = f"{statements.SHOWN_ATTEMPT} WHERE a.id = ANY(%s::bigint[])"
_SECTIONS: Final = (
    f"{statements.SECTION.replace('SELECT', 'SELECT s.attempt_id,', 1)} WHERE s.attempt_id = ANY(%s::bigint[])"
    ' ORDER BY s.attempt_id, s."order"'
)
_TIMED_SECTIONS: Final = _SECTIONS.replace(" ORDER", " AND s.allowed IS NOT NULL ORDER", 1)
_ANSWERS: Final = f"{statements.ANSWER} WHERE q.id = ANY(%s::bigint[])"
_SAVE_ATTEMPTS: Final = (
    "UPDATE attempts a SET time_taken = v.t, last_contact = v.c, deadline = v.d, last_answer = v.l,"
    " answers_seen = v.n"
    " FROM json_to_recordset(%s::json) AS v(id bigint, t bigint, c timestamptz, d timestamptz, l timestamptz,"
    " n text) WHERE a.id = v.id AND a.id = ANY(%s::bigint[])"
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
