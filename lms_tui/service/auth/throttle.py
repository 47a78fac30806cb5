"""A rate limit on failed sign-ins, with a leaky bucket for each account and each address.

An attempt counts before its password is compared, which counts simultaneous attempts too. Success takes the count
back. The buckets are in the database, which all processes share.
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

UNUSED_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A leaky bucket that forgets one failure each `leak`.

    `free` failures cause no delay. Each further one doubles the delay, from one second to `longest`. An account is
    blocked for seconds only, because a stranger's guesses must not keep a student from an exam. An address can be a
    whole school.
    """

    kind: str
    free: int
    longest: timedelta
    leak: timedelta

    def key(self, name: str) -> str:
        return f"{self.kind}:{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()}"

    def delay(self, level: float) -> timedelta:
        over = math.ceil(level) - self.free
        return timedelta() if over <= 0 else min(self.longest, timedelta(seconds=2.0 ** min(over - 1, 20)))


ACCOUNT: Final = Bucket("account", 5, timedelta(seconds=60), timedelta(seconds=60))
ADDRESS: Final = Bucket("address", 100, timedelta(minutes=15), timedelta(seconds=10))


@dataclass(frozen=True, slots=True)
class Throttle:
    """One attempt to sign in."""

    database: Database
    username: str
    address: str
    now: datetime

    def enter(self) -> None:
        """Count the attempt. Raises TooMany while the account or the address is blocked."""
        try:
            self._enter()
        except IntegrityError:
            self._enter()  # another process inserted the row first

    def _enter(self) -> None:
        with self.database.write() as session:
            rows = list(self._rows(session))
            blocked = max(row.blocked_until for _, row in rows)
            if blocked > self.now:
                raise TooMany(math.ceil((blocked - self.now).total_seconds()))
            for bucket, row in rows:
                row.level = self._level(bucket, row) + 1
                row.counted = self.now
                row.blocked_until = self.now + bucket.delay(row.level)

    def succeed(self) -> None:
        """Take the attempt back and empty the bucket of the account."""
        with self.database.write() as session:
            for bucket, row in self._rows(session):
                row.level = 0.0 if bucket is ACCOUNT else max(0.0, self._level(bucket, row) - 1)
                row.counted = row.blocked_until = self.now

    def _rows(self, session: Session) -> Iterator[tuple[Bucket, SignInLevel]]:
        names = {ACCOUNT.key(self.username): ACCOUNT, ADDRESS.key(self.address): ADDRESS}
        found = {
            row.key: row
            for row in session.scalars(
                select(SignInLevel).where(SignInLevel.key.in_(names)).order_by(SignInLevel.key).with_for_update()
            )
        }
        for key, bucket in names.items():
            if key not in found:
                found[key] = SignInLevel(key=key, level=0.0, counted=self.now, blocked_until=self.now)
                session.add(found[key])
            yield bucket, found[key]

    def _level(self, bucket: Bucket, row: SignInLevel) -> float:
        passed = max(timedelta(), self.now - row.counted)
        return max(0.0, row.level - passed / bucket.leak)


def delete_unused(database: Database, now: datetime) -> None:
    """Delete buckets that have not been used for a long time."""
    with database.write() as session:
        session.execute(delete(SignInLevel).where(SignInLevel.counted < now - UNUSED_AFTER))
