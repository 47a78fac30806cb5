"""A new SQLite database, which gets its name when it is complete. Without SQLAlchemy, to start fast."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lms_tui.common.private_files import sync_path, write_new
from lms_tui.service.core.database.head import TABLES


@contextmanager
def new_file(file: Path) -> Iterator[sqlite3.Connection]:
    """Make a database file with mode 0600, with the tables and the rows that the block adds. An error leaves no file.

    The folder must exist. It is not made again if it was deleted meanwhile. Raises FileExistsError if there is a file,
    other OSErrors, and sqlite3.Error.
    """
    draft = draft_of(file)
    write_new(draft, b"")
    try:
        with closing(sqlite3.connect(draft)) as connection:
            # Only the complete file is needed: one sync at the end, and no journal.
            connection.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
            connection.executescript(TABLES.read_text("utf-8"))
            yield connection
            connection.commit()
            # Kept in the file. A later switch needs a moment in which nobody else reads.
            connection.execute("PRAGMA journal_mode = WAL")
        publish(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def draft_of(file: Path) -> Path:
    """Return where this process makes a database before it gets its name."""
    return file.with_name(f".{file.name}.{os.getpid()}.new")


def publish(draft: Path, file: Path) -> None:
    """Give a closed database its name. Raises FileExistsError and other OSErrors."""
    sync_path(draft)
    try:
        # A link never replaces the database that another program has made meanwhile.
        file.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # not every file system has links
        draft.rename(file)
    sync_path(file.parent)
