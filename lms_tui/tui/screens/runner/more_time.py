"""Time that the server gave during the exam: announced, added up in the top line, and kept in the journal."""

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


class MoreTime:
    def __init__(self, keeper: "Keeper", widgets: "ExamWidgets", announcer: "Announcer") -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._announcer = announcer
        self._show()

    def react(self, before: "Session", session: "Session") -> bool:
        """Tell how far the server has moved the end. Return False if it has not."""
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

    @property
    def _seconds(self) -> int:
        kept = self._keeper.desk.text(_NAME)
        return int(kept) if kept.lstrip("-").isdecimal() else 0

    def _show(self) -> None:
        self._widgets.status.added_time = time_left.added(self._seconds)
        self._widgets.tick()
