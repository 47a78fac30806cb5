"""The wait before a request is repeated."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from lms_tui.wire.errors import ApiError, Busy, Offline, ServerFault

LONGEST_WAIT: Final = 3_600.0
"""Limit in seconds for the wait that a server asks for."""
_PAUSES: Final = (0.25, 1.0)
_SHORT_WAIT: Final = 2.0
_SECONDS: Final = re.compile(r"[+-]?\d{1,20}(?:\.\d{1,9})?")


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Return the wait that a Retry-After header asks for, in seconds from now.

    The header holds seconds or an HTTP-date. The result is from 0 to 3600, or None without a valid header. `now` has a
    time zone.
    """
    if value is None:
        return None
    text = value.strip()
    if _SECONDS.fullmatch(text):
        wait = float(text)
    else:
        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, IndexError, TypeError, OverflowError):
            return None
        wait = ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(wait, 0.0), LONGEST_WAIT)


def pause_before_retry(error: ApiError, tries: int) -> float | None:
    """Return the seconds to wait before a further try, or None if the caller should get the error.

    Use it only for requests that change nothing.
    """
    if tries > len(_PAUSES) or not isinstance(error, Offline | Busy | ServerFault):
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= _SHORT_WAIT else None
    return _PAUSES[tries - 1]
