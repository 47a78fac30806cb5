"""Guessing passwords gets slower and slower: failures of an account and of an address fill a measure that runs dry.

A try counts before its password is looked at, so that a hundred at once are a hundred; when it succeeds, it is taken
back. The measures are in the database, and hold for every process.
"""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import SignInLevel
from lms_tui.service.core.errors import TooMany

FORGOTTEN_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Measure:
    """`free`: failures without delay; each more doubles it from a second, up to `longest`. One is forgotten each `dry`.

    An account is blocked for seconds only: nobody may be kept from an exam by a stranger's guesses. An address may be
    a whole school, with many who mistype.
    """

    kind: str
    free: int
    longest: timedelta
    dry: timedelta

    def key(self, name: str) -> str:
        return f"{self.kind}:{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()}"

    def delay(self, level: float) -> timedelta:
        over = math.ceil(level) - self.free
        return timedelta() if over <= 0 else min(self.longest, timedelta(seconds=2.0 ** min(over - 1, 20)))


ACCOUNT: Final = Measure("account", 5, timedelta(seconds=60), timedelta(seconds=60))
ADDRESS: Final = Measure("address", 100, timedelta(minutes=15), timedelta(seconds=10))


@dataclass(frozen=True, slots=True)
class Throttle:
    """One try to sign in, at one moment."""

    database: Database
    username: str
    address: str
    now: datetime

    def enter(self) -> None:
        """Count the try; raises TooMany while the account or the address is blocked."""
        try:
            self._enter()
        except IntegrityError:
            self._enter()  # someone else made the row between our look and our insert

    def _enter(self) -> None:
        with self.database.write() as session:
            rows = list(self._rows(session))
            blocked = max(row.blocked_until for _, row in rows)
            if blocked > self.now:
                raise TooMany(math.ceil((blocked - self.now).total_seconds()))
            for measure, row in rows:
                row.level = self._level(measure, row) + 1
                row.counted = self.now
                row.blocked_until = self.now + measure.delay(row.level)

    def succeed(self) -> None:
        """Take the try back, and empty the measure of the account."""
        with self.database.write() as session:
            for measure, row in self._rows(session):
                row.level = 0.0 if measure is ACCOUNT else max(0.0, self._level(measure, row) - 1)
                row.counted = row.blocked_until = self.now

    def _rows(self, session: Session) -> Iterator[tuple[Measure, SignInLevel]]:
        names = {ACCOUNT.key(self.username): ACCOUNT, ADDRESS.key(self.address): ADDRESS}
        found = {
            row.key: row
            for row in session.scalars(
                select(SignInLevel).where(SignInLevel.key.in_(names)).order_by(SignInLevel.key).with_for_update()
            )
        }
        for key, measure in names.items():
            if key not in found:
                found[key] = SignInLevel(key=key, level=0.0, counted=self.now, blocked_until=self.now)
                session.add(found[key])
            yield measure, found[key]

    def _level(self, measure: Measure, row: SignInLevel) -> float:
        passed = max(timedelta(), self.now - row.counted)
        return max(0.0, row.level - passed / measure.dry)


def forget(database: Database, now: datetime) -> None:
    """Remove measures that have run dry long ago."""
    with database.write() as session:
        session.execute(delete(SignInLevel).where(SignInLevel.counted < now - FORGOTTEN_AFTER))
