"""The demo institute as the program ships it. The first start copies it, which is ten times faster than to build it.

`scripts/demo_template.py` makes the file with the functions that build an institute, and a test compares the two.
"""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from lms_tui.service.core.database.new_file import new_file

TEMPLATE: Final = Path(__file__).with_name("institute.sql")
"""The rows of all tables."""
MADE_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of the creation from which the times in the template count."""


def copy_institute(file: Path, now: datetime) -> None:
    """Make the database file of an institute that was created now, with mode 0600.

    Raises FileExistsError if there is a file, other OSErrors, and sqlite3.Error.
    """
    with new_file(file) as connection:
        connection.executescript(TEMPLATE.read_text("utf-8"))
        _move_times(connection, now)


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
