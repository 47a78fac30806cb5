"""The tables of a deck. Each version adds a script here, and none is ever changed."""

import sqlite3
from typing import Final

_SCRIPTS: Final = (
    """
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE cards (
        id INTEGER PRIMARY KEY,
        number TEXT NOT NULL,
        digest TEXT NOT NULL UNIQUE,
        subject TEXT NOT NULL,
        exam TEXT NOT NULL,
        words TEXT NOT NULL,
        content TEXT NOT NULL,
        added REAL NOT NULL,
        suspended INTEGER NOT NULL DEFAULT 0,
        stability REAL NOT NULL,
        difficulty REAL NOT NULL,
        reviewed REAL NOT NULL,
        due REAL NOT NULL
    );
    CREATE INDEX cards_number ON cards (number);
    CREATE INDEX cards_due ON cards (suspended, due);
    CREATE TABLE reviews (
        id INTEGER PRIMARY KEY,
        card INTEGER REFERENCES cards ON DELETE SET NULL,
        at REAL NOT NULL,
        outcome TEXT NOT NULL,
        grade INTEGER NOT NULL,
        certainty TEXT NOT NULL,
        seconds REAL,
        subject TEXT NOT NULL,
        source TEXT UNIQUE,
        stability REAL,
        difficulty REAL,
        reviewed REAL,
        due REAL
    );
    CREATE INDEX reviews_card ON reviews (card);
    CREATE INDEX reviews_at ON reviews (at);
    """,
)
VERSION: Final = len(_SCRIPTS)


def migrate(connection: sqlite3.Connection) -> bool:
    """Bring a deck to this version, each step as a whole or not at all. Return False for a newer deck."""
    while (version := int(connection.execute("PRAGMA user_version").fetchone()[0])) < VERSION:
        script = f"BEGIN IMMEDIATE; {_SCRIPTS[version]}; PRAGMA user_version = {version + 1}; COMMIT;"
        try:
            connection.executescript(script)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if int(connection.execute("PRAGMA user_version").fetchone()[0]) <= version:
                raise  # else another program made the same step meanwhile
    return version == VERSION
