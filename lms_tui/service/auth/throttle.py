"""A rate limit on failed sign-ins, with leaky buckets in the database, which all processes share.

A failure counts against the account and the address. A device or an address from which the account has signed in before
has a bucket of its own instead, so that strangers' failures never block it. Only failures count: a password that is
being compared does not count. Guesses that are compared at the same time gain nothing: the result of a guess is sent
only if the failures before it allow another guess.
"""

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, cast

from sqlalchemy import Table, bindparam, delete, insert, select, update
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


@dataclass(frozen=True, slots=True)
class _Level:
    """How full a bucket was at the time `counted`. An empty one blocks nobody."""

    counted: datetime
    blocked_until: datetime
    level: float = 0.0

    def seen_at(self, now: datetime) -> "_Level":
        """Move what was written by a clock ahead of ours to the present, with the same delay."""
        if self.counted <= now:
            return self
        return _Level(now, now + max(timedelta(), self.blocked_until - self.counted), self.level)

    def after_failure(self, bucket: Bucket, now: datetime) -> "_Level":
        passed = max(timedelta(), now - self.counted)
        level = max(0.0, self.level - passed / bucket.leak) + 1
        return _Level(now, now + bucket.delay(level), level)


_Levels = Mapping[str, _Level]
_Change = Callable[[_Levels], _Levels]
"""Returns the levels that change. Raises TooMany."""

_LEVELS: Final = cast(Table, SignInLevel.__table__)
# Without the ORM: a sign-in holds the lock of SQLite for a fifth of the time, and answers of others wait for it.
_SELECT: Final = (
    select(_LEVELS.c.key, _LEVELS.c.counted, _LEVELS.c.blocked_until, _LEVELS.c.level)
    .where(_LEVELS.c.key.in_([bindparam(f"key_{number}") for number in range(4)]))
    .order_by(_LEVELS.c.key)  # the order of locks is the same for everybody
)
_SELECT_LOCKED: Final = _SELECT.with_for_update()
_INSERT: Final = insert(_LEVELS)
_UPDATE: Final = update(_LEVELS).where(_LEVELS.c.key == bindparam("of"))


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
            is_settled = self.is_settled(session)
        if not is_settled:
            self._write(self._refuse_if_blocked)

    def is_settled(self, session: Session) -> bool:
        """Raise TooMany while failures block this attempt. Return False if only `check` can tell."""
        levels = self._levels(session)
        if any(level.counted > self.now for level in levels.values()):
            return False
        self._refuse_if_blocked(levels)
        return True

    def fail(self) -> None:
        """Count a failure. Raises TooMany instead if others have failed since the check."""
        self._write(self._count)

    def succeed(self) -> None:
        """Remember the address as known. Raises TooMany instead if others have failed since the check."""
        with self.database.read() as session:
            levels = self._levels(session)
        keys = self._buckets(levels)
        if FAMILIAR in keys.values() and all(self._is_fresh(levels[key]) for key in keys if key in levels):
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
            stored = self._levels(session, lock=True)
            levels = {key: level.seen_at(self.now) for key, level in stored.items()}
            try:
                levels.update(change(levels))
            except TooMany as error:
                refusal = error  # raised after the commit, which keeps the levels of the present
            for key, level in levels.items():
                values = {"counted": level.counted, "blocked_until": level.blocked_until, "level": level.level}
                if key not in stored:
                    session.execute(_INSERT, {"key": key, **values})
                elif level != stored[key]:
                    session.execute(_UPDATE, {"of": key, **values})
        if refusal is not None:
            raise refusal

    def _count(self, levels: _Levels) -> _Levels:
        self._refuse_if_blocked(levels)
        empty = _Level(self.now, self.now)
        return {
            key: levels.get(key, empty).after_failure(bucket, self.now) for key, bucket in self._buckets(levels).items()
        }

    def _acquit(self, levels: _Levels) -> _Levels:
        self._refuse_if_blocked(levels)
        empty = _Level(self.now, self.now)
        # Only failures of this account are forgiven. An address can hold a guesser beside a student.
        forgiven = {
            key: empty for key, bucket in self._buckets(levels).items() if bucket is not ADDRESS and key in levels
        }
        known = replace(levels.get(self._address_key, empty), counted=self.now)
        return {self._address_key: known, **forgiven}

    def _refuse_if_blocked(self, levels: _Levels) -> _Levels:
        """Raise TooMany while failures block this attempt. Change nothing."""
        blocked = max((levels[key].blocked_until for key in self._buckets(levels) if key in levels), default=self.now)
        if blocked > self.now:
            raise TooMany(math.ceil((blocked - self.now).total_seconds()))
        return {}

    def _buckets(self, levels: _Levels) -> dict[str, Bucket]:
        """Return the buckets that this attempt falls into, by key."""
        if self.device:
            return {self._device_key: FAMILIAR}
        if self._address_key in levels:
            return {self._address_key: FAMILIAR}
        return {ACCOUNT.key(self.account): ACCOUNT, ADDRESS.key(self.address): ADDRESS}

    @property
    def _device_key(self) -> str:
        return FAMILIAR.key("device", self.account, self.device)

    @property
    def _address_key(self) -> str:
        return FAMILIAR.key("address", self.account, self.address)

    def _levels(self, session: Session, *, lock: bool = False) -> dict[str, _Level]:
        """Return the levels that there are, by key."""
        keys = (self._device_key, self._address_key, ACCOUNT.key(self.account), ADDRESS.key(self.address))
        found = session.execute(
            _SELECT_LOCKED if lock else _SELECT, {f"key_{number}": key for number, key in enumerate(keys)}
        )
        return {key: _Level(*level) for key, *level in found}

    def _is_fresh(self, level: _Level) -> bool:
        return level.level == 0.0 and timedelta() <= self.now - level.counted < _RENEWED_AFTER


def delete_unused(database: Database, now: datetime) -> None:
    """Delete buckets that have not been used for a long time."""
    with database.write() as session:
        for bucket in (ACCOUNT, ADDRESS, FAMILIAR):
            session.execute(
                delete(SignInLevel).where(
                    SignInLevel.key.startswith(f"{bucket.kind}:"), SignInLevel.counted < now - bucket.kept
                )
            )
