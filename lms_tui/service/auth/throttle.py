"""The rate limit on failed sign-ins in the database, which all processes share. See `lms_tui.service.auth.guesses`."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, cast

from sqlalchemy import Table, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.auth.guesses import ACCOUNT, ADDRESS, FAMILIAR, Guess, Level, Levels
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import SignInLevel
from lms_tui.service.core.errors import TooMany

_Change = Callable[[Levels], Levels]
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


@frozen
class Throttle:
    """Counts one attempt to sign in."""

    database: Database
    guess: Guess

    def check(self) -> None:
        """Raise TooMany while failures block this attempt."""
        with self.database.read() as session:
            is_settled = self.is_settled(session)
        if not is_settled:
            self._write(self.guess.refuse_if_blocked)

    def is_settled(self, session: Session) -> bool:
        """Raise TooMany while failures block this attempt. Return False if only `check` can tell."""
        levels = self._levels(session)
        if any(level.counted > self.guess.now for level in levels.values()):
            return False
        self.guess.refuse_if_blocked(levels)
        return True

    def fail(self) -> None:
        """Count a failure. Raises TooMany instead if others have failed since the check."""
        self._write(self.guess.count)

    def succeed(self) -> None:
        """Remember the address as known. Raises TooMany instead if others have failed since the check."""
        with self.database.read() as session:
            levels = self._levels(session)
        if not self.guess.is_remembered(levels):
            self._write(self.guess.acquit)

    def _write(self, change: _Change) -> None:
        try:
            self._changed(change)
        except IntegrityError:
            self._changed(change)  # another process inserted the row first

    def _changed(self, change: _Change) -> None:
        refusal: TooMany | None = None
        with self.database.write() as session:
            stored = self._levels(session, lock=True)
            levels = {key: level.seen_at(self.guess.now) for key, level in stored.items()}
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

    def _levels(self, session: Session, *, lock: bool = False) -> dict[str, Level]:
        """Return the levels that there are, by key."""
        found = session.execute(
            _SELECT_LOCKED if lock else _SELECT, {f"key_{number}": key for number, key in enumerate(self.guess.keys)}
        )
        return {key: Level(*level) for key, *level in found}


def delete_unused(database: Database, now: datetime) -> None:
    """Delete buckets that have not been used for a long time."""
    with database.write() as session:
        for bucket in (ACCOUNT, ADDRESS, FAMILIAR):
            session.execute(
                delete(SignInLevel).where(
                    SignInLevel.key.startswith(f"{bucket.kind}:"), SignInLevel.counted < now - bucket.kept
                )
            )
