"""The server's clock in a header of the replies to start and heartbeat (standard library only).

`X-Server-Time` is the time at which the server read the request, in milliseconds since 1970. Other servers lack it.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

SERVER_TIME_HEADER: Final = "X-Server-Time"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_TIME: Final = re.compile(r"[0-9]{1,14}")


def read_server_time(text: str) -> datetime | None:
    """Read the header, "" for a missing one. One of another form counts as missing."""
    return _EPOCH + int(text) * _MILLISECOND if _TIME.fullmatch(text) else None


def milliseconds_of(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970, as `X-Server-Time` and `X-Answer-Time` count."""
    return round(moment.timestamp() * 1000)
