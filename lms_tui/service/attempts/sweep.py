"""The sweep, which ends overdue attempts. A lease lets one process at a time run it."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import anyio
from sqlalchemy import or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from lms_tui.service.attempts.ending import close_all_overdue
from lms_tui.service.auth.throttle import delete_unused
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Attempt, Lease
from lms_tui.service.core.settings import Clock
from lms_tui.service.core.steady_clock import LARGEST_STEP, SteadyClock
from lms_tui.wire.attempt_states import AttemptState

_LOG: Final = logging.getLogger("lms_tui.service")
_NAME: Final = "time over"


def take_lease(database: Database, name: str, holder: str, lasts: timedelta) -> bool:
    """Take or renew a lease, and return whether this holder has it. The clock of the database decides."""
    with database.write() as session:
        now = database.clock(session)
        taken = session.execute(
            update(Lease)
            .where(Lease.name == name, or_(Lease.holder == holder, Lease.expires <= now))
            .values(holder=holder, expires=now + lasts)
            .returning(Lease.name)
        )
        if taken.first() is not None:
            return True
        if session.get(Lease, name) is not None:
            return False
    try:
        with database.write() as session:
            session.add(Lease(name=name, holder=holder, expires=now + lasts))
    except IntegrityError:
        return False
    return True


def sweep_by(clock: Clock, database: Database, holder: str, *, grace: timedelta, lasts: timedelta) -> int:
    """Sweep at the time of a clock. After a jump of the clock, the sweep waits for a second opinion."""
    if isinstance(clock, SteadyClock):
        clock.settle(partial(_is_right, database))
    return sweep(database, holder, clock(), grace=grace, lasts=lasts)


def _is_right(database: Database, now: datetime) -> bool:
    """Return whether the clock of PostgreSQL shows this time too, or no running exam depends on it."""
    timed = select(Attempt.id).where(Attempt.state == AttemptState.RUNNING, Attempt.deadline.is_not(None)).limit(1)
    with database.read() as session:
        if session.scalar(timed) is None:
            return True
        # SQLite has no clock but the computer's.
        return not database.is_sqlite and abs(database.clock(session) - now) <= LARGEST_STEP


def sweep(database: Database, holder: str, now: datetime, *, grace: timedelta, lasts: timedelta) -> int:
    """End all overdue attempts and return how many, 0 if another process holds the lease."""
    if not take_lease(database, _NAME, holder, lasts):
        return 0
    delete_unused(database, now)
    return close_all_overdue(database, now, grace)


async def sweep_forever(run: Callable[[], int], every: timedelta) -> None:
    """Sweep now and then at intervals. A failed sweep is logged, and the next one tries again."""
    while True:
        try:
            closed = await anyio.to_thread.run_sync(run)
        except SQLAlchemyError:
            _LOG.exception("the sweep for overdue attempts failed")
        else:
            if closed:
                _LOG.info("ended %d attempts as time over", closed)
        await anyio.sleep(every.total_seconds())
