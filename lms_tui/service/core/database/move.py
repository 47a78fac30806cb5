"""Copy an institute from SQLite to PostgreSQL: `python -m lms_tui.service.core.database.move FILE postgresql+psycopg://…`.

Every row keeps its ID, which keeps tokens, addresses and running attempts valid. One transaction copies everything.
"""

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from lms_tui.common.user_errors import AdvisedError, in_words
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.service.core.database.opening import open_database, reason
from lms_tui.service.core.database.sqlite_files import held
from lms_tui.service.core.database.tables import AttemptFilePart, ServerEpoch, User

_AT_A_TIME: Final = 1_000
_FILE_PARTS: Final = 16
"""Rows at a time where each has a quarter of a mebibyte."""
_OTHER_CONNECTIONS: Final = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
)
"""Connections of users to this database, which everybody can see. The server's own workers have no user."""


class MoveError(AdvisedError):
    """The institute cannot be moved."""


def move(source: Database, target: Database) -> dict[str, int]:
    """Copy every row and return the number of rows by table.

    Both databases are at the newest migration. Raises MoveError where the target already holds an institute, or where
    another program is connected to it.
    """
    # A transaction that writes keeps other programs from writing to the source.
    with source.write() as old, target.write() as new:
        if new.scalar(_OTHER_CONNECTIONS):
            raise MoveError("Another program is connected to the target database.", "Stop the service, and try again.")
        if new.scalar(select(func.count()).select_from(User)):
            raise MoveError("The target database already holds an institute.", "Give an empty database.")
        connection = new.connection()
        # The target keeps its own epoch.
        tables = [table for table in METADATA.sorted_tables if table is not ServerEpoch.__table__]
        counts = {table.name: _copy(old, connection, table) for table in tables}
        _continue_ids(old, connection)
    return counts


def _copy(old: Session, connection: Connection, table: Table) -> int:
    count = 0
    for rows in _chunks(old, table):
        connection.execute(insert(table), rows)
        count += len(rows)
    return count


def _chunks(old: Session, table: Table) -> Iterator[list[dict[str, Any]]]:
    # In order of creation, because a row can refer to an older row of the same table.
    found = old.execute(select(table).order_by(*table.primary_key)).mappings()
    for rows in found.partitions(_FILE_PARTS if table is AttemptFilePart.__table__ else _AT_A_TIME):
        yield [dict(row) for row in rows]


def _continue_ids(old: Session, connection: Connection) -> None:
    """Make new IDs follow the highest one ever given, even if its row was deleted."""
    for name, highest in old.execute(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")):
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)"), {"name": name, "highest": highest}
        )


def _moved(file: Path, address: str) -> dict[str, int]:
    if not address.startswith("postgresql"):
        raise MoveError("The target must be a PostgreSQL database.", "Write postgresql+psycopg://USER@HOST/NAME.")
    with suppress(sqlite3.DatabaseError), held(file):  # a damaged file is refused below
        pass
    with (
        closing(open_database(URL.create("sqlite", database=str(file)))) as source,
        closing(open_database(address)) as target,
    ):
        try:
            return move(source, target)
        except SQLAlchemyError as error:
            raise MoveError(f"The copy failed: {reason(error)}.", "Both databases are unchanged. Try again.") from error


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or not Path(arguments[0]).is_file():
        print("Give the SQLite file and the address of the PostgreSQL database.", file=sys.stderr)  # noqa: T201  # output of the command
        return 2
    try:
        counts = _moved(Path(arguments[0]), arguments[1])
    except (AdvisedError, OSError) as error:
        print(f"{in_words(error) or error}\nNothing was moved.", file=sys.stderr)  # noqa: T201  # as above
        return 1
    print(f"Moved {sum(counts.values())} rows from {len(counts)} tables.")  # noqa: T201  # as above
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
