"""Reads the caller of a request from the database without a thread."""

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from lms_tui.service.core.database.plain_sqlite import sqlite_moment, sqlite_text

if TYPE_CHECKING:
    from lms_tui.service.core.database.engine import Database

_FOUND: Final = (
    "SELECT role, is_active, tokens_valid_from, EXISTS (SELECT 1 FROM attempts a"
    " WHERE a.state = 'Running' AND a.deadline < {} AND a.user_id = u.id) FROM users u WHERE u.id = {}"
)
_OF_SQLITE: Final = _FOUND.format("?", "?")
_OF_POSTGRESQL: Final = _FOUND.format("%s", "%s")
_PURPOSE: Final = "the caller of a request"
_MOST: Final = 4


class FoundCaller(NamedTuple):
    """`has_overdue`: an attempt of the user still runs, although its deadline is before the moment that was given."""

    role: str
    is_active: bool
    tokens_valid_from: datetime
    has_overdue: bool


class Callers(Protocol):
    async def find(self, user_id: int, overdue: datetime) -> FoundCaller | None:
        """Return a user. `overdue`: the deadline before which a running attempt should have ended."""


def open_callers(database: "Database") -> Callers:
    """Open what reads the callers. It is closed with the database."""
    return SqliteCallers(database.connect_fast_path) if database.is_sqlite else _PostgresqlCallers(database)


class SqliteCallers:
    """Reads on the loop, which takes microseconds and waits for no lock. `connect`: opens its connection."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None

    async def find(self, user_id: int, overdue: datetime) -> FoundCaller | None:
        if self._connection is None:
            self._connection = self._connect()
        try:
            found = self._connection.execute(_OF_SQLITE, (sqlite_text(overdue), user_id)).fetchone()
        except sqlite3.OperationalError as error:
            from sqlalchemy.exc import OperationalError  # noqa: PLC0415  # the first lists come before its import

            raise OperationalError(_PURPOSE, None, error) from error
        if found is None:
            return None
        role, is_active, valid_from, has_overdue = found
        return FoundCaller(role, bool(is_active), sqlite_moment(valid_from), bool(has_overdue))


class _PostgresqlCallers:
    def __init__(self, database: "Database") -> None:
        from lms_tui.service.core.database.asynchronous import AsyncConnections  # noqa: PLC0415  # its driver is an extra

        self._connections = AsyncConnections(database)
        self._turns = asyncio.Semaphore(_MOST)

    async def find(self, user_id: int, overdue: datetime) -> FoundCaller | None:
        from sqlalchemy.exc import OperationalError  # noqa: PLC0415  # as above

        try:
            return await self._read(user_id, overdue)
        except OperationalError as error:
            if not error.connection_invalidated:
                raise
            # The connections were lost while they rested. The next one is new.
            return await self._read(user_id, overdue)

    async def _read(self, user_id: int, overdue: datetime) -> FoundCaller | None:
        async with self._turns, self._connections.one(_PURPOSE) as connection:
            found = await connection.execute(_OF_POSTGRESQL, (overdue, user_id), binary=True, prepare=True)
            row = await found.fetchone()
        return None if row is None else FoundCaller(*row)
