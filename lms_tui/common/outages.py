"""The span of an interruption, as people type it (standard library only)."""

import re
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

_SPAN: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})")
LONGEST: Final = timedelta(hours=12)


def newest_span(typed: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the newest span that is over, such as `10:05-10:17` by the time of day, or None for another text."""
    found = _SPAN.fullmatch(typed)
    with suppress(ValueError):
        if found is not None:
            since, until = (now.replace(hour=int(found[n]), minute=int(found[n + 1]), second=0) for n in (1, 3))
            since, until = since.replace(microsecond=0), until.replace(microsecond=0)
            if until > now:
                until -= timedelta(days=1)
            while since >= until:
                since -= timedelta(days=1)
            if until - since <= LONGEST:
                return since, until
    return None
