"""Answers by option: choose, toggle, strike out, mark for review, clear and undo."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from lms_tui.attempt.events import Chose, ChoseOther, Cleared, Marked, Struck, Toggled, Undone, UserEvent, Wrote
from lms_tui.views.answers import AnswerMode

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.announcer import Announcer
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets
    from lms_tui.tui.screens.runner.matching import Matching
    from lms_tui.tui.screens.runner.writing import Writing


class Choosing:
    def __init__(
        self,
        keeper: "Keeper",
        widgets: "ExamWidgets",
        guard: "ChangeGuard",
        announcer: "Announcer",
        writing: "Writing",
        matching: "Matching",
        attach: Callable[[], None],
    ) -> None:
        self._attach = attach
        self._keeper = keeper
        self._widgets = widgets
        self._fields = widgets.fields
        self._guard = guard
        self._announcer = announcer
        self._writing = writing
        self._matching = matching

    @property
    def _question_id(self) -> int:
        return self._keeper.session.item.question_id

    def _do(self, event: UserEvent) -> None:
        """Apply an event. Say why when it changes nothing. A message about the answer before is out of date."""
        self._announcer.hush()
        self._writing.save()
        before = self._keeper.session
        self._keeper.do(event)
        if self._keeper.session is before:
            self._widgets.refresh_answer()
            self._guard.explain()

    def _option(self, index: int) -> int | None:
        """Return the id of an option of the question on the screen, or None when it has none."""
        mode, options = self._fields.form.mode, self._keeper.session.item.options
        if mode is AnswerMode.SHOWN:
            self._guard.explain()
        elif mode is AnswerMode.FILES:
            self._announcer.say(f"Press {self._fields.write_key} to add or remove files.")
        elif mode is not AnswerMode.CHOOSE:
            self._announcer.say(f"Press {self._fields.write_key} to write the answer.")
        elif index < 0:
            self._announcer.say("Highlight an option with the arrow keys first.", "Highlight an option first")
        else:
            return options[index] if index < len(options) else None
        return None

    def choose(self, index: int) -> None:
        form = self._fields.form
        if form.mode is AnswerMode.MATCH:
            self._matching.match(index)
        elif form.mode is AnswerMode.ESSAY and form.choices:
            self._choose_topic(index)
        elif (option := self._option(index)) is not None:
            self._fields.move_cursor(index)
            self._do(Chose(self._question_id, option))

    def _choose_topic(self, index: int, *, toggle: bool = False) -> None:
        item, form = self._keeper.session.item, self._fields.form
        if index < 0:
            self._announcer.say("Highlight a topic with the arrow keys first.", "Highlight a topic first")
        elif index < len(form.texts):
            self._fields.move_cursor(index)
            chosen = toggle and item.answer.essay_topic == form.texts[index]
            self._do(Wrote(item.question_id, "essay_topic", "" if chosen else form.texts[index]))

    def pick(self) -> None:
        """Choose the highlighted option, or start writing, matching or adding files."""
        form = self._fields.form
        if form.mode is AnswerMode.MATCH:
            self._matching.begin()
        elif form.mode is AnswerMode.FILES:
            self._attach()
        elif form.writes:
            self._writing.enter()
        else:
            self.choose(self._fields.cursor)

    def toggle(self) -> None:
        form = self._fields.form
        if form.mode is AnswerMode.MATCH:
            self._matching.clear()
        elif form.mode is AnswerMode.ESSAY and form.choices:
            self._choose_topic(self._fields.cursor, toggle=True)
        elif (option := self._option(self._fields.cursor)) is not None:
            self._do(Toggled(self._question_id, option))

    def strike(self) -> None:
        mode = self._fields.form.mode
        if mode not in {AnswerMode.CHOOSE, AnswerMode.SHOWN}:
            self._announcer.say("Only options can be struck out.")
        elif (option := self._option(self._fields.cursor)) is not None:
            if option in self._keeper.session.item.answer.selected:
                self._announcer.say("A chosen option cannot be struck out.")
            else:
                self._do(Struck(self._question_id, option))

    def strike_at(self, index: int) -> None:
        """Highlight an option and strike it out, or restore it."""
        if self._fields.form.mode is AnswerMode.CHOOSE:
            self._widgets.highlight(index)
        self.strike()

    def move_cursor(self, steps: int) -> None:
        """Highlight another option, or scroll a question without options."""
        form = self._fields.form
        count = len(form.choices) if form.mode in {AnswerMode.CHOOSE, AnswerMode.ESSAY} else len(form.fields)
        if form.mode in {AnswerMode.SHOWN, AnswerMode.LINE} or not count:
            self._widgets.scroll_rows(steps)
        else:
            self._widgets.highlight(max(0, min(self._fields.cursor + steps, count - 1)))

    def mark(self) -> None:
        self._do(Marked(self._question_id))

    def clear(self) -> None:
        self._do(Cleared(self._question_id))

    def switch(self) -> None:
        """Choose the answer of the other device, or the own one again."""
        if self._keeper.session.item.other_answer is None:
            self._announcer.say("No other device has answered this question.", "No answer from another device.")
        else:
            self._do(ChoseOther(self._question_id))

    def undo(self) -> None:
        self._writing.save()
        if self._keeper.session.undo:
            self._do(Undone())
        else:
            self._announcer.say("There is nothing to undo.")
