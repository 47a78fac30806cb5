"""Rows of SQLite without SQLAlchemy, stored as SQLAlchemy stores them."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from lms_tui.service.core.database.plain_sqlite import sqlite_text
from lms_tui.service.core.database.units import microseconds, ten_thousandths

_EXACT: Final = frozenset({"low", "high"})
"""Columns whose decimals are stored as text. All other decimals are marks."""


def insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> int:
    """Add a row, and return its ID. Columns that are left out get the default of the table."""
    made = connection.execute(_statement(table, row), _stored(row))
    return made.lastrowid or 0


def insert_all(connection: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows that have the same columns."""
    if rows:
        connection.executemany(_statement(table, rows[0]), map(_stored, rows))


def _statement(table: str, row: Mapping[str, Any]) -> str:
    columns = ", ".join(f'"{name}"' for name in row)
    return f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join("?" * len(row))})'  # noqa: S608  # names of our own


def _stored(row: Mapping[str, Any]) -> list[str | int | None]:
    return [str(value) if name in _EXACT else _value(value) for name, value in row.items()]


def _value(value: Any) -> str | int | None:
    match value:
        case datetime():
            return sqlite_text(value)
        case timedelta():
            return microseconds(value)
        case Decimal():
            return ten_thousandths(value)
        case list():
            return json.dumps(value)
        case None | str() | int():
            return value
        case _:
            raise TypeError(f"no column takes {value!r}")
