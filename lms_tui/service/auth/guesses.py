"""A rate limit on failed sign-ins, with leaky buckets, as a function of what has been counted.

A failure counts against the account and the address. A device or an address from which the account has signed in before
has a bucket of its own instead, so that strangers' failures never block it. Only failures count: a password that is
being compared does not count. Guesses that are compared at the same time gain nothing: the result of a guess is sent
only if the failures before it allow another guess.
"""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.service.core.errors import TooMany

UNUSED_AFTER: Final = timedelta(hours=6)
_RENEWED_AFTER: Final = timedelta(days=1)
"""The age of a familiar bucket after which a sign-in renews it. A write for each sign-in would serve nothing."""


@frozen
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


@frozen
class Level:
    """How full a bucket was at the time `counted`. An empty one blocks nobody."""

    counted: datetime
    blocked_until: datetime
    level: float = 0.0

    def seen_at(self, now: datetime) -> "Level":
        """Move what was written by a clock ahead of ours to the present, with the same delay."""
        if self.counted <= now:
            return self
        return Level(now, now + max(timedelta(), self.blocked_until - self.counted), self.level)

    def after_failure(self, bucket: Bucket, now: datetime) -> "Level":
        passed = max(timedelta(), now - self.counted)
        level = max(0.0, self.level - passed / bucket.leak) + 1
        return Level(now, now + bucket.delay(level), level)


Levels = Mapping[str, Level]
"""The levels of buckets by their keys."""


@frozen
class Guess:
    """One attempt to sign in. `device`: the recognised name of a known device, or ""."""

    account: str
    address: str
    device: str
    now: datetime

    @property
    def keys(self) -> tuple[str, str, str, str]:
        """The keys of all buckets that this attempt can fall into."""
        return self._device_key, self._address_key, ACCOUNT.key(self.account), ADDRESS.key(self.address)

    def is_remembered(self, levels: Levels) -> bool:
        """Return whether the device or the address is known, and a success changes nothing."""
        keys = self._buckets(levels)
        return FAMILIAR in keys.values() and all(self._is_fresh(levels[key]) for key in keys if key in levels)

    def count(self, levels: Levels) -> Levels:
        """Return the levels that a failure changes. Raises TooMany if others have failed meanwhile."""
        self.refuse_if_blocked(levels)
        empty = Level(self.now, self.now)
        return {
            key: levels.get(key, empty).after_failure(bucket, self.now) for key, bucket in self._buckets(levels).items()
        }

    def acquit(self, levels: Levels) -> Levels:
        """Return the levels that a success changes. Raises TooMany if others have failed meanwhile."""
        self.refuse_if_blocked(levels)
        empty = Level(self.now, self.now)
        # Only failures of this account are forgiven. An address can hold a guesser beside a student.
        forgiven = {
            key: empty for key, bucket in self._buckets(levels).items() if bucket is not ADDRESS and key in levels
        }
        known = replace(levels.get(self._address_key, empty), counted=self.now)
        return {self._address_key: known, **forgiven}

    def refuse_if_blocked(self, levels: Levels) -> Levels:
        """Raise TooMany while failures block this attempt. Change nothing."""
        blocked = max((levels[key].blocked_until for key in self._buckets(levels) if key in levels), default=self.now)
        if blocked > self.now:
            raise TooMany(math.ceil((blocked - self.now).total_seconds()))
        return {}

    def _buckets(self, levels: Levels) -> dict[str, Bucket]:
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

    def _is_fresh(self, level: Level) -> bool:
        return level.level == 0.0 and timedelta() <= self.now - level.counted < _RENEWED_AFTER
