"""Messages in the last line of the exam, for six seconds. An important one stays for half a minute in its own line."""

from collections.abc import Callable
from typing import Final

from lms_tui.views.runner import Notice, Severity

_SHOWN_FOR: Final = 6
"""Seconds that a message stays in the last line."""
_STAYS_FOR: Final = 30
"""Seconds that an important message stays, unless a person clicks it."""


class Announcer:
    """`show` draws a message in the last line, or clears it with None, and `keep` an important one.

    `second` is the time in seconds between two calls of `tick`.
    """

    def __init__(
        self, show: Callable[[Notice | None], None], keep: Callable[[Notice | None], None], second: float
    ) -> None:
        self._show = show
        self._keep = keep
        self._second = second
        self._left = self._kept_left = 0
        self._plain = True

    def say(self, text: str, short: str = "", severity: Severity = Severity.PLAIN, *, stays: bool = False) -> None:
        """Show a message. `short` replaces `text` in a narrow window. One that `stays` is important."""
        notice = Notice(text, short or text, severity)
        if stays:
            self._kept_left = round(_STAYS_FOR / self._second)
            self._keep(notice)
            return
        self._left = round(_SHOWN_FOR / self._second)
        self._plain = severity is Severity.PLAIN
        self._show(notice)

    def hush(self) -> None:
        """Clear a message that is no warning. An important one stays."""
        if self._left and self._plain:
            self._left = 0
            self._show(None)

    def acknowledge(self) -> None:
        """Clear every message: a person clicked it."""
        self._left = self._kept_left = 0
        self._show(None)
        self._keep(None)

    def tick(self) -> None:
        self._left, self._kept_left = (
            self._later(self._left, self._show),
            self._later(self._kept_left, self._keep),
        )

    def _later(self, left: int, show: Callable[[Notice | None], None]) -> int:
        if left == 1:
            show(None)
        return max(0, left - 1)
