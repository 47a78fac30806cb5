"""Whether the question on the screen may be answered, and why not."""

from typing import TYPE_CHECKING

from lms_tui.tui.screens.runner.announcer import Announcer
from lms_tui.tui.screens.runner.answer_fields import AnswerFields
from lms_tui.views import answers

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper


class ChangeGuard:
    def __init__(self, keeper: "Keeper", fields: AnswerFields, announcer: Announcer) -> None:
        self._keeper = keeper
        self._fields = fields
        self._announcer = announcer

    def explain(self) -> None:
        """Say why the answer cannot be changed. Say nothing when it can."""
        session, say = self._keeper.session, self._announcer.say
        if session.read_only:
            say("Answers can be changed in the other window only.", "Change answers in the other window.")
        elif not session.editable:
            say("Answers cannot be changed any more.")
        elif not session.open_to_change(session.item):
            say("This section has ended. You can read its answers but not change them.", "This section has ended.")
        elif reason := answers.why_read_only(session.item, self._fields.form):
            say(reason, "This question cannot be answered here.")

    def allows(self) -> bool:
        """Return whether the answer may be changed, and say why not."""
        self.explain()
        return self._keeper.session.open_to_change(self._keeper.session.item)
