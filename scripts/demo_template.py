"""Write the demo institute that the program ships, so that its first start need not build one.

    uv run scripts/demo_template.py

Run it again after a change of the tables, of the demo institute, or of how attempts are scored.
`tests/service/test_demo_template.py` compares the file with an institute that it builds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from lms_tui.service.core.database.engine import Database
from lms_tui.service.demo.institute import ensure_demo
from lms_tui.service.demo.template import MADE_AT, TEMPLATE


def main() -> None:
    """Build an institute and write it as the statements that make its database."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "service.sqlite3"
        database = Database.in_file(file)
        try:
            database.prepare(brief=True)
            with database.write() as session:
                ensure_demo(session, lambda: MADE_AT)
        finally:
            database.close()
        with closing(sqlite3.connect(file)) as connection:
            TEMPLATE.write_text("".join(f"{statement}\n" for statement in _statements(connection)), "utf-8")


def _statements(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements that make this database, one for all rows of a table: SQLite reads them in half the time."""
    for start, statements in groupby(connection.iterdump(), lambda statement: statement.partition(" VALUES(")[0]):
        given = list(statements)
        if start.startswith("INSERT INTO "):
            rows = (statement.removeprefix(f"{start} VALUES").removesuffix(";") for statement in given)
            yield f"{start} VALUES\n" + ",\n".join(rows) + ";"
        else:
            yield from given


if __name__ == "__main__":
    main()
