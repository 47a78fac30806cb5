"""Messages in the last line of the exam. Each stays for six seconds, and an important one for half a minute."""

from collections.abc import Callable
from typing import Final

from lms_tui.views.runner import Notice, Severity

_SHOWN_FOR: Final = 6
"""Seconds that a message stays in the last line."""
_STAYS_FOR: Final = 30
"""Seconds that an important message stays, unless a person clicks it."""


class Announcer:
    """`show` draws a message, or clears it with None. `second` is the time in seconds between two calls of `tick`."""

    def __init__(self, show: Callable[[Notice | None], None], second: float) -> None:
        self._show = show
        self._second = second
        self._left = self._staying_left = 0
        self._plain = True
        self._staying: Notice | None = None

    def say(self, text: str, short: str = "", severity: Severity = Severity.PLAIN, *, stays: bool = False) -> None:
        """Show a message. `short` replaces `text` in a narrow window. One that `stays` is back after others."""
        notice = Notice(text, short or text, severity)
        if stays:
            self._staying, self._staying_left = notice, round(_STAYS_FOR / self._second)
        self._left = round(_SHOWN_FOR / self._second)
        self._plain = severity is Severity.PLAIN
        self._show(notice)

    def hush(self) -> None:
        """Clear a message that is no warning. An important one stays."""
        if self._left and self._plain:
            self._left = 0
            self._show(self._staying)

    def acknowledge(self) -> None:
        """Clear every message: a person clicked it."""
        self._left, self._staying = 0, None
        self._show(None)

    def tick(self) -> None:
        before = self._left, self._staying
        self._left = max(0, self._left - 1)
        if self._staying is not None:
            self._staying_left -= 1
            self._staying = self._staying if self._staying_left else None
        if not self._left and before != (0, self._staying):
            self._show(self._staying)
