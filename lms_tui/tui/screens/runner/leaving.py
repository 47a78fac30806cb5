"""The commands that end or leave the exam, and those for the connection. Each saves what is being typed first."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lms_tui.attempt.events import EndAsked
from lms_tui.attempt.values import Goal
from lms_tui.tui import dialogs
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner import exam_dialogs
from lms_tui.views.ending import ALL_OPEN

if TYPE_CHECKING:
    from textual.screen import Screen

    from lms_tui.attempt.keeper import Keeper
    from lms_tui.client.port import Lms
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard


class Leaving:
    """`screen`: runs the dialogs. `leave_field`: saves and leaves the field. `left`: called when the person leaves.

    `review`: opens the overview, from which the same end is asked for again.
    """

    def __init__(
        self,
        screen: "Screen[str]",
        keeper: "Keeper",
        lms: "Lms",
        guard: "ChangeGuard",
        announcer: "Announcer",
        *,
        leave_field: Callable[[], None],
        left: Callable[[], None],
        review: Callable[[Goal], None],
    ) -> None:
        self._screen = screen
        self._keeper = keeper
        self._lms = lms
        self._guard = guard
        self._announcer = announcer
        self._leave_field = leave_field
        self._left = left
        self._review = review

    def reconnect(self) -> None:
        """Send now, or ask for the password when the sign-in has expired."""
        self._leave_field()
        if self._keeper.session.contact.sign_in_needed:
            self._screen.run_worker(self._sign_in(), name="sign in again", group="sign in again", exclusive=True)
        else:
            self._keeper.retry()
            self._announcer.say("Sending now.")

    async def _sign_in(self) -> None:
        if await dialogs.sign_in_again(self._screen.app, self._lms, in_exam=True):
            self._keeper.retry()

    def end_section(self) -> None:
        session = self._keeper.session
        if session.all_open:
            self._announcer.say(ALL_OPEN, "All sections stay open.")
        elif not session.locked:
            self._announcer.say("This exam has no sections to end.")
        elif not session.preemptive:
            self._announcer.say("A section of this exam ends when its time is over.", "Sections end with their time.")
        else:
            self.end(Goal.SECTION if session.more_sections else Goal.ATTEMPT)

    def end(self, goal: Goal) -> None:
        """Ask whether to end the section or the exam."""
        self._leave_field()
        if self._keeper.session.editable:
            self._screen.run_worker(self._end(goal), name="end dialog", group="dialog", exclusive=True)
        else:
            self._guard.explain()

    async def _end(self, goal: Goal) -> None:
        answer = await exam_dialogs.ask_end(self._screen.app, self._keeper.session, goal)
        if answer is dialogs.Answer.YES:
            self._keeper.do(EndAsked(goal))
        elif answer is dialogs.Answer.OTHER:
            self._review(goal)

    def leave(self) -> None:
        """Ask whether to leave the exam without ending it."""
        self._leave_field()
        self._screen.run_worker(self._leave(), name="leave dialog", group="dialog", exclusive=True)

    async def _leave(self) -> None:
        if await exam_dialogs.leave_wanted(self._screen.app, self._keeper.session):
            self._left()


class LeaveCommands(CommandScreen[str]):
    """The exam screen is this class with its other commands."""

    _leaving: Leaving

    def action_reconnect(self) -> None:
        self._leaving.reconnect()

    def action_end(self) -> None:
        self._leaving.end(Goal.ATTEMPT)

    def action_end_section(self) -> None:
        self._leaving.end_section()

    def action_leave(self) -> None:
        self._leaving.leave()
