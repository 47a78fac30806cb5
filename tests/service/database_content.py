"""What an SQLite database holds, for comparing one with another."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any


def content_of(file: Path) -> Mapping[str, Any]:
    """Return the schema, and the rows of each table without their order and without the hash of the password."""
    with closing(sqlite3.connect(file)) as connection:
        connection.row_factory = sqlite3.Row
        schema = connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()
        tables = [name for type_, name, _ in schema if type_ == "table"]
        rows = {table: connection.execute(f'SELECT * FROM "{table}"').fetchall() for table in tables}  # noqa: S608  # our own tables
    return {
        "schema": [tuple(entry) for entry in schema],
        **{
            table: Counter(tuple((key, row[key]) for key in row.keys() if key != "password_hash") for row in found)  # noqa: SIM118  # a row iterates over its values
            for table, found in rows.items()
        },
    }
