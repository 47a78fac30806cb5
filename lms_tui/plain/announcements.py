"""Sentences about the time and lasting problems, which the dialogue of an exam prints without being asked."""

from dataclasses import replace
from typing import TYPE_CHECKING

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Phase
from lms_tui.plain.line_io import LineIO
from lms_tui.views import runner as present
from lms_tui.views import time_left

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper


class Announcements:
    def __init__(self, io: LineIO, keeper: "Keeper") -> None:
        self._io = io
        self._keeper = keeper
        self._left = keeper.time_left()
        self._notice = ""
        self._told = keeper.session.told

    def tick(self) -> None:
        """Call once a second."""
        session, left = self._keeper.session, self._keeper.time_left()
        if session.editable and (warning := time_left.warning(self._left, left)):
            self._io.say(warning)
        self._left = left
        self._tell_words(session)
        self._tell_notice(session)

    def changed(self, before: Session, session: Session) -> None:
        """Report that the institute has given or taken time."""
        if session.goal is before.goal and (change := time_left.change_of_time(before.deadline, session.deadline)):
            self._io.say(change)
            self._left = self._keeper.time_left()

    def _tell_words(self, session: Session) -> None:
        """Say each notice of the institute once."""
        if session.told is self._told:
            return
        for one in session.told:
            if one not in self._told:
                self._io.say(one.text)
        self._told = session.told

    def _tell_notice(self, session: Session) -> None:
        """Report a lasting problem once when it starts and once when it ends."""
        others = replace(session, told=()) if session.told else session
        notice = present.notice(others, present.tally(others), self._keeper.silence())
        kind = "" if notice is None or session.phase is not Phase.RUNNING else notice.short
        if kind == self._notice:
            return
        if notice is not None and kind:
            self._io.say(notice.text.replace("ctrl+r", "type sign in"))
        elif self._notice and session.editable:
            self._io.say("The problem is over.")
        self._notice = kind
