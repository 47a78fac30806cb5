"""Answers in words: the field that has the focus, and when its text is saved."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.events import Key

from lms_tui.attempt.events import Wrote
from lms_tui.tui.screens.runner.autosave import Autosave, Timer
from lms_tui.views import answers
from lms_tui.views.answers import AnswerMode
from lms_tui.wire.question_types import QuestionType

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets

_NUMBER = frozenset("0123456789-.,+\u2212")
_COMMANDS_AT_WORDS = frozenset(" ?")
"""Characters that are commands also where letters begin an answer."""


class Writing:
    """`leave_focus` takes the focus from the field. `later` calls back after a number of seconds."""

    def __init__(
        self,
        keeper: "Keeper",
        widgets: "ExamWidgets",
        guard: "ChangeGuard",
        *,
        later: Callable[[float, Callable[[], None]], Timer],
        leave_focus: Callable[[], None],
    ) -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._fields = widgets.fields
        self._guard = guard
        self._leave_focus = leave_focus
        self._autosave = Autosave(self._save, later)
        self.too_late: Wrote | None = None
        """The text that was typed after the exam had been closed."""

    def _save(self, event: Wrote) -> None:
        self._keeper.do(event)
        self._widgets.show_draft(None)
        item = self._keeper.session.find(event.question_id)
        if item is not None and answers.written(item.answer, event.field) != event.text:
            self.too_late = event

    def take(self) -> None:
        """Take the text of the field, also when its message has not arrived yet."""
        if (taken := self._fields.editor.take()) is None:
            return
        (question_id, field), text = taken
        event = Wrote(question_id, field, text)
        self._widgets.show_draft(event)
        self._autosave.write(event)

    def save(self) -> None:
        """Save what is being typed."""
        self.take()
        self._autosave.flush()

    def tick(self) -> None:
        self.take()
        self._autosave.tick(self._keeper.time_left())

    def enter(self, typed: str = "") -> None:
        """Move the focus into the field, and insert what was typed or pasted."""
        if self._guard.allows():
            self._fields.editor.write(typed)

    def leave(self) -> None:
        """Save and move the focus back to the question."""
        self.save()
        if self._fields.editor.writing:
            self._leave_focus()

    def next_gap(self, steps: int, *, done: bool) -> bool:
        """Save and move to another gap. Return False if there is none. With `done`, do not go back to the first one."""
        self.save()
        fields = self._fields
        count = len(fields.form.fields)
        index = fields.field_index(self._keeper.session.item) + steps
        if fields.form.mode is AnswerMode.GAPS and steps and count > 1 and (not done or index < count):
            self._widgets.highlight(index % count)
            fields.editor.write()
            return True
        return False

    def open_gap(self, name: str) -> None:
        """Save and move the focus into a gap."""
        self.save()
        if name in self._fields.form.fields and self._guard.allows():
            self._widgets.highlight(self._fields.form.fields.index(name))
            self._fields.editor.write()

    def paste(self, text: str) -> None:
        """Insert pasted text into the answer. A question without a field does not change."""
        form = self._fields.form
        if form.writes and (cleaned := answers.pasted(text, lines=form.mode is AnswerMode.ESSAY)):
            self.enter(cleaned)

    def handle_key(self, event: Key) -> bool:
        """Take a character as the start of an answer. Return False for a key that is a command."""
        form, character = self._fields.form, event.character or ""
        if self._fields.take_letters:
            if event.key == "escape":
                self._fields.command_by_letters()
                self._widgets.letters_changed()
                return True
            topic = bool(form.choices) and character.isdigit()
            if event.is_printable and not topic and character not in _COMMANDS_AT_WORDS:
                self.enter(character)
                return True
            return False
        numeric = self._keeper.session.item.kind == QuestionType.NUMERIC
        if form.mode is AnswerMode.LINE and numeric and character and character in _NUMBER:
            self.enter(character)
            return True
        if form.mode in {AnswerMode.GAPS, AnswerMode.MATCH} and character.isdigit() and character.isascii():
            index = int(character) - 1
            if 0 <= index < len(form.fields):
                self._widgets.highlight(index)
                if form.mode is AnswerMode.GAPS:
                    self.enter()
            return True
        return False
