"""The journal of an attempt as a file. Each change is a row, which is synced before the answer shows as saved.

The mark beside the journal names the newest row. Damaged and missing rows are found by their numbers.
"""

import contextlib
import errno
import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from lms_tui.attempt.journal.contents import (
    JournalContents,
    change_row,
    facts_row,
    reply_row,
    settled_row,
    visit_row,
)
from lms_tui.attempt.journal.files import FolderFiles
from lms_tui.attempt.journal.mark import Mark, is_file, is_held, sync
from lms_tui.attempt.journal.outstanding import outstanding_of
from lms_tui.attempt.journal.rows import Row, encode_row
from lms_tui.attempt.journal.snapshot import JournalFile, read_journal, read_snapshot
from lms_tui.attempt.journal.sqlite_signs import is_held_by_sqlite
from lms_tui.attempt.journal.undelivered import FINISHED
from lms_tui.attempt.ports import (
    AttemptKey,
    Entry,
    Journal,
    JournalError,
    JournalInUseError,
    JournalLostError,
    Kept,
    Outstanding,
    Reply,
    Visit,
)
from lms_tui.common.private_files import BINARY, is_full, replace_file, sync_path

RENAMES_OPEN_FILES: Final = os.name != "nt"
"""Windows renames no file that a process has open."""
_RESERVE: Final = 1 << 14
_REMOVED: Final = "The journal was removed, and no new one can be written."
_MARK_LOST: Final = (
    "The file that tells whether the journal of this exam is complete was damaged or removed. A copy of the journal is "
    "kept as {}. Your last answers may be missing. Check your answers."
)
_REWRITTEN: Final = "The journal was removed while the exam ran. A new one was written from memory."


