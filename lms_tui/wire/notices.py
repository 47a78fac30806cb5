"""The header of notices to a student, in the replies to start and heartbeat (standard library only).

`X-Attempt-Notices` is the ID of the newest notice, followed by `; paused` while the clock of the attempt stands still.
Other servers lack it.
"""

import re
from typing import Final, Self

from lms_tui.common.frozen import frozen

NOTICES_HEADER: Final = "X-Attempt-Notices"
_FORM: Final = re.compile(r"([0-9]{1,18})(; ?paused)?")


@frozen
class NoticeMark:
    """`newest`: the ID of the newest notice, 0 if the server told none."""

    newest: int = 0
    paused: bool = False

    @classmethod
    def read(cls, header: str) -> Self:
        """Read the header, "" for a missing one. One of another form counts as missing."""
        found = _FORM.fullmatch(header)
        return cls(int(found[1]), found[2] is not None) if found else cls()
