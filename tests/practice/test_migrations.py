"""Decks of earlier versions open with this one. The first version stands here as it was."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from fsrs.scheduler import DEFAULT_PARAMETERS

from lms_tui.practice.cards import written
from lms_tui.practice.migrations import VERSION
from lms_tui.practice.store import Deck
from tests.fakes.decks import START, sums

FIRST = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cards (id INTEGER PRIMARY KEY, number TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
    exam TEXT NOT NULL, words TEXT NOT NULL, content TEXT NOT NULL, added REAL NOT NULL,
    suspended INTEGER NOT NULL DEFAULT 0, stability REAL NOT NULL, difficulty REAL NOT NULL, reviewed REAL NOT NULL,
    due REAL NOT NULL);
CREATE INDEX cards_number ON cards (number);
CREATE INDEX cards_due ON cards (suspended, due);
CREATE TABLE reviews (id INTEGER PRIMARY KEY, card INTEGER REFERENCES cards ON DELETE SET NULL, at REAL NOT NULL,
    outcome TEXT NOT NULL, grade INTEGER NOT NULL, certainty TEXT NOT NULL, seconds REAL, subject TEXT NOT NULL,
    source TEXT UNIQUE, stability REAL, difficulty REAL, reviewed REAL, due REAL);
CREATE INDEX reviews_card ON reviews (card);
CREATE INDEX reviews_at ON reviews (at);
PRAGMA user_version = 1;
"""


def test_a_deck_of_the_first_version_keeps_its_cards_and_reviews(tmp_path: Path) -> None:
    path, (plain,) = tmp_path / "deck.sqlite3", sums(1)
    card = replace(plain, explanation_html="<p><IMG src='/map.png'></p>")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(FIRST)
        connection.execute(
            "INSERT INTO cards VALUES (5, '', ?, 'Sums', 'Sums', '1 + 1?', ?, ?, 0, 0.2, 6.4, ?, ?)",
            (card.digest, written(card), START, START, START),
        )
        connection.execute(
            "INSERT INTO reviews VALUES (1, 5, 1.0, 'incorrect', 1, '', 9.0, 'Sums', NULL, NULL, NULL, NULL, NULL)"
        )
    deck = Deck(path)
    assert deck.cards([5]) == {5: card}
    assert [row.card_id for row in deck.due(START)] == [5]
    assert len(deck.reviews()) == 1
    assert deck.missing_pictures() == ("/map.png",)
    assert deck.parameters() == ()
    deck.tune(DEFAULT_PARAMETERS)
    assert deck.parameters() == DEFAULT_PARAMETERS
    deck.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
