"""SQLite without SQLAlchemy, for what must start or answer fast."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

BUSY_MILLISECONDS: Final = 5_000
"""How long a connection waits for the lock of another process."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that writes and never waits for a lock. Any thread may use it, one at a time.

    Raises sqlite3.Error.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        prepare(connection, writes=True)
        connection.execute("PRAGMA busy_timeout = 0")
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection, *, writes: bool) -> None:
    """Set what all connections of the service have in common."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MILLISECONDS}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA query_only = {'OFF' if writes else 'ON'}")
    # The `lower` of SQLite knows only ASCII letters, and searches ignore the case of every script.
    connection.create_function("lower", 1, lambda text: None if text is None else str(text).lower(), deterministic=True)


def sqlite_moment(stored: str) -> datetime:
    """Return a moment as SQLite holds it, for statements that SQLAlchemy does not run."""
    return datetime.fromisoformat(f"{stored}+00:00")


def sqlite_text(moment: datetime) -> str:
    """Return a moment as SQLAlchemy stores it in SQLite."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    return moment.isoformat(" ", "microseconds")[:-6]
