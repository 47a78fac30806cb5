"""The deck of one user in an SQLite file. Each review is on the disk before the screen says so."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from lms_tui.banks.scoring import Outcome
from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import sync_path, write_new
from lms_tui.common.user_errors import AdvisedError
from lms_tui.practice.cards import Card, read, written
from lms_tui.practice.grading import Certainty, Grade, History, needs_card
from lms_tui.practice.migrations import VERSION, migrate
from lms_tui.practice.schedule import Memory, Parameters, after_review, read_parameters, written_parameters

_PATIENCE: Final = 5.0
"""Seconds to wait for another program that writes to the deck."""
_ROOM: Final = 1024 * 1024 * 1024
"""Bytes of the pictures of a deck at most."""
_PARAMETERS: Final = "parameters"
_MEMORY: Final = "stability, difficulty, reviewed, due"
_ROW: Final = "id, subject, words, exam, due, suspended"


class DeckError(AdvisedError):
    """The deck cannot be used. `advice` says what to do."""


class Row(NamedTuple):
    """A card in a list, without its content. A list has 10,000 of them, for which a dataclass takes 40 ms longer."""

    card_id: int
    subject: str
    words: str
    exam: str
    due: float
    suspended: bool = False


@frozen
class Review:
    """One answer. `source` names an answer of an attempt, so that it counts once however often it is read."""

    at: float
    outcome: Outcome
    grade: Grade
    certainty: Certainty = Certainty.NONE
    seconds: float | None = None
    subject: str = ""
    source: str = ""


@frozen
class Recorded:
    """`card_id`: 0 for a question that is not in the deck. `new`: this review has added the card."""

    review_id: int = 0
    card_id: int = 0
    new: bool = False


class Deck:
    """An open deck. Methods raise DeckError. `restored`: what happened to a damaged file, or ""."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.restored = ""
        try:
            try:
                self._connection = _opened(path)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                aside = next(p for n in range(1, 10_000) if not (p := path.with_suffix(f".damaged-{n}")).exists())
                path.rename(aside)
                self.restored = f"The deck was damaged. It is kept as {aside.name}, and a new one is used."
                self._connection = _opened(path)
        except (OSError, sqlite3.Error) as error:
            raise _unusable(error) from error

    def close(self) -> None:
        self._connection.close()

    # Reading.

    def due(self, until: float, most: int = -1) -> tuple[Row, ...]:
        """Return the cards that are due, the longest due first, at most so many. Cards that rest are left out."""
        return self._rows("suspended = 0 AND due <= ? ORDER BY due, id LIMIT ?", until, most)

    def ahead(self, after: float, now: float, most: int) -> tuple[Row, ...]:
        """Return cards that are due later than `after`, first those that are least probably known `now`.

        In FSRS, the probability falls with the time since the review, measured in stabilities.
        """
        condition = "suspended = 0 AND due > ? ORDER BY (? - reviewed) / stability DESC, id LIMIT ?"
        return self._rows(condition, after, now, most)

    def rows(self, words: str = "") -> tuple[Row, ...]:
        """Return all cards whose text, subject or exam contains every word, the next due first."""
        wanted = [f"%{_escaped(word)}%" for word in words.split()]
        condition = " AND ".join(["(words || ' ' || subject || ' ' || exam) LIKE ? ESCAPE '\\'"] * len(wanted))
        return self._rows(f"{condition or 1} ORDER BY suspended, due, id", *wanted)

    def _rows(self, condition: str, *values: object) -> tuple[Row, ...]:
        with _words():
            found = self._connection.execute(f"SELECT {_ROW} FROM cards WHERE {condition}", values)  # noqa: S608 - constant names
            return tuple(map(Row._make, found))

    def cards(self, ids: Sequence[int]) -> dict[int, Card]:
        """Return the content of these cards. A damaged one is left out."""
        found: dict[int, Card] = {}
        with _words():
            for card_id in ids:
                row = self._connection.execute("SELECT content FROM cards WHERE id = ?", (card_id,)).fetchone()
                if row is not None and (card := read(row[0])) is not None:
                    found[card_id] = card
        return found

    def find(self, card: Card) -> int:
        """Return the ID of the card of this question, also in another version. 0 without one."""
        with _words():
            by_content = "SELECT id FROM cards WHERE digest = ?"
            if (same := self._connection.execute(by_content, (card.digest,)).fetchone()) is not None:
                return int(same[0])
            if not card.number:
                return 0
            by_number = "SELECT id, content FROM cards WHERE number = ?"
            for card_id, content in self._connection.execute(by_number, (card.number,)):
                if (known := read(content)) is not None and card.is_version_of(known):
                    return int(card_id)
        return 0

    def memory(self, card_id: int) -> Memory | None:
        with _words():
            row = self._connection.execute(f"SELECT {_MEMORY} FROM cards WHERE id = ?", (card_id,)).fetchone()  # noqa: S608 - constant names
        return None if row is None else Memory(*row)

    def reviews(self, since: float = 0.0) -> tuple[Review, ...]:
        """Return the reviews from a moment on, the oldest first."""
        columns = "at, outcome, grade, certainty, seconds, subject, source"
        with _words():
            found = self._connection.execute(f"SELECT {columns} FROM reviews WHERE at >= ? ORDER BY at, id", (since,))  # noqa: S608 - constant names
            return tuple(
                Review(at, Outcome(outcome), Grade(grade), Certainty(certainty), seconds, subject, source or "")
                for at, outcome, grade, certainty, seconds, subject, source in found
            )

    def histories(self) -> tuple[History, ...]:
        """Return the reviews of each card that is in the deck, the oldest first. The newest card comes first."""
        columns = "card, at, grade FROM reviews WHERE card IS NOT NULL AND outcome <> 'unscored'"
        with _words():
            found = self._connection.execute(f"SELECT {columns} ORDER BY card DESC, at, id")
            cards = groupby(found, key=itemgetter(0))
            return tuple(tuple((at, Grade(number)) for _, at, number in reviews) for _, reviews in cards)

    def missed(self, since: float) -> tuple[Row, ...]:
        """Return the cards that were not known at some time since then."""
        again = "SELECT card FROM reviews WHERE at >= ? AND grade = 1"
        return self._rows(f"suspended = 0 AND id IN ({again}) ORDER BY due, id", since)

    # Writing.

    def record(self, card: Card, review: Review, replaces: Recorded | None = None) -> Recorded:
        """Keep a review and schedule its card. Add the card if the question needs one.

        `replaces`: an earlier record of the same answer, which is taken back. A source that is known only renews the
        content of its card.
        """
        with self._transaction():
            if replaces is not None:
                self._take_back(replaces)
            return self._record(card, review)

    def learn(self, answers: Iterable[tuple[Card, Review]]) -> int:
        """Record the answers of an attempt together. Return how many questions were added."""
        with self._transaction():
            return sum(self._record(card, review).new for card, review in answers)

    def _record(self, card: Card, review: Review) -> Recorded:
        card_id = self.find(card)
        if card_id:
            self._renew(card_id, card)
        if review.source and self._knows(review.source):
            return Recorded(card_id=card_id)
        before = self.memory(card_id) if card_id else None
        new = not card_id and needs_card(review.grade)
        later = before is not None and bool(review.source) and review.at < before.reviewed
        if (card_id or new) and not later:  # an older attempt that is read now is history
            memory = after_review(before, review.grade, review.at, self.parameters())
            card_id = self._schedule(card_id, memory) if card_id else self._add(card, memory, review.at)
        return Recorded(self._note(card_id, review, before), card_id, new)

    def _take_back(self, earlier: Recorded) -> None:
        columns = "card, stability, difficulty, reviewed, due"
        row = self._connection.execute(f"SELECT {columns} FROM reviews WHERE id = ?", (earlier.review_id,)).fetchone()  # noqa: S608 - constant names
        self._connection.execute("DELETE FROM reviews WHERE id = ?", (earlier.review_id,))
        if row is None or row[0] is None:
            return
        if earlier.new:
            self._connection.execute("DELETE FROM cards WHERE id = ?", (row[0],))
        else:
            self._schedule(row[0], Memory(*row[1:]))

    def _knows(self, source: str) -> bool:
        return self._connection.execute("SELECT 1 FROM reviews WHERE source = ?", (source,)).fetchone() is not None

    def _schedule(self, card_id: int, memory: Memory) -> int:
        change = "UPDATE cards SET stability = ?, difficulty = ?, reviewed = ?, due = ? WHERE id = ?"
        self._connection.execute(change, (memory.stability, memory.difficulty, memory.reviewed, memory.due, card_id))
        return card_id

    def _add(self, card: Card, memory: Memory, at: float) -> int:
        names = f"number, digest, subject, exam, words, content, added, {_MEMORY}"
        values = (*_content(card), at, memory.stability, memory.difficulty, memory.reviewed, memory.due)
        statement = f"INSERT INTO cards ({names}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608 - constant names
        card_id = self._connection.execute(statement, values).lastrowid or 0
        self._note_pictures(card_id, card)
        return card_id

    def _renew(self, card_id: int, card: Card) -> None:
        """Replace the content of a card where it has changed."""
        names = ("number", "digest", "subject", "exam", "words", "content")
        assignments = ", ".join(f"{name} = ?" for name in names)
        renewed = self._connection.execute(
            f"UPDATE cards SET {assignments} WHERE id = ? AND content <> ?",  # noqa: S608 - constant names
            (*_content(card), card_id, written(card)),
        )
        if renewed.rowcount:
            self._connection.execute("DELETE FROM shown WHERE card = ?", (card_id,))
            self._note_pictures(card_id, card)

    def _note_pictures(self, card_id: int, card: Card) -> None:
        self._connection.executemany("INSERT INTO shown VALUES (?, ?)", [(card_id, each) for each in card.pictures])

    def _note(self, card_id: int, review: Review, before: Memory | None) -> int:
        earlier = (before.stability, before.difficulty, before.reviewed, before.due) if before else (None,) * 4
        values = (
            card_id or None, review.at, review.outcome.value, int(review.grade), review.certainty.value,
            review.seconds, review.subject, review.source or None, *earlier,
        )  # fmt: skip
        names = f"card, at, outcome, grade, certainty, seconds, subject, source, {_MEMORY}"
        statement = f"INSERT INTO reviews ({names}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608 - constant names
        return self._connection.execute(statement, values).lastrowid or 0

    def suspend(self, ids: Sequence[int], *, suspended: bool = True) -> int:
        """Let cards rest, or let them come back. Return how many cards changed."""
        change = "UPDATE cards SET suspended = ? WHERE id = ? AND suspended <> ?"
        return self._each(change, [(suspended, card_id, suspended) for card_id in ids])

    def reset(self, ids: Sequence[int], at: float) -> int:
        """Forget when cards were known. They are due now."""
        fresh = after_review(None, Grade.AGAIN, at, self.parameters())
        change = "UPDATE cards SET stability = ?, difficulty = ?, reviewed = ?, due = ?, suspended = 0 WHERE id = ?"
        return self._each(change, [(fresh.stability, fresh.difficulty, at, at, card_id) for card_id in ids])

    def remove(self, ids: Sequence[int]) -> int:
        """Delete cards. Their reviews stay in the history, and keep them from coming back by the same answer."""
        removed = self._each("DELETE FROM cards WHERE id = ?", [(card_id,) for card_id in ids])
        self._each("DELETE FROM pictures WHERE source NOT IN (SELECT source FROM shown)", [()])
        return removed

    def _each(self, statement: str, values: Sequence[Sequence[object]]) -> int:
        with self._transaction():
            return sum(self._connection.execute(statement, each).rowcount for each in values)

    # Pictures from the web. Their addresses in the HTML name them, because a deck belongs to one server.

    def missing_pictures(self) -> tuple[str, ...]:
        """Return the addresses of pictures that cards show and the deck does not hold."""
        missing = "SELECT DISTINCT source FROM shown WHERE source NOT IN (SELECT source FROM pictures)"
        with _words():
            return tuple(source for (source,) in self._connection.execute(missing))

    def keep_picture(self, source: str, data: bytes) -> None:
        """Keep a picture of a card. Beyond the room for pictures, nothing is kept."""
        with self._transaction():
            held = self._connection.execute("SELECT total(length(data)) FROM pictures").fetchone()[0]
            if held + len(data) <= _ROOM:
                self._connection.execute("INSERT OR REPLACE INTO pictures VALUES (?, ?)", (source, data))

    def picture(self, source: str) -> bytes | None:
        with _words():
            return _picture(self._connection, source)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with _words():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    # Facts about the deck itself.

    def about(self, name: str) -> str:
        with _words():
            row = self._connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return "" if row is None else str(row[0])

    def note(self, name: str, value: str) -> None:
        if self.about(name) != value:
            with self._transaction():
                self._connection.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def parameters(self) -> Parameters:
        """Return the parameters of FSRS for this deck. Damaged ones count as the default ones."""
        return read_parameters(self.about(_PARAMETERS))

    def tune(self, parameters: Parameters) -> None:
        """Keep parameters of FSRS. Each card takes them at its next review."""
        self.note(_PARAMETERS, written_parameters(parameters))


