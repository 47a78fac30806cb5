"""The epoch of the service: a random ID that changes when the database was restored from a copy.

A copy that is put back carries its old epoch. The epoch is therefore compared with a mark, a small synced file in the
data directory. The mark holds the epoch, the number of ticks, its own inode and that of an SQLite file. A tick is
counted in the database, and then in the mark, every few seconds while answers arrive. The epoch changes where

- the database has fewer ticks than the mark, or another epoch: it was put back;
- the mark has another inode than it notes: the whole directory was put back;
- the SQLite file has another inode, or there is no mark beside it;
- PostgreSQL is another cluster or has another timeline, also while the service runs: a standby took over, or the
  cluster was recovered to a point in time.

A new epoch costs one comparison for each client. A restore that nothing here notices, such as that of a whole virtual
machine, shows in the totals of `lms_tui.service.attempts.seen`.
"""

import json
import logging
import os
import secrets
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Final, Self

import anyio
from sqlalchemy import text, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.common.private_files import sync_path
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import ServerEpoch

_LOG: Final = logging.getLogger("lms_tui.service")
_EVERY: Final = 5.0
"""Seconds between two ticks."""
_ROW: Final = 1
_MAY_ASK: Final = text("SELECT has_function_privilege('pg_control_system()', 'execute')")
_CLUSTER: Final = text("SELECT system_identifier::text FROM pg_control_system()")
_TIMELINE: Final = text("SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)")


@frozen
class _Mark:
    """`inode`: that of the mark itself. `database`: the inode of the SQLite file, 0 on PostgreSQL."""

    epoch: str
    ticks: int
    inode: int
    database: int

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """Return None where there is no mark, or where it was copied to its place or is damaged."""
        try:
            with path.open("rb") as file:
                mark = cls(**json.loads(file.read(1000)))
                return mark if mark.inode == os.fstat(file.fileno()).st_ino else None
        except (OSError, ValueError, TypeError):
            return None

    @classmethod
    def write(cls, path: Path, epoch: str, ticks: int, database: int) -> None:
        """Replace the mark in one step, and sync it."""
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                json.dump(asdict(cls(epoch, ticks, os.fstat(descriptor).st_ino, database)), file)
                file.flush()
                os.fsync(descriptor)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        sync_path(path.parent)


class Epoch:
    """The epoch as one process tells it. `value` is "" before `open`."""

    def __init__(self, database: Database, mark: Path) -> None:
        self._database = database
        self._path = mark
        self._ticks = -1
        self._is_stirred = False
        self.value = ""

    def stir(self) -> None:
        """Note that answers were committed, which the next tick counts."""
        self._is_stirred = True

    def open(self) -> None:
        """Compare the database with the mark, when the service starts."""
        try:
            self._look(starting=True)
        except IntegrityError:
            # Another process added the row first.
            self._look(starting=True)

    def tick(self) -> None:
        """Count a tick if answers were committed, and adopt a new epoch."""
        if self._is_stirred or not self._database.is_sqlite:
            self._look(starting=False)

    def _look(self, *, starting: bool) -> None:
        counted = self._is_stirred or starting
        self._is_stirred = False
        with self._database.write() as session:
            place = self._place(session)
            row = session.get(ServerEpoch, _ROW, with_for_update=True)
            if row is None:
                row = ServerEpoch(id=_ROW, value=_random(), ticks=0, place=place)
                session.add(row)
            elif row.place != place or (self._was_put_back(row) if starting else self._went_back(row)):
                _LOG.warning("the database was restored or moved: every client compares its answers")
                row.value, row.place = _random(), place
            row.ticks += counted
            value, ticks = row.value, row.ticks
        is_news = (value, ticks) != (self.value, self._ticks)
        self.value, self._ticks = value, ticks
        if is_news:
            self._note()

    def _place(self, session: Session) -> str:
        """Return the cluster and the timeline of PostgreSQL. Some hosts allow nobody to ask for the cluster."""
        if self._database.is_sqlite:
            return ""
        cluster = session.scalar(_CLUSTER) if session.scalar(_MAY_ASK) else ""
        return f"{cluster}/{session.scalar(_TIMELINE)}"

    def _went_back(self, row: ServerEpoch) -> bool:
        """Return whether the database was put back while this process runs. Another one may have noticed it first."""
        return row.value == self.value and row.ticks < self._ticks

    def _was_put_back(self, row: ServerEpoch) -> bool:
        mark = _Mark.read(self._path)
        if mark is None:
            # Machines that serve one PostgreSQL come and go. The place and the ticks in memory remain.
            return self._database.is_sqlite
        return mark.epoch != row.value or mark.ticks > row.ticks or mark.database != self._inode()

    def _inode(self) -> int:
        return Path(self._database.url.database or "").stat().st_ino if self._database.is_sqlite else 0

    def _note(self) -> None:
        try:
            _Mark.write(self._path, self.value, self._ticks, self._inode())
        except OSError as error:
            _LOG.warning("the mark of the epoch cannot be written: %s", error.strerror)


def new_epoch(database: Database) -> None:
    """Give a database that was restored a new epoch, so that every client compares its answers."""
    with database.write() as session:
        session.execute(update(ServerEpoch).values(value=_random()))


async def tick_forever(epoch: Epoch) -> None:
    """Tick at intervals, and once more at the end. A failed tick is logged, and the next one tries again."""
    try:
        while True:
            await anyio.sleep(_EVERY)
            try:
                await anyio.to_thread.run_sync(epoch.tick)
            except SQLAlchemyError:
                _LOG.exception("the epoch could not be compared")
    finally:
        with anyio.CancelScope(shield=True), suppress(SQLAlchemyError):
            await anyio.to_thread.run_sync(epoch.tick)


def _random() -> str:
    return secrets.token_hex(8)
