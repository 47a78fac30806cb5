"""The demo institute as the program ships it. The first start copies it, which is ten times faster than to build it.

`scripts/demo_template.py` makes the file with the functions that build an institute, and a test compares the two.
"""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lms_tui.common.private_files import sync_path, write_new
from lms_tui.service.core.database.head import TABLES

TEMPLATE: Final = Path(__file__).with_name("institute.sql")
"""The rows of all tables."""
MADE_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of the creation from which the times in the template count."""


def copy_institute(file: Path, now: datetime) -> None:
    """Make the database file of an institute that was created now, with mode 0600.

    Raises FileExistsError if there is a file, other OSErrors, and sqlite3.Error.
    """
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}.new")
    write_new(draft, b"")
    try:
        with closing(sqlite3.connect(draft)) as connection:
            # The draft gets its name when it is complete, so it needs one sync at the end and no journal.
            connection.executescript("PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
            for script in (TABLES, TEMPLATE):
                connection.executescript(script.read_text("utf-8"))
            _move_times(connection, now)
        sync_path(draft)
        # A link never replaces the database that another start has made meanwhile.
        file.hardlink_to(draft)
    finally:
        draft.unlink(missing_ok=True)


def _move_times(connection: sqlite3.Connection, now: datetime) -> None:
    """Let every moment count from now."""
    passed = now.astimezone(UTC) - MADE_AT

    def moved(stored: str | None) -> str | None:
        return stored and (datetime.fromisoformat(stored) + passed).isoformat(" ", "microseconds")

    connection.create_function("moved", 1, moved, deterministic=True)
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        columns = connection.execute("SELECT name FROM pragma_table_info(?) WHERE type = 'DATETIME'", (table,))
        if changes := ", ".join(f'"{column}" = moved("{column}")' for (column,) in columns):
            connection.execute(f'UPDATE "{table}" SET {changes}')  # noqa: S608  # names of the template
    connection.commit()
