"""Messages in the last line of the exam. Each stays for six seconds."""

from collections.abc import Callable
from typing import Final

from lms_tui.views.runner import Notice, Severity

_SHOWN_FOR: Final = 6
"""Seconds that a message stays in the last line."""


class Announcer:
    """`show` draws a message, or clears it with None. `second` is the time in seconds between two calls of `tick`."""

    def __init__(self, show: Callable[[Notice | None], None], second: float) -> None:
        self._show = show
        self._ticks = round(_SHOWN_FOR / second)
        self._left = 0
        self._plain = True

    def say(self, text: str, short: str = "", severity: Severity = Severity.PLAIN) -> None:
        """Show a message. `short` replaces `text` in a narrow window."""
        self._left = self._ticks
        self._plain = severity is Severity.PLAIN
        self._show(Notice(text, short or text, severity))

    def hush(self) -> None:
        """Clear a message that is no warning."""
        if self._left and self._plain:
            self._left = 0
            self._show(None)

    def tick(self) -> None:
        if self._left:
            self._left -= 1
            if not self._left:
                self._show(None)
