"""A server's words about its memory, in two headers of the replies to start and heartbeat (standard library only).

`X-Server-Epoch` is an ID that changes when the server is restored from a copy. `X-Answer-Seen` lists the writers of the
answers of the attempt. The number of a writer is the sum, over the questions, of the highest number of that writer in
`X-Answer-Seq`. It only falls when the server loses answers. Other servers lack both headers.
"""

import re
from collections.abc import Mapping
from typing import Final, Self

from lms_tui.common.frozen import frozen

EPOCH_HEADER: Final = "X-Server-Epoch"
SEEN_HEADER: Final = "X-Answer-Seen"
_EPOCH: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_SEEN: Final = re.compile(r"(?:([A-Za-z0-9_-]{0,64}):)?([0-9]{1,18})")
_LONGEST: Final = 2_000


@frozen
class ServerMemory:
    """`epoch`: "" if the server told none. `seen`: the number of each writer, None if the server told none."""

    epoch: str = ""
    seen: Mapping[str, int] | None = None

    @classmethod
    def read(cls, epoch: str, seen: str) -> Self:
        """Read the two headers, "" for a missing one. One that is too long or of another form counts as missing."""
        numbers: dict[str, int] | None = None
        if 0 < len(seen) <= _LONGEST:
            found = [_SEEN.fullmatch(one.strip()) for one in seen.split(",")]
            if all(found):
                numbers = {one[1] or "": int(one[2]) for one in found if one}
        return cls(epoch if _EPOCH.fullmatch(epoch) else "", numbers)
