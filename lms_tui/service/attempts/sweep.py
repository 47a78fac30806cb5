"""Attempts whose students never came back end as time over, by one process at a time of all that share a database."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import anyio
from sqlalchemy import or_, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from lms_tui.service.attempts.ending import close_all_overdue
from lms_tui.service.auth.throttle import forget
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import Lease

_LOG: Final = logging.getLogger("lms_tui.service")
_NAME: Final = "time over"


def take_lease(database: Database, name: str, holder: str, lasts: timedelta) -> bool:
    """Take or renew the lease, unless another holder's has not expired by the clock of the database."""
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


def sweep(database: Database, holder: str, now: datetime, *, grace: timedelta, lasts: timedelta) -> int:
    """End every overdue attempt and return how many; 0 where another process holds the lease."""
    if not take_lease(database, _NAME, holder, lasts):
        return 0
    forget(database, now)
    return close_all_overdue(database, now, grace)


async def sweep_for_ever(run: Callable[[], int], every: timedelta) -> None:
    """Sweep at once and then at intervals; a sweep that fails is tried again at the next."""
    while True:
        try:
            closed = await anyio.to_thread.run_sync(run)
        except SQLAlchemyError:
            _LOG.exception("the sweep for overdue attempts failed")
        else:
            if closed:
                _LOG.info("ended %d attempts as time over", closed)
        await anyio.sleep(every.total_seconds())
