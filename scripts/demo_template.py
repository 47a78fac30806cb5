"""Write the tables and the demo institute that the program ships, so that its first start need not make them.

    uv run scripts/demo_template.py

Run it again after a change of the tables, of the demo institute, or of how attempts are scored.
`tests/service/test_demo_template.py` compares the files with tables and an institute that it builds.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import create_engine

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.service.core.database.head import BETWEEN, TABLES
from lms_tui.service.demo.institute import ensure_demo
from lms_tui.service.demo.template import MADE_AT, TEMPLATE

_VERSION = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"


def main() -> None:
    """Write the statements that create the tables, then build an institute in them and write those of its rows."""
    with TemporaryDirectory() as folder:
        TABLES.write_text(_tables(Path(folder) / "tables.sqlite3"), "utf-8")
        file = Path(folder) / "service.sqlite3"
        database = Database.in_file(file)
        try:
            database.prepare(brief=True)
            with database.write() as session:
                ensure_demo(session, lambda: MADE_AT)
        finally:
            database.close()
        with closing(sqlite3.connect(file)) as connection:
            TEMPLATE.write_text("".join(f"{statement}\n" for statement in _rows(connection)), "utf-8")


def _tables(file: Path) -> str:
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as creating:
        METADATA.create_all(creating)
        creating.exec_driver_sql(_VERSION)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        made = [statement.removesuffix(";") for statement in connection.iterdump() if statement.startswith("CREATE ")]
    # SQLAlchemy creates the indexes of a table in any order.
    ordered = sorted(made, key=lambda statement: "" if statement.startswith("CREATE TABLE") else statement)
    return f"{BETWEEN.join(ordered)};\n"


def _rows(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements that fill the tables, one for each table: SQLite reads them in half the time."""
    rest = (statement for statement in connection.iterdump() if not statement.startswith("CREATE "))
    for start, statements in groupby(rest, lambda statement: statement.partition(" VALUES(")[0]):
        given = list(statements)
        if start.startswith("INSERT INTO "):
            rows = (statement.removeprefix(f"{start} VALUES").removesuffix(";") for statement in given)
            yield f"{start} VALUES\n" + ",\n".join(rows) + ";"
        else:
            yield from given


if __name__ == "__main__":
    main()
