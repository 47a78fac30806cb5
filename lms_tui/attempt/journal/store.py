"""What was answered, durable before it shows as saved: one SQLite file an attempt, and a twin in memory."""

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from lms_tui.attempt.journal.snapshot import JournalSnapshot, rows_of
from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, JournalInUseError, Kept, Unfinished
from lms_tui.attempt.values import Answer

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS change (
  sequence INTEGER NOT NULL,
  question_id INTEGER NOT NULL,
  answer TEXT NOT NULL,
  boot REAL NOT NULL,
  wall REAL NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0,
  refused TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (sequence, question_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS change_of_question ON change (question_id, sequence);
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_NEWEST: Final = """
SELECT sequence, question_id, answer, boot, wall, settled, refused FROM change AS c
WHERE sequence = (SELECT max(sequence) FROM change WHERE question_id = c.question_id)
"""
_ALL: Final = """
SELECT sequence, question_id, answer, boot, wall, settled, refused FROM change ORDER BY sequence, question_id
"""


def encode(answer: Answer) -> str:
    return json.dumps(asdict(answer), ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> Answer:
    value: dict[str, Any] = json.loads(text)
    return Answer(
        selected=tuple(value["selected"]),
        short_text=value["short_text"],
        essay_text=value["essay_text"],
        essay_topic=value["essay_topic"],
        gaps=tuple((str(order), str(given)) for order, given in value["gaps"]),
        review=value["review"],
    )


def _kept(row: tuple[Any, ...]) -> Kept:
    sequence, question_id, answer, boot, wall, settled, refused = row
    return Kept(Entry(sequence, question_id, decode(answer), boot, wall), bool(settled), refused)


class FileJournal:
    """An append-only file: rows are marked when the server has them, never deleted.

    WAL with `synchronous=FULL`: with NORMAL a power cut loses commits that were already shown as saved. The exclusive
    lock is the operating system's, so that it goes with a killed process and needs no clean-up.
    """

    def __init__(self, path: Path, key: AttemptKey, title: str) -> None:
        self._path = path
        self.restored = ""
        try:
            self._db = self._opened(path)
        except sqlite3.DatabaseError as error:
            self._db = self._reopened(path, error)
        self._pid_file.write_text(str(os.getpid()), encoding="ascii")
        facts = {"origin": key.origin, "user_id": str(key.user_id), "attempt_id": str(key.attempt_id)}
        if title:
            facts["title"] = title
        with self._writing():
            self._db.executemany("INSERT OR REPLACE INTO fact VALUES (?, ?)", facts.items())
            self._db.execute("INSERT OR IGNORE INTO fact VALUES ('writer', ?)", (uuid.uuid4().hex[:12],))
        self.writer = self.recall("writer")

    @property
    def _pid_file(self) -> Path:
        return self._path.with_suffix(".pid")

    def _opened(self, path: Path) -> sqlite3.Connection:
        # Created by our own call so that the answers are never readable by others, not even for a moment; a file that
        # is there is left alone, because closing it would let go of every lock that this process has on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        db = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.executescript(_SCHEMA)
            db.execute("BEGIN IMMEDIATE")
            db.execute("COMMIT")
            verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        except BaseException:
            db.close()
            raise
        if verdict != "ok":
            db.close()
            raise sqlite3.DatabaseError(verdict)
        return db

    def _reopened(self, path: Path, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        """A file in use is refused; a damaged one is moved aside, never deleted, and a new one begun."""
        if isinstance(error, sqlite3.OperationalError):
            if "locked" in str(error):
                raise JournalInUseError(self._holder()) from None
            raise JournalError(f"The journal cannot be opened ({error}).") from error
        aside = next(p for n in range(1, 1000) if not (p := path.with_suffix(f".damaged-{n}")).exists())
        path.rename(aside)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
        self.restored = f"The journal of this attempt was damaged; it is kept as {aside.name} and a new one was begun."
        return self._opened(path)

    def _holder(self) -> int | None:
        return _pid_in(self._pid_file)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise JournalError(_words(error)) from error

    def record(self, *entries: Entry) -> None:
        rows = [(e.sequence, e.question_id, encode(e.answer), e.boot, e.wall) for e in entries]
        with self._writing():
            self._db.executemany(
                "INSERT OR REPLACE INTO change (sequence, question_id, answer, boot, wall) VALUES (?, ?, ?, ?, ?)", rows
            )

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        with self._writing():
            self._db.execute(
                "UPDATE change SET settled = ?, refused = ? WHERE question_id = ? AND sequence <= ? AND settled = 0",
                (0 if refused else 1, refused, question_id, sequence),
            )

    def newest(self) -> Mapping[int, Kept]:
        return {kept.entry.question_id: kept for kept in map(_kept, self._db.execute(_NEWEST))}

    def history(self) -> Sequence[Kept]:
        return [_kept(row) for row in self._db.execute(_ALL)]

    def last_sequence(self) -> int:
        return int(self._db.execute("SELECT coalesce(max(sequence), 0) FROM change").fetchone()[0])

    def remember(self, name: str, value: str) -> None:
        with self._writing():
            self._db.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def recall(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def keep_receipt(self, text: str) -> None:
        path, fresh = self._path.with_suffix(".receipt.txt"), self._path.with_suffix(".receipt.new")
        try:
            file = os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as opened:
                opened.write(text)
                opened.flush()
                os.fsync(opened.fileno())
            fresh.replace(path)
        except OSError as error:
            raise JournalError(f"The receipt cannot be written ({error.strerror}).") from error

    def finish(self) -> None:
        self.remember("finished", "yes")

    def close(self) -> None:
        self._db.close()
        self._pid_file.unlink(missing_ok=True)


def _sync_names(folder: Path) -> None:
    """Make the names in a folder durable: a power cut may take a new folder with everything synced inside it."""
    with contextlib.suppress(PermissionError):  # Windows opens no folder, and keeps its names by itself
        holder = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(holder)
        finally:
            os.close(holder)


def _pid_in(path: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return None


def read_snapshot(path: Path) -> JournalSnapshot:
    """Read what is durable in a journal, also while another process holds it; raises JournalError."""
    if _pid_in(path.with_suffix(".pid")) == os.getpid():
        # Closing another handle on the file would let go of this process's own lock.
        raise JournalError("The journal is open in this very process.")
    changes, facts = rows_of(path, _ALL, "SELECT name, value FROM fact")
    try:
        return JournalSnapshot(tuple(_kept(row) for row in changes), {str(name): str(value) for name, value in facts})
    except (ValueError, TypeError, KeyError) as error:
        raise JournalError("The journal is damaged and cannot be read.") from error


def _words(error: sqlite3.Error) -> str:
    text = str(error)
    if "full" in text:
        return "The disk is full."
    if "readonly" in text or "read-only" in text:
        return "The disk cannot be written."
    return f"The journal cannot be written ({text})."


class FileJournals:
    """All journals of this computer: `folder/<server>/<user>/<attempt>.journal`, readable by their owner alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _of_user(self, origin: str, user_id: int) -> Path:
        readable = re.sub(r"[^a-z0-9.]+", "-", origin.lower()).strip("-")[:40]
        digest = hashlib.sha256(origin.encode()).hexdigest()[:8]
        return self._folder / f"{readable}-{digest}" / str(user_id)

    def open(self, key: AttemptKey, title: str) -> Journal:
        folder = self._of_user(key.origin, key.user_id)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for holder in (folder.parent, self._folder, self._folder.parent):
                _sync_names(holder)
            return FileJournal(folder / f"{key.attempt_id}.journal", key, title)
        except OSError as error:
            raise JournalError(f"The journal cannot be written ({error.strerror}).") from error

    def look(self, key: AttemptKey) -> JournalSnapshot:
        return read_snapshot(self._of_user(key.origin, key.user_id) / f"{key.attempt_id}.journal")

    def paths(self) -> list[Path]:
        """Every journal of this computer, of every server and user."""
        return sorted(self._folder.glob("*/*/*.journal"))

    def unfinished(self, origin: str, user_id: int) -> tuple[Unfinished, ...]:
        found = []
        for path in sorted(self._of_user(origin, user_id).glob("*.journal")):
            try:
                journal = FileJournal(path, AttemptKey(origin, user_id, int(path.stem)), "")
            except (JournalError, OSError, ValueError):
                continue
            unsent = len(undelivered(journal.history()))
            if unsent and not journal.recall("finished"):
                found.append(Unfinished(AttemptKey(origin, user_id, int(path.stem)), journal.recall("title"), unsent))
            journal.close()
        return tuple(found)
