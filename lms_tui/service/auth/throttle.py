"""A rate limit on failed sign-ins, with leaky buckets in the database, which all processes share.

A failure counts against the account and the address. A device or an address from which the account has signed in before
has a bucket of its own instead, so that strangers' failures never block it. Only failures count: a password that is
being compared does not count. Guesses that are compared at the same time gain nothing: the result of a guess is sent
only if the failures before it allow another guess.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
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
_RENEWED_AFTER: Final = timedelta(days=1)
"""The age of a familiar bucket after which a sign-in renews it. A write for each sign-in would serve nothing."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """A leaky bucket that forgets one failure each `leak`.

    `free` failures cause no delay. Each further one doubles the delay, from one second to `longest`. An account is
    blocked for seconds only, because a stranger's guesses must not keep a student from an exam. An address can be a
    whole school. `kept`: after this time without use the bucket is deleted.
    """

    kind: str
    free: int
    longest: timedelta
    leak: timedelta
    kept: timedelta = UNUSED_AFTER

    def key(self, *names: str) -> str:
        name = "\0".join(names).encode(errors="surrogatepass")
        return f"{self.kind}:{hashlib.sha256(name).hexdigest()}"

    def delay(self, level: float) -> timedelta:
        over = math.ceil(level) - self.free
        return timedelta() if over <= 0 else min(self.longest, timedelta(seconds=2.0 ** min(over - 1, 20)))


ACCOUNT: Final = Bucket("account", 5, timedelta(seconds=60), timedelta(seconds=60))
ADDRESS: Final = Bucket("address", 100, timedelta(minutes=15), timedelta(seconds=10))
FAMILIAR: Final = Bucket("familiar", 5, timedelta(seconds=60), timedelta(seconds=60), kept=timedelta(days=90))
"""The bucket of an account and a device, or of an account and an address from which it has signed in."""

_Rows = dict[str, SignInLevel]
_Change = Callable[[_Rows], None]


@dataclass(frozen=True, slots=True)
class Throttle:
    """One attempt to sign in. `device`: the recognised name of a known device, or ""."""

    database: Database
    account: str
    address: str
    device: str
    now: datetime

    def check(self) -> None:
        """Raise TooMany while failures block this attempt."""
        with self.database.read() as session:
            rows = self._rows(session)
            if all(row.counted <= self.now for row in rows.values()):
                self._refuse_if_blocked(rows)
                return
        self._write(self._refuse_if_blocked)

    def fail(self) -> None:
        """Count a failure. Raises TooMany instead if others have failed since the check."""
        self._write(self._count)

    def succeed(self) -> None:
        """Remember the address as known. Raises TooMany instead if others have failed since the check."""
        with self.database.read() as session:
            rows = self._rows(session)
        keys = self._buckets(rows)
        if FAMILIAR in keys.values() and all(self._is_fresh(rows[key]) for key in keys if key in rows):
            return
        self._write(self._acquit)

    def _write(self, change: _Change) -> None:
        try:
            self._changed(change)
        except IntegrityError:
            self._changed(change)  # another process inserted the row first

    def _changed(self, change: _Change) -> None:
        refusal: TooMany | None = None
        with self.database.write() as session:
            rows = self._rows(session, lock=True)
            for row in rows.values():
                self._settle(row)
            try:
                change(rows)
            except TooMany as error:
                refusal = error  # raised after the commit, which keeps the settled rows
            session.add_all(rows.values())
        if refusal is not None:
            raise refusal

    def _count(self, rows: _Rows) -> None:
        self._refuse_if_blocked(rows)
        for key, bucket in self._buckets(rows).items():
            row = rows.setdefault(key, self._new(key))
            row.level = self._level(bucket, row) + 1
            row.counted = self.now
            row.blocked_until = self.now + bucket.delay(row.level)

    def _acquit(self, rows: _Rows) -> None:
        self._refuse_if_blocked(rows)
        for key, bucket in self._buckets(rows).items():
            # Only failures of this account are forgiven. An address can hold a guesser beside a student.
            if bucket is not ADDRESS and key in rows:
                rows[key].level, rows[key].counted, rows[key].blocked_until = 0.0, self.now, self.now
        rows.setdefault(self._address_key, self._new(self._address_key)).counted = self.now

    def _refuse_if_blocked(self, rows: Mapping[str, SignInLevel]) -> None:
        blocked = max((rows[key].blocked_until for key in self._buckets(rows) if key in rows), default=self.now)
        if blocked > self.now:
            raise TooMany(math.ceil((blocked - self.now).total_seconds()))

    def _settle(self, row: SignInLevel) -> None:
        """Move a row that was written by a clock ahead of ours to the present, with the same delay."""
        if row.counted > self.now:
            row.blocked_until = self.now + max(timedelta(), row.blocked_until - row.counted)
            row.counted = self.now

    def _buckets(self, rows: Mapping[str, SignInLevel]) -> dict[str, Bucket]:
        """Return the buckets that this attempt falls into, by key."""
        if self.device:
            return {self._device_key: FAMILIAR}
        if self._address_key in rows:
            return {self._address_key: FAMILIAR}
        return {ACCOUNT.key(self.account): ACCOUNT, ADDRESS.key(self.address): ADDRESS}

    @property
    def _device_key(self) -> str:
        return FAMILIAR.key("device", self.account, self.device)

    @property
    def _address_key(self) -> str:
        return FAMILIAR.key("address", self.account, self.address)

    def _rows(self, session: Session, *, lock: bool = False) -> _Rows:
        """Return the rows that there are, by key. The order of locks is the same for everybody."""
        keys = [self._device_key, self._address_key, ACCOUNT.key(self.account), ADDRESS.key(self.address)]
        query = select(SignInLevel).where(SignInLevel.key.in_(keys)).order_by(SignInLevel.key)
        return {row.key: row for row in session.scalars(query.with_for_update() if lock else query)}

    def _new(self, key: str) -> SignInLevel:
        return SignInLevel(key=key, level=0.0, counted=self.now, blocked_until=self.now)

    def _is_fresh(self, row: SignInLevel) -> bool:
        return row.level == 0.0 and timedelta() <= self.now - row.counted < _RENEWED_AFTER

    def _level(self, bucket: Bucket, row: SignInLevel) -> float:
        passed = max(timedelta(), self.now - row.counted)
        return max(0.0, row.level - passed / bucket.leak)


def delete_unused(database: Database, now: datetime) -> None:
    """Delete buckets that have not been used for a long time."""
    with database.write() as session:
        for bucket in (ACCOUNT, ADDRESS, FAMILIAR):
            session.execute(
                delete(SignInLevel).where(
                    SignInLevel.key.startswith(f"{bucket.kind}:"), SignInLevel.counted < now - bucket.kept
                )
            )
