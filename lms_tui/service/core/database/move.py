"""Carry an institute from SQLite to PostgreSQL: `python -m lms_tui.service.core.database.move FILE postgresql+psycopg://…`.

Every row with its number, so that tokens, addresses and attempts that run stay what they are. All or nothing.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from lms_tui.common.user_errors import AdvisedError, in_words
from lms_tui.service.core.database.base import Base
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.opening import open_database, told
from lms_tui.service.core.database.tables import User

_AT_A_TIME: Final = 1_000


class MoveError(AdvisedError):
    """An institute that cannot be moved there."""


def move(source: Database, target: Database) -> dict[str, int]:
    """Copy every row and return how many of each table; nobody may write to either meanwhile.

    Both are at the newest migration. Raises MoveError where the target holds an institute already.
    """
    with source.read() as old, target.write() as new:
        if new.scalar(select(func.count()).select_from(User)):
            raise MoveError("The database to move to holds an institute already.", "Give an empty one.")
        connection = new.connection()
        counts = {table.name: _copy(old, connection, table) for table in Base.metadata.sorted_tables}
        _go_on_counting(old, connection)
    return counts


def _copy(old: Session, connection: Connection, table: Table) -> int:
    count = 0
    for rows in _chunks(old, table):
        connection.execute(insert(table), rows)
        count += len(rows)
    return count


def _chunks(old: Session, table: Table) -> Iterator[list[dict[str, Any]]]:
    # In the order in which they were made: a row may refer to an older one of its own table.
    found = old.execute(select(table).order_by(*table.primary_key)).mappings()
    for rows in found.partitions(_AT_A_TIME):
        yield [dict(row) for row in rows]


def _go_on_counting(old: Session, connection: Connection) -> None:
    """Give new rows numbers after the highest that was ever given, also to one that is deleted by now."""
    for name, highest in old.execute(text("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")):
        connection.execute(
            text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :highest)"), {"name": name, "highest": highest}
        )


def _moved(file: Path, address: str) -> dict[str, int]:
    if not address.startswith("postgresql"):
        raise MoveError("An institute is moved to PostgreSQL.", "Write postgresql+psycopg://USER@HOST/NAME.")
    with (
        closing(open_database(URL.create("sqlite", database=str(file)))) as source,
        closing(open_database(address)) as target,
    ):
        try:
            return move(source, target)
        except SQLAlchemyError as error:
            raise MoveError(f"It ended on the way: {told(error)}.", "Both are as they were: try again.") from error


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or not Path(arguments[0]).is_file():
        print("Give the file of the SQLite database and the address of the new one.", file=sys.stderr)  # noqa: T201  # a command of its own
        return 2
    try:
        counts = _moved(Path(arguments[0]), arguments[1])
    except (AdvisedError, OSError) as error:
        print(f"{in_words(error) or error}\nNothing was moved.", file=sys.stderr)  # noqa: T201  # as above
        return 1
    print(f"Moved {sum(counts.values())} rows of {len(counts)} tables.")  # noqa: T201  # as above
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
