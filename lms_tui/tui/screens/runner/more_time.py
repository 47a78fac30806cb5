"""Time that the server gave since the exam began: announced, added up in the top line, and kept in the journal."""

from typing import TYPE_CHECKING, Final

from lms_tui.views import time_left
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.attempt.session import Session
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets

_NAME: Final = "more time"
"""The name of the added seconds on the desk."""
_LIMIT: Final = "time limit"
"""The name of the time limit on the desk, after the place of the section that ran when the server told it."""
_LEAST: Final = 2.0
"""Seconds. Smaller differences of two time limits come from rounding."""


class MoreTime:
    def __init__(self, keeper: "Keeper", widgets: "ExamWidgets", announcer: "Announcer") -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._announcer = announcer
        self._compared = False
        self._compare(keeper.session)
        self._show()

    def react(self, before: "Session", session: "Session") -> bool:
        """Tell how far the server has moved the end. Return False if it has not."""
        self._compare(session)
        was, now = before.deadline, session.deadline
        if was is now or before.running_section != session.running_section or not session.editable:
            return False
        if not (text := time_left.change_of_time(was, now)):
            return False
        self._announcer.say(text, severity=Severity.GOOD, stays=True)
        if was.ends_at is not None and now.ends_at is not None and not was.estimated:
            self._keeper.desk.keep(_NAME, str(self._seconds + round(now.ends_at - was.ends_at)))
        self._show()
        return True

    def _compare(self, session: "Session") -> None:
        """Count what was given while the exam was closed, with the first time limit that the server tells.

        A section that was ended early gives its time back, so only limits during the same section are compared.
        """
        allowed, section = session.deadline.allowed, session.running_section
        if allowed is None or session.read_only:
            return
        place, _, kept = self._keeper.desk.text(_LIMIT).partition(" ")
        same = kept.isdecimal() and place == str(section)
        if same and abs(allowed - int(kept)) < _LEAST:
            self._compared = True
            return
        if same and not self._compared and allowed > int(kept):
            self._keeper.desk.keep(_NAME, str(self._seconds + round(allowed) - int(kept)))
            self._show()
        self._compared = True
        self._keeper.desk.keep(_LIMIT, f"{section} {round(allowed)}")

    @property
    def _seconds(self) -> int:
        kept = self._keeper.desk.text(_NAME)
        return int(kept) if kept.lstrip("-").isdecimal() else 0

    def _show(self) -> None:
        self._widgets.status.added_time = time_left.added(self._seconds)
        self._widgets.tick()