def count_due(path: Path, until: float) -> int:
    """Return the number of due cards in a deck that may be missing or in use. Creates nothing."""
    if not path.exists():
        return 0
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        counted = "SELECT count(*) FROM cards WHERE suspended = 0 AND due <= ?"
        return int(connection.execute(counted, (until,)).fetchone()[0])
    return 0


def picture_of(path: Path, source: str) -> bytes | None:
    """Return a picture of a deck that may be missing or in use. Creates nothing."""
    if path.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            return _picture(connection, source)
    return None


def _picture(connection: sqlite3.Connection, source: str) -> bytes | None:
    row = connection.execute("SELECT data FROM pictures WHERE source = ?", (source,)).fetchone()
    return None if row is None else bytes(row[0])


def _content(card: Card) -> tuple[str, ...]:
    return card.number, card.digest, card.subject, card.exam, card.words, written(card)


def _opened(path: Path) -> sqlite3.Connection:
    """Open a deck, and bring an older one to this version. Raises OSError, sqlite3.Error and DeckError."""
    new = not path.exists()
    if new:
        with suppress(FileExistsError):
            write_new(path, b"")
        sync_path(path.parent)
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA foreign_keys = ON")
        known = migrate(connection)
    except BaseException:
        connection.close()
        raise
    if not known:
        connection.close()
        words = "The deck was made by a newer version of this program."
        raise DeckError(words, f"Install that version. This one reads version {VERSION}.")
    return connection


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


@contextmanager
def _words() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _unusable(error) from error


def _unusable(error: Exception) -> DeckError:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return DeckError(f"The deck cannot be used ({reason}).", "Close other programs that use it, or make room.")
