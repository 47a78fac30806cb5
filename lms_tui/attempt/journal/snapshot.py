"""A look at a journal that another process may hold: what is durable in it now, and no way to change it.

The holder's lock keeps every other connection out, so the files are copied and the copy is opened, as after a crash of
the holder. A copy is sound where the main file did not change while it was made: then no part of the log was moved into
it meanwhile, and what of the log is newer than the copy is not in it.
"""

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import JournalError, Kept

_TRIES: Final = 50


@dataclass(frozen=True, slots=True)
class JournalSnapshot:
    """`changes`: oldest first; `facts`: what was remembered beside them."""

    changes: tuple[Kept, ...]
    facts: Mapping[str, str]

    def newest(self) -> Mapping[int, Kept]:
        return {kept.entry.question_id: kept for kept in self.changes}

    def history(self) -> Sequence[Kept]:
        return self.changes

    def recall(self, name: str) -> str:
        return self.facts.get(name, "")

    @property
    def undelivered(self) -> int:
        """Answers that the server has not taken."""
        return len(undelivered(self.changes))


def copied(path: Path, folder: Path) -> Path:
    """Copy a journal and its log as they stand together; raises JournalError and OSError."""
    target = folder / path.name
    for _ in range(_TRIES):
        before = _state(path)
        shutil.copyfile(path, target)
        log = Path(f"{target}-wal")
        log.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{path}-wal", log)
        if _state(path) == before:
            return target
    raise JournalError("The journal changes too fast to be read.")


def _state(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def rows_of(path: Path, *queries: str) -> list[list[tuple[object, ...]]]:
    """The rows of each query, from a copy that is thrown away; raises JournalError where it cannot be read."""
    try:
        with (
            TemporaryDirectory(prefix="lms-tui-look-") as folder,
            closing(sqlite3.connect(copied(path, Path(folder)), isolation_level=None)) as db,
        ):
            return [db.execute(query).fetchall() for query in queries]
    except (OSError, sqlite3.Error) as error:
        raise JournalError(f"The journal cannot be read ({getattr(error, 'strerror', None) or error}).") from error