class FileJournal:
    """Every method that writes returns when the row is durable, or raises JournalError."""

    def __init__(self, path: Path, key: AttemptKey, title: str) -> None:
        self._path = path
        self._file: int | None = None
        self._written: os.stat_result | None = None
        """The file that was written last, also after it was closed."""
        self._rows = 0
        self._end = self._size = 0
        self._journal_id = ""
        self._told = ""
        self.restored = ""
        self.files = FolderFiles(path.with_suffix(".files"))
        self._mark = _opened_mark(path.with_suffix(".mark"))
        try:
            self._contents = self._read()
            facts = {"origin": key.origin, "user_id": str(key.user_id), "attempt_id": str(key.attempt_id)}
            facts |= {"title": title} if title else {}
            facts |= {"writer": self._contents.recall("writer") or uuid.uuid4().hex[:12]}
            self.remember({name: value for name, value in facts.items() if self.recall(name) != value})
            self.check()
            for suffix in ("-wal", "-shm"):  # of a journal that an earlier version wrote, and which was kept aside
                Path(f"{path}{suffix}").unlink(missing_ok=True)
        except BaseException:
            self.close()
            raise
        self.writer = self.recall("writer")

    # Opening.

    def _read(self) -> JournalContents:
        """Read the file. When it is damaged, keep a copy and say so in `restored`."""
        found = self._found()
        newest = max(found.rows, default=0)
        mark_lost = self._mark.damaged or (self._mark.fresh and newest > 0)
        known = found.journal_id in {"", self._mark.journal_id}
        expected = self._mark.rows if known and self._mark.rows else newest
        missing = set(range(1, max(expected, newest) + 1)) - found.rows.keys()
        damaged = sum(1 for number in missing if number <= expected)
        if damaged or not found.whole:
            self.restored = self._set_aside(damaged, found)
        elif not found.present_format:
            self._keep_as("sqlite")
        elif not missing and found.journal_id:
            self._use(found, newest)
        if mark_lost and not self.restored:
            self.restored = _MARK_LOST.format(self._keep_as("damaged").name)
        if missing:
            found.contents.doubt(max(missing), found.rows)
        return found.contents

    def _found(self) -> JournalFile:
        """Return the rows of the file. A missing one is whole if nothing beside it shows that it was there."""
        try:
            found = read_journal(self._path)
        except FileNotFoundError:
            return JournalFile(JournalContents(), {}, whole=not (self._mark.damaged or self._was_damaged()))
        except OSError:
            return JournalFile(JournalContents(), {}, whole=False)
        if not found.present_format and is_held_by_sqlite(self._path):
            raise JournalInUseError(None)
        return found

    def _was_damaged(self) -> bool:
        """Whether a damaged copy shows that there was a journal. The mark may be lost with it."""
        return any(self._path.parent.glob(f"{self._path.stem}.damaged-*"))

    def _use(self, found: JournalFile, newest: int) -> None:
        """Write the next rows to this file. Write the mark if it is lost, damaged or older."""
        self._file = os.open(self._path, os.O_WRONLY | BINARY)
        self._rows, self._journal_id = newest, found.journal_id
        self._written = os.fstat(self._file)
        self._end, self._size = found.end, self._written.st_size
        if (self._mark.rows, self._mark.journal_id) != (newest, found.journal_id):
            with contextlib.suppress(OSError):  # the next row writes it
                self._mark.write(newest, found.journal_id)

    def _set_aside(self, damaged: int, found: JournalFile) -> str:
        """Keep a copy of the damaged file. Return the sentence that says so."""
        if not self._path.exists():
            return "The journal of this exam is missing. A new one is used, and the server is asked for your answers."
        aside = self._keep_as("damaged")
        if not found.contents.history():
            return f"The journal of this exam was damaged. It is kept as {aside.name}, and a new one is used."
        rows = "1 row of it is" if damaged == 1 else f"{damaged} rows of it are" if damaged else "some rows of it are"
        return (
            f"The journal of this exam was damaged: {rows} lost, and the rest is used. The damaged file is kept as "
            f"{aside.name}. Check your answers."
        )

    def _keep_as(self, what: str) -> Path:
        """Keep a copy of the file, and of the log of an earlier version. Move a file that cannot be copied."""
        aside = _free_name(self._path, what)
        try:
            _copy(self._path, aside)
            with contextlib.suppress(FileNotFoundError):
                _copy(Path(f"{self._path}-wal"), Path(f"{aside}-wal"))
        except OSError:
            self._path.rename(aside)
        return aside

    # Writing.

    def _add(self, *rows: Row) -> None:
        """Add rows and sync them. Write the whole journal anew when the file is gone or has failed."""
        if not self._in_place():
            self._write_anew(rows)
            return
        try:
            number = self._append(self._rows, rows)
            self._mark.write(number, self._journal_id)
        except OSError as error:
            if not is_full(error):
                self._let_go()  # it is not known what a failed sync has left on the disk
            raise JournalError(_words(error)) from error
        self._rows = number

    def _append(self, number: int, rows: Sequence[Row]) -> int:
        """Write rows that follow this number. Return the number of the last one."""
        data = b"".join(encode_row(number, row) for number, row in enumerate(rows, number + 1))
        if self._file is None:
            raise OSError(errno.EBADF, "The journal is closed")
        if self._end + len(data) > self._size:
            self._reserve(self._file, len(data) + _RESERVE)
        os.lseek(self._file, self._end, os.SEEK_SET)
        _write(self._file, data)
        self._end += len(data)
        return number + len(rows)

    def _reserve(self, file: int, size: int) -> None:
        """Fill the file with empty lines. A sync is several times faster while the file does not grow."""
        with contextlib.suppress(OSError):  # a nearly full disk may have room for the rows alone
            os.lseek(file, self._end, os.SEEK_SET)
            self._size = self._end + os.write(file, b"\n" * size)

    def _in_place(self) -> bool:
        return self._file is not None and not self._removed() and self._mark.in_place()

    def _removed(self) -> bool:
        return self._written is not None and not is_file(self._path, self._written)

    def _write_anew(self, rows: Sequence[Row] = ()) -> None:
        """Write all contents to a new file and replace the old one with it."""
        fresh = self._path.with_suffix(".new")
        journal_id = uuid.uuid4().hex[:8]
        removed = self._removed()
        try:
            make_folders(self._path.parent)
            if not self._mark.in_place():
                mark = _opened_mark(self._mark.path)
                self._mark.close()
                self._mark = mark
            self._let_go()
            self._file = os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | BINARY, 0o600)
            self._end = self._size = 0
            number = self._append(0, [{"journal": journal_id}, *self._contents.rows(), *rows])
            if self._mark.fresh:  # a journal without a mark means that the mark was lost
                self._mark.write(0, journal_id)
                self._mark.sync()
            self._put_in_place(fresh)
            _sync_names(self._path.parent)
            self._mark.write(number, journal_id)
        except OSError as error:
            self._let_go()
            raise (JournalLostError(_REMOVED) if removed else JournalError(_words(error))) from error
        self._rows, self._journal_id = number, journal_id
        self._told = _REWRITTEN if removed else self._told

    def _put_in_place(self, fresh: Path) -> None:
        """Give the open file the name of the journal."""
        if not RENAMES_OPEN_FILES:
            self._let_go()
        fresh.replace(self._path)
        if self._file is None:
            self._file = os.open(self._path, os.O_WRONLY | BINARY)
        self._written = os.fstat(self._file)

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
        self._file = None

    def check(self) -> str:
        """See `Journal.check`."""
        if not self._in_place():
            self._write_anew()
        with contextlib.suppress(OSError):  # an older mark is valid too
            self._mark.sync()
        told, self._told = self._told, ""
        return told

    def record(self, *entries: Entry, visits: Sequence[Visit] = ()) -> None:
        rows = [*map(visit_row, visits), *(change_row(Kept(entry, acknowledged=False)) for entry in entries)]
        if rows:
            self._add(*rows)
            self._contents.record(*entries, visits=visits)

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        self._add(settled_row(question_id, sequence, refused))
        self._contents.settle(question_id, sequence, refused=refused)

    def remember(self, facts: Mapping[str, str]) -> None:
        if facts:
            self._add(facts_row(facts))
            self._contents.remember(facts)

    def forget(self, names: Sequence[str]) -> None:
        self._contents.forget(names)
        self._write_anew()

    def note_reply(self, reply: Reply) -> None:
        self._add(reply_row(reply))
        self._contents.note_reply(reply)

    def keep_receipt(self, text: str) -> None:
        try:
            replace_file(self._path.with_suffix(".receipt.txt"), text.encode())
        except OSError as error:
            raise JournalError(f"The receipt cannot be written ({error.strerror}).") from error

    def finish(self) -> None:
        self.remember({FINISHED: "yes"})

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):  # empty lines at the end mean nothing
                os.truncate(self._file, self._end)
        self._let_go()
        self._mark.close()

    # Reading.

    def newest(self) -> Mapping[int, Kept]:
        return self._contents.newest()

    def history(self) -> Sequence[Kept]:
        return self._contents.history()

    def last_sequence(self) -> int:
        return self._contents.last_sequence()

    def recall(self, name: str) -> str:
        return self._contents.recall(name)

    def replies(self) -> Sequence[Reply]:
        return self._contents.replies()

    def visits(self) -> Sequence[Visit]:
        return self._contents.visits()


