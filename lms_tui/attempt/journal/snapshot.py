"""Reads a journal, also while another process writes to it."""

from collections.abc import Mapping
from pathlib import Path

from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.journal.rows import FORMAT, Row, decode_rows
from lms_tui.attempt.journal.sqlite_signs import MAGIC, TABLE
from lms_tui.attempt.ports import JournalError, NewerJournalError
from lms_tui.common.frozen import frozen


@frozen
class JournalFile:
    """The rows of a journal whose checksums hold. `journal_id` is "" if its row is damaged or missing."""

    contents: JournalContents
    rows: Mapping[int, Row]
    journal_id: str = ""
    end: int = 0
    """Offset of the next row in bytes."""
    present_format: bool = True
    whole: bool = True
    """False where the file holds something that is not a row."""


def read_journal(path: Path) -> JournalFile:
    """Read a journal of this or an earlier version. No file is changed. Raise OSError and NewerJournalError."""
    data = path.read_bytes()
    contents, rows = JournalContents(), decode_rows(data)
    if data.startswith(MAGIC) or (not rows and TABLE in data):
        from lms_tui.attempt.journal.sqlite_format import read_sqlite  # noqa: PLC0415 - for earlier versions only

        contents, whole = read_sqlite(path)
        return JournalFile(contents, {}, present_format=False, whole=whole)
    if rows.get(1, {}).get("format", FORMAT) != FORMAT:
        raise NewerJournalError
    for number in sorted(rows):
        contents.apply(rows[number])
    return JournalFile(
        contents, rows, rows.get(1, {}).get("journal", ""), len(data.rstrip(b"\n")) + 1, whole=bool(rows) or not data
    )


def read_snapshot(path: Path) -> JournalContents:
    """Return everything in a journal that is not damaged. Raise JournalError when nothing can be read."""
    try:
        found = read_journal(path)
    except OSError as error:
        raise JournalError(f"The journal cannot be read ({error.strerror}).") from error
    if not found.whole and not found.contents.facts and not found.contents.history():
        raise JournalError("The journal is damaged and cannot be read.")
    return found.contents
