"""The tables of a deck. Each version adds a script here, and none is ever changed."""

import json
import sqlite3
from typing import Final

from lms_tui.practice.cards import read

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
    """
    CREATE TABLE pictures (source TEXT PRIMARY KEY, data BLOB NOT NULL);
    CREATE TABLE shown (
        card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
        source TEXT NOT NULL,
        PRIMARY KEY (card, source)
    ) WITHOUT ROWID;
    CREATE INDEX shown_source ON shown (source);
    INSERT INTO shown SELECT DISTINCT cards.id, value FROM cards, json_each(pictures_of(cards.content));
    DROP INDEX cards_due;
    CREATE INDEX cards_due ON cards (suspended, due, id, subject, words, exam);
    """,
)
VERSION: Final = len(_SCRIPTS)


def migrate(connection: sqlite3.Connection) -> bool:
    """Bring a deck to this version, each step as a whole or not at all. Return False for a newer deck."""
    connection.create_function("pictures_of", 1, _pictures_of, deterministic=True)
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


def _pictures_of(content: str) -> str:
    """Return the addresses of the pictures of a card as a JSON array."""
    card = read(content) if "<img" in content.lower() else None
    return json.dumps(card.pictures if card else [])