def _opened_mark(path: Path) -> Mark:
    """Open a mark. Move aside a folder or an unreadable file in its place."""
    try:
        return Mark(path)
    except (IsADirectoryError, PermissionError):
        path.rename(_free_name(path, "damaged-mark"))
        return Mark(path)


def _copy(path: Path, target: Path) -> None:
    shutil.copyfile(path, target)
    target.chmod(0o600)


def _free_name(path: Path, what: str) -> Path:
    return next(p for n in range(1, 10_000) if not (p := path.with_suffix(f".{what}-{n}")).exists())


def _write(file: int, data: bytes) -> None:
    """Write all of it and sync it."""
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
    sync(file)


def make_folders(folder: Path) -> None:
    """Create the private folder of a user and those above it, and make their names durable."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for holder in (folder.parent, folder.parent.parent, folder.parent.parent.parent):
        _sync_names(holder)


def _sync_names(folder: Path) -> None:
    """Make the names in a folder durable. Without this, a power cut may remove a new folder with its synced files."""
    with contextlib.suppress(PermissionError):  # the folders above ours may be closed to us
        sync_path(folder)


def _words(error: OSError) -> str:
    return "The disk is full." if is_full(error) else f"The journal cannot be written ({error.strerror})."


def user_folder(folder: Path, origin: str, user_id: int) -> Path:
    """Return the folder of a user of a server. `folder` holds those of all servers."""
    readable = re.sub(r"[^a-z0-9.]+", "-", origin.lower()).strip("-")[:40]
    digest = hashlib.sha256(origin.encode()).hexdigest()[:8]
    return folder / f"{readable}-{digest}" / str(user_id)


class FileJournals:
    """All journals of this computer, as `folder/<server>/<user>/<attempt>.journal`. Only their owner can read them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def open(self, key: AttemptKey, title: str) -> Journal:
        folder = user_folder(self._folder, key.origin, key.user_id)
        try:
            make_folders(folder)
            return FileJournal(folder / f"{key.attempt_id}.journal", key, title)
        except OSError as error:
            raise JournalError(_words(error)) from error

    def look(self, key: AttemptKey) -> JournalContents:
        return read_snapshot(user_folder(self._folder, key.origin, key.user_id) / f"{key.attempt_id}.journal")

    def paths(self) -> list[Path]:
        """Every journal of this computer, of every server and user."""
        return sorted(self._folder.glob("*/*/*.journal"))

    def outstanding(self, origin: str, user_id: int) -> Outstanding:
        return outstanding_of(self._closed(origin, user_id))

    def _closed(self, origin: str, user_id: int) -> Iterator[tuple[AttemptKey, JournalContents]]:
        """Every readable journal of a user that no process has open."""
        for path in sorted(user_folder(self._folder, origin, user_id).glob("*.journal")):
            if not path.stem.isdecimal() or is_held(path.with_suffix(".mark")):
                continue
            with contextlib.suppress(JournalError):
                yield AttemptKey(origin, user_id, int(path.stem)), read_snapshot(path)
