"""The engine and the unit of work: what every request does to the database, it does in one transaction."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from lms_tui.service.core.settings import system_clock

if TYPE_CHECKING:
    import psycopg

HEAD: Final = "0004"
"""The newest migration; a test compares it with the scripts, so that a start on a current database needs no Alembic."""

DURABLE: Final = (
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
)
"""PostgreSQL: a commit is on the disk before it is told, also where the server was set up to be faster than that."""

_BUSY_MILLISECONDS: Final = 5_000
_READERS: Final = 8
_UPGRADE: Final = 0x6C6D73
"""The number that stands for "upgrading" among PostgreSQL's advisory locks."""


class Turn:
    """The right to write to SQLite, of which a process has one; `is_wanted`: someone waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = 0

    @property
    def is_wanted(self) -> bool:
        return self._wanted > 0

    def acquire(self, *, blocking: bool = True) -> bool:
        if self._lock.acquire(blocking=False):
            return True
        if not blocking:
            return False
        # An approximate count: what it decides is who goes first, not who may go.
        self._wanted += 1
        try:
            return self._lock.acquire()
        finally:
            self._wanted -= 1

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


class Database:
    """One database, opened by one process. `write` begins at once for writing, `read` never writes.

    On SQLite there is one writing connection: writers queue in the process instead of colliding in the file, and a
    transaction that would have to turn from reading to writing cannot fail half-way (SQLITE_BUSY). On PostgreSQL rows
    that a decision depends on are locked by whoever decides.
    """

    def __init__(self, url: str | URL) -> None:
        self.url = make_url(url)
        if self.is_sqlite:
            _create_private(Path(self.url.database or ""))
            self._writer = _sqlite_engine(self.url, begin="BEGIN IMMEDIATE", size=1, writes=True)
            self._reader = _sqlite_engine(self.url, begin="BEGIN", size=_READERS, writes=False)
        else:
            self._writer = _postgresql_engine(self.url)
            # The same connections, asked for one consistent view that cannot write.
            self._reader = self._writer.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.turn = Turn()
        self.patience = _BUSY_MILLISECONDS
        self._hot: list[Callable[[], None]] = []
        self._write = sessionmaker(self._writer, expire_on_commit=False)
        self._read = sessionmaker(self._reader, expire_on_commit=False, autoflush=False)

    @classmethod
    def in_file(cls, path: Path) -> Self:
        """Open the SQLite database at path, created readable by its owner only."""
        return cls(URL.create("sqlite", database=str(path)))

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction: committed when the block ends, rolled back when it raises."""
        with self.turn if self.is_sqlite else nullcontext(), self._write.begin() as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One consistent view that is never committed."""
        with self._read() as session:
            yield session

    def clock(self, session: Session) -> datetime:
        """The time that every process on this database agrees on."""
        # Whoever shares an SQLite file shares the computer's clock too.
        return system_clock() if self.is_sqlite else session.execute(select(func.clock_timestamp())).scalar_one()

    def revision(self) -> str | None:
        """The migration the database is at, None when it is new."""
        try:
            with self._reader.connect() as connection:
                return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        except DatabaseError:
            return None

    def prepare(self, *, brief: bool = False) -> None:
        """Bring the database to the newest migration; costs one query when it is there.

        `brief`: a new one is made from the tables, to which a test holds the migrations: practice does not wait for
        Alembic.
        """
        found = self.revision()
        if found == HEAD:
            return
        if brief and found is None and self.is_sqlite:
            self._create()
            return
        from lms_tui.service.core.database.upgrade import upgrade  # noqa: PLC0415  # Alembic costs start-up only when it is needed

        with self._writer.begin() as connection:
            if not self.is_sqlite:
                # Of several processes that start on a database at once, one upgrades and the others wait for it.
                connection.execute(select(func.pg_advisory_xact_lock(_UPGRADE)))
            upgrade(connection)

    def _create(self) -> None:
        from lms_tui.service.core.database.tables import Base  # noqa: PLC0415  # the tables know the database's types

        with self._writer.begin() as connection:
            Base.metadata.create_all(connection)
            connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
            connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})

    def connect_hot(self) -> sqlite3.Connection:
        """Open a connection to SQLite that writes and waits for nobody; it is closed with the database."""
        connection = sqlite3.connect(self.url.database or "", isolation_level=None, check_same_thread=False, timeout=0)
        _prepare_sqlite(connection, writes=True)
        connection.execute("PRAGMA busy_timeout = 0")
        self.on_close(connection.close)
        return connection

    def on_close(self, close: Callable[[], None]) -> None:
        """Call close before the database is closed."""
        self._hot.append(close)

    def close(self) -> None:
        while self._hot:
            self._hot.pop()()
        self._writer.dispose()
        self._reader.dispose()


def _create_private(path: Path) -> None:
    """SQLite's own files follow the mode of the database file, so it is made 0600 before SQLite sees it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    with closing(sqlite3.connect(path, timeout=_BUSY_MILLISECONDS / 1000)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


def _prepare_sqlite(connection: sqlite3.Connection, *, writes: bool) -> None:
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
    # SQLite's own knows the 26 letters of English only, and who searches writes names of any script in any case.
    connection.create_function("lower", 1, lambda text: None if text is None else str(text).lower(), deterministic=True)


def _postgresql_engine(url: URL) -> Engine:
    engine = create_engine(url, pool_size=_READERS, max_overflow=0, pool_pre_ping=True, hide_parameters=True)

    def on_connect(connection: "psycopg.Connection[Any]", _entry: ConnectionPoolEntry) -> None:
        connection.execute(DURABLE)
        connection.commit()

    event.listen(engine, "connect", on_connect)
    return engine


def _sqlite_engine(url: URL, *, begin: str, size: int, writes: bool) -> Engine:
    # isolation_level None and an explicit BEGIN: the driver's own transactions lose concurrent updates silently.
    # Parameters are answers and password hashes, and have no place in an error's text.
    engine = create_engine(
        url,
        hide_parameters=True,
        connect_args={"isolation_level": None, "check_same_thread": False},
        pool_size=size,
        max_overflow=0,
    )

    def on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
        _prepare_sqlite(connection, writes=writes)

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)
    return engine
