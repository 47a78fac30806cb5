"""Reads journals of earlier versions, which were SQLite files."""

import json
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.journal.rows import decode_answer
from lms_tui.attempt.journal.sqlite_signs import MAGIC
from lms_tui.attempt.ports import Entry, Kept, Reply

_CHANGES: Final = "SELECT sequence, question_id, answer, boot, wall, settled, refused FROM change"
_REPLIES: Final = "heard"


def read_sqlite(path: Path) -> tuple[JournalContents, bool]:
    """Return the contents of a journal and its log, and whether they could be read whole. Raise OSError.

    A copy is read, because SQLite changes the files that it opens.
    """
    contents = JournalContents()
    with TemporaryDirectory(prefix="lms-tui-journal-") as folder:
        copy = Path(folder, "journal")
        data = path.read_bytes()
        copy.write_bytes(MAGIC + data[len(MAGIC) :])
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", f"{copy}-wal")
        try:
            with closing(sqlite3.connect(copy, isolation_level=None)) as db:
                db.text_factory = bytes
                whole = _read_changes(db, contents) & _read_facts(db, contents)
                return contents, whole and db.execute("PRAGMA quick_check(1)").fetchone()[0] == b"ok"
        except (sqlite3.Error, OverflowError):
            return contents, False


def _rows(db: sqlite3.Connection, query: str, order: str) -> tuple[list[tuple[Any, ...]], bool]:
    """The rows from the front and, where a damaged page ends that, from the back."""
    found: list[tuple[Any, ...]] = []  # also what comes before an error is added
    for direction in ("ASC", "DESC"):
        try:
            found += db.execute(f"{query} ORDER BY {order} {direction}")
        except (sqlite3.Error, OverflowError):
            continue
        return found, direction == "ASC"
    return found, False


def _read_changes(db: sqlite3.Connection, contents: JournalContents) -> bool:
    rows, whole = _rows(db, _CHANGES, "sequence")
    for sequence, question_id, answer, boot, wall, settled, refused in rows:
        try:
            given = decode_answer(json.loads(answer.decode()))
            entry = Entry(int(sequence), int(question_id), given, float(boot), float(wall))
            contents.keep(Kept(entry, acknowledged=bool(settled), refused=refused.decode()))
        except (ValueError, TypeError, KeyError, AttributeError):
            whole = False
    return whole


def _read_facts(db: sqlite3.Connection, contents: JournalContents) -> bool:
    rows, whole = _rows(db, "SELECT name, value FROM fact", "name")
    for name, value in rows:
        try:
            if name.decode() == _REPLIES:
                for reply in json.loads(value):
                    contents.note_reply(Reply(float(reply["boot"]), dict(reply["told"])))
            else:
                contents.remember({name.decode(): value.decode()})
        except (ValueError, TypeError, KeyError, AttributeError):
            whole = False
    return whole
