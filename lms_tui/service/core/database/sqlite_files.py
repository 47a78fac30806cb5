"""SQLite databases as files: is one in use, copy one while a service writes to it, put a copy in its place."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from lms_tui.common.user_errors import AdvisedError

_SIDE_FILES: Final = ("-wal", "-shm", "-journal")


class DatabaseInUse(AdvisedError):
    """A database that another program has open."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"Another program uses the database {path}.", "Stop the service, and try again.")


@contextmanager
def held(path: Path) -> Iterator[sqlite3.Connection]:
    """Lock a database for this process. Raises DatabaseInUse, and sqlite3.DatabaseError if the file is no database.

    Every connection to a database with a write-ahead log holds a shared lock as long as it is open. The log can only be
    turned off without such locks.
    """
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = DELETE")
            # The lock stays when this transaction ends, because of the locking mode.
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise DatabaseInUse(path) from None
            raise
        yield connection


def copy(source: Path, target: Path) -> None:
    """Copy a database to a new file with mode 0600 while others write to it. Raises sqlite3.Error.

    The copy holds every transaction that was committed before, needs no log beside it, and is checked.
    """
    _create_private(target)
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.execute("PRAGMA query_only = ON")
        old.backup(new)
        new.execute("PRAGMA journal_mode = DELETE")
        (found,) = new.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(str(found))


def put_in_place(draft: Path, target: Path) -> None:
    """Replace the content of a database, or create it, as a whole or not at all.

    Raises DatabaseInUse and sqlite3.Error.
    """
    _create_private(target, exists=True)
    if not _is_readable(target):
        for path in (target, *(target.with_name(target.name + end) for end in _SIDE_FILES)):
            path.unlink(missing_ok=True)
        _create_private(target)
    target.chmod(0o600)
    with held(target) as new, closing(sqlite3.connect(draft)) as old:
        old.backup(new)


def _is_readable(path: Path) -> bool:
    """Return whether a file is a database. A damaged one has nothing to keep."""
    try:
        with held(path) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
            return False
        raise
    return True


def _create_private(path: Path, *, exists: bool = False) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | (0 if exists else os.O_EXCL), 0o600))
