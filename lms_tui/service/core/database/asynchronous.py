"""Connections to PostgreSQL for the event loop."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import psycopg
from psycopg import AsyncConnection
from sqlalchemy.exc import OperationalError

from lms_tui.service.core.database.engine import DURABLE, Database

_LOST: Final = (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.ReadOnlySqlTransaction)
"""Errors of a server that was lost, or that has become a standby."""


class AsyncConnections:
    """Opens connections when they are needed, and again after they were lost. They are closed with the database."""

    def __init__(self, database: Database, *prepare: str) -> None:
        """`prepare`: statements that each new connection runs."""
        self._hosts = database.hosts
        self._prepare = (DURABLE, *prepare)
        self._idle: list[AsyncConnection] = []
        self._all: set[AsyncConnection] = set()
        database.on_close(self._finish)

    @asynccontextmanager
    async def one(self, purpose: str) -> AsyncIterator[AsyncConnection]:
        """Lend a connection in autocommit mode. Raises OperationalError of SQLAlchemy. `purpose`: for the error.

        Its `connection_invalidated` is true if a connection was lost, and false if none could be opened.
        """
        try:
            connection = await self._connected()
        except _LOST as error:
            raise OperationalError(purpose, None, error) from error
        try:
            yield connection
        except BaseException as error:
            # After a failed pipeline the driver believes that statements are prepared which never ran.
            self._all.discard(connection)
            await connection.close()
            if not isinstance(error, _LOST):
                raise
            # So were the other connections.
            self._drop(self._idle)
            raise OperationalError(purpose, None, error, connection_invalidated=True) from error
        self._idle.append(connection)

    async def _connected(self) -> AsyncConnection:
        while self._idle:
            connection = self._idle.pop()
            if not connection.closed:
                return connection
            self._all.discard(connection)
        with self._hosts.attempt() as parameters:
            connection = await AsyncConnection.connect(**parameters, autocommit=True)
        self._hosts.found(connection.info)
        self._all.add(connection)
        for statement in self._prepare:
            await connection.execute(statement.encode())
        return connection

    def _finish(self) -> None:
        self._drop(list(self._all))
        self._idle.clear()

    def _drop(self, connections: list[AsyncConnection]) -> None:
        while connections:
            connection = connections.pop()
            self._all.discard(connection)
            # `close` needs the loop that opened the connection, which may have ended.
            connection.pgconn.finish()
