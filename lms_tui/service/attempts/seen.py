"""The numbers of the answers that the service has seen. They tell a client that the service has lost some.

`X-Answer-Seen: writer:total, writer:total` lists the writers of `X-Answer-Seq`. The total of a writer is the sum, over
the questions, of the highest number of that writer that was applied. It only falls when answers are lost. The highest
number alone would not do: it rises again with the first answer after the loss. `X-Server-Epoch` is the epoch of
`lms_tui.service.core.database.epoch`, and `X-Server-Time` the time of the service's clock. The replies to start and
heartbeat carry all three.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from lms_tui.service.attempts.stamps import Stamp
from lms_tui.wire.server_memory import EPOCH_HEADER, SEEN_HEADER
from lms_tui.wire.server_time import SERVER_TIME_HEADER, milliseconds_of

_NOTHING: Final = "0"
_MAX_WRITERS: Final = 8
_LARGEST: Final = 10**18 - 1
_EPOCH_NAME: Final = EPOCH_HEADER.lower().encode()
_SEEN_NAME: Final = SEEN_HEADER.lower().encode()
_TIME_NAME: Final = SERVER_TIME_HEADER.lower().encode()

Headers = tuple[tuple[bytes, bytes], ...]

DESCRIBED: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "headers": {
            EPOCH_HEADER: {
                "description": "An ID that changes when the server is restored from a copy.",
                "schema": {"type": "string", "pattern": "^[0-9a-f]{1,32}$"},
            },
            SEEN_HEADER: {
                "description": (
                    "The answers of this attempt that the server has seen: for each writer of `X-Answer-Seq`, the sum"
                    " of the highest applied numbers of all questions. `0` if there are none."
                ),
                "schema": {"type": "string"},
                "example": "k3Jx:57, b81M:12",
            },
            SERVER_TIME_HEADER: {
                "description": (
                    "The time at which the server read the request, in milliseconds since 1970. `X-Answer-Time` counts"
                    " on this clock."
                ),
                "schema": {"type": "string", "pattern": "^[0-9]{1,14}$"},
            },
        }
    }
}
"""The headers in the OpenAPI document."""


def seen_with(seen: str, stamp: Stamp | None, applied: Mapping[str, int]) -> str:
    """Return what was seen after a change. `applied` holds the stamps of the question before it."""
    if stamp is None:
        return seen
    added = max(0, stamp.sequence - applied.get(stamp.writer, 0))
    before, _, last = seen.rpartition(", ")
    writer, _, total = last.rpartition(":")
    if total and writer == stamp.writer and not before:  # one device: nearly every answer
        return f"{writer}:{min(int(total) + added, _LARGEST)}"
    totals = {name: int(sum_) for name, _, sum_ in (one.rpartition(":") for one in seen.split(", ") if one)}
    mine = min(totals.pop(stamp.writer, 0) + added, _LARGEST)
    newest_last = [*totals.items(), (stamp.writer, mine)]
    return ", ".join(f"{writer}:{total}" for writer, total in newest_last[-_MAX_WRITERS:])


def headers_of(epoch: str, seen: str, now: datetime) -> Headers:
    return (
        (_EPOCH_NAME, epoch.encode()),
        (_SEEN_NAME, (seen or _NOTHING).encode()),
        (_TIME_NAME, str(milliseconds_of(now)).encode()),
    )
