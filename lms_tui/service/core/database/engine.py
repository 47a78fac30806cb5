"""The engine and the unit of work. Each request uses one transaction."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, func, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, DisconnectionError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from lms_tui.service.core.database import plain_sqlite
from lms_tui.service.core.database.head import BETWEEN, HEAD, TABLES
from lms_tui.service.core.database.hosts import Hosts
from lms_tui.service.core.database.plain_sqlite import BUSY_MILLISECONDS
from lms_tui.service.core.database.plain_sqlite import prepare as prepare_sqlite
from lms_tui.service.core.settings import system_clock

if TYPE_CHECKING:
    import psycopg

DURABLE: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
"""PostgreSQL: make commits durable, also where the server is configured for `synchronous_commit = off`."""

_READERS: Final = 8
_UPGRADE_LOCK: Final = 0x6C6D73
"""The advisory lock of PostgreSQL that a process holds while it upgrades."""


class WriteLock:
    """The lock that a thread holds while it writes to SQLite."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiters = 0

    @property
    def has_waiters(self) -> bool:
        return self._waiters > 0

    def acquire(self, *, blocking: bool = True) -> bool:
        if self._lock.acquire(blocking=False):
            return True
        if not blocking:
            return False
        # The count is approximate: it decides only about fairness.
        self._waiters += 1
        try:
            return self._lock.acquire()
        finally:
            self._waiters -= 1

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


class Database:
    """One database, opened by one process.

    SQLite has one connection for writing. Writers queue in the process, and no transaction fails with SQLITE_BUSY when
    it turns from reading to writing. On PostgreSQL the caller locks the rows that its decision depends on.
    """

    def __init__(self, url: str | URL) -> None:
        self.url = make_url(url)
        if self.is_sqlite:
            _create_private(Path(self.url.database or ""))
            self._writer = _sqlite_engine(self.url, begin="BEGIN IMMEDIATE", size=1, writes=True)
            self._reader = _sqlite_engine(self.url, begin="BEGIN", size=_READERS, writes=False)
        else:
            self._writer = create_engine(self.url, pool_size=_READERS, max_overflow=0, hide_parameters=True)
            self.hosts = Hosts(self._writer.dialect.create_connect_args(self.url)[1])
            _prepare_postgresql(self._writer, self.hosts)
            # The same connections with a consistent, read-only view.
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.write_lock = WriteLock()
        self.patience = BUSY_MILLISECONDS
        self._on_close: list[Callable[[], None]] = []
        self._write = sessionmaker(self._writer, expire_on_commit=False)
        self._read = sessionmaker(self._reader, expire_on_commit=False, autoflush=False)

    @classmethod
    def in_file(cls, path: Path) -> Self:
        """Open the SQLite database at path. Only its owner can read a new file."""
        return cls(URL.create("sqlite", database=str(path)))

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Open a transaction that commits when the block ends and rolls back when it raises."""
        with self.write_lock if self.is_sqlite else nullcontext(), self._write.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Open a consistent, read-only view."""
        with self._read() as session:
            yield session

    def clock(self, session: Session) -> datetime:
        """Return the time that all processes on this database share."""
        # Processes that share an SQLite file share the clock of the computer.
        return system_clock() if self.is_sqlite else session.execute(select(func.clock_timestamp())).scalar_one()

    def revision(self) -> str | None:
        """Return the migration of the database, None for a new one."""
        try:
            with self._reader.connect() as connection:
                return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        except DatabaseError:
            return None

    def is_empty(self) -> bool:
        """Return whether no institute was ever made here. Other programs may have tables of their own."""
        with self._reader.connect() as connection:
            return not inspect(connection).has_table("alembic_version")

    def prepare(self, *, brief: bool = False) -> None:
        """Bring the database to the newest migration, which takes one query if it is already there.

        `brief`: create a new SQLite database from the tables of the newest migration, without Alembic, to start faster.
        A test proves that the migrations give the same tables.
        """
        found = self.revision()
        if found == HEAD:
            return
        if brief and found is None and self.is_sqlite:
            self._create()
            return
        with self._writer.begin() as connection:
            self._upgrade(connection)

    def _upgrade(self, connection: Connection) -> None:
        from lms_tui.service.core.database.upgrade import upgrade  # noqa: PLC0415  # imports Alembic, which is slow and rarely needed

        if not self.is_sqlite:
            # If several processes start at once, one upgrades and the others wait.
            connection.execute(select(func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
        upgrade(connection)

    @contextmanager
    def created(self, *, kept: bool = True) -> Iterator[None]:
        """Create the tables of an empty database, and commit them with what the block writes. An error leaves nothing.

        `kept`: False to leave nothing at the end too. Close the database afterwards.
        """
        with self._writer.connect() as connection, connection.begin() as transaction:
            self._upgrade(connection)
            for sessions in (self._write, self._read):
                sessions.configure(bind=connection, join_transaction_mode="create_savepoint")
            yield
            if not kept:
                transaction.rollback()

    def _create(self) -> None:
        with self._writer.begin() as connection:
            for statement in TABLES.read_text("utf-8").removesuffix(";\n").split(BETWEEN):
                connection.exec_driver_sql(statement)
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})

    def connect_fast_path(self) -> sqlite3.Connection:
        """Open a connection to SQLite that writes and never waits for a lock. It is closed with the database."""
        connection = plain_sqlite.connect(Path(self.url.database or ""))
        self.on_close(connection.close)
        return connection

    def on_close(self, close: Callable[[], None]) -> None:
        """Call `close` when the database is closed."""
        self._on_close.append(close)

    def close(self) -> None:
        while self._on_close:
            self._on_close.pop()()
        self._writer.dispose()
        self._reader.dispose()


def _create_private(path: Path) -> None:
    """Create the file with mode 0600, which SQLite copies to its journal files."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(path, timeout=BUSY_MILLISECONDS / 1000)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _prepare_postgresql(engine: Engine, hosts: Hosts) -> None:
    def on_connecting(
        dialect: Dialect, _entry: ConnectionPoolEntry, _arguments: list[Any], _named: dict[str, Any]
    ) -> DBAPIConnection:
        with hosts.attempt() as parameters:
            return dialect.connect(**parameters)

    def on_connect(connection: "psycopg.Connection[Any]", _entry: ConnectionPoolEntry) -> None:
        hosts.found(connection.info)
        connection.execute(DURABLE)
        connection.commit()

    event.listen(engine, "do_connect", on_connecting)
    event.listen(engine, "connect", on_connect)
    event.listen(engine, "checkout", _check_connection)


def _check_connection(connection: "psycopg.Connection[Any]", _entry: object, _proxy: object) -> None:
    """Raise DisconnectionError if the server has closed a resting connection. The pool then opens new ones.

    This reads what has arrived and waits for nothing. `pool_pre_ping` would ask the server before each transaction.
    """
    from psycopg import OperationalError  # noqa: PLC0415  # the driver is an extra

    try:
        connection.pgconn.consume_input()  # the last words of the server
        connection.pgconn.consume_input()  # the end of the connection after them
    except OperationalError as error:
        raise DisconnectionError(str(error)) from error


def _sqlite_engine(url: URL, *, begin: str, size: int, writes: bool) -> Engine:
    # isolation_level None and an explicit BEGIN, because the transactions of the driver lose concurrent updates.
    # hide_parameters, because answers and password hashes must not appear in errors.
    engine = create_engine(
        url,
        hide_parameters=True,
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=size,
        max_overflow=0,
    )

    def on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        prepare_sqlite(connection, writes=writes)

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
