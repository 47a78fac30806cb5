"""The stamps of answers, which keep an older answer from replacing a newer one.

`X-Answer-Seq: writer:sequence` orders the answers of one writer. `X-Answer-Time` orders the answers of several writers,
such as two devices. It is the moment at which the answer was chosen, in milliseconds since 1970 on the clock of this
service. An answer without a time counts as chosen when it arrives, and so does one from the future. Of two answers of
the same millisecond, the one whose writer sorts later counts, in whatever order they arrive. Time 0 is for a change
that is no choice, such as opening a question. It never replaces another writer's answer.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, Self

from lms_tui.common.frozen import frozen
from lms_tui.wire.server_time import milliseconds_of

PATTERN: Final = r"^(?:[A-Za-z0-9_-]{1,64}:)?[0-9]{1,18}$"
TIME_PATTERN: Final = r"^[0-9]{1,15}$"
_MAX_WRITERS: Final = 16
_STANDING: Final = "@"
"""The first character of the key `@writer`, which names the writer of the answer that counts. Its value is the time.

No name of a writer contains this character.
"""


@frozen
class Stamp:
    """The sequence number of a change by one writer. `writer` may be "". `time` is in milliseconds since 1970."""

    writer: str
    sequence: int
    time: int | None = None

    @classmethod
    def read(cls, header: str | None, time: str | None = None) -> Self | None:
        """Return None where a header cannot be read, or where there is no sequence number."""
        if header is None or re.match(PATTERN, header) is None:
            return None
        if time is not None and re.match(TIME_PATTERN, time) is None:
            return None
        writer, _, sequence = header.rpartition(":")
        return cls(writer, int(sequence), None if time is None else int(time))


def is_superseded(stamp: Stamp | None, applied: Mapping[str, int], now: datetime) -> bool:
    """Return whether a newer answer than this change was applied. `applied` holds the stamps of the question."""
    if stamp is None:
        return False
    if stamp.sequence < applied.get(stamp.writer, -1):
        return True
    standing = next((key for key in applied if key.startswith(_STANDING)), None)
    if stamp.time is None or standing in {None, _STANDING + stamp.writer}:
        return False
    return (_time_of(stamp, now), _STANDING + stamp.writer) < (applied[standing], standing)


def applied_with(stamp: Stamp | None, applied: Mapping[str, int], now: datetime) -> dict[str, int]:
    """Return the stamps of a question after this change, without those of the writers that wrote longest ago."""
    writer = "" if stamp is None else stamp.writer
    kept = [entry for entry in applied.items() if entry[0] != writer and not entry[0].startswith(_STANDING)]
    stamps = dict(kept[-(_MAX_WRITERS - 1) :])
    if stamp is not None:
        stamps[writer] = max(stamp.sequence, applied.get(writer, 0))
    elif writer in applied:
        stamps[writer] = applied[writer]
    return {**stamps, _STANDING + writer: _time_of(stamp, now)}


def _time_of(stamp: Stamp | None, now: datetime) -> int:
    arrived = milliseconds_of(now)
    return arrived if stamp is None or stamp.time is None else min(stamp.time, arrived)
