"""The review of one student's attempt for staff."""

from collections.abc import AsyncIterator

from lms_tui.tui.screens.review.screen import ReviewScreen
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.views.compare import OF_STUDENT
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.base import Page


class StaffReviewScreen(ReviewScreen):
    """The replay of an attempt is in the journal of the student's computer."""

    WHOSE = OF_STUDENT

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(CommandBar).hide("replay")

    def pages_of(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:
        return self._lms.staff_exams.review(attempt_id)

    def action_replay(self) -> None:
        self.notify("Only the student's own computer has the replay.", markup=False)
