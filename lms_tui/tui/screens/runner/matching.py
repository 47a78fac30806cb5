"""Matching questions, in which a right side is chosen for each row."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from textual.events import Key

from lms_tui.attempt.events import Wrote
from lms_tui.views import answers
from lms_tui.views.format import LETTERS

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.change_guard import ChangeGuard
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets

_STEPS: Final = {"up": -1, "shift+tab": -1, "down": 1, "tab": 1}
_TURNS: Final = {"left": -1, "right": 1}
_CLEARING: Final = frozenset({"backspace", "delete", "space"})


class Matching:
    """While `active`, every letter chooses a right side for the highlighted row."""

    def __init__(
        self, keeper: "Keeper", widgets: "ExamWidgets", guard: "ChangeGuard", changed: Callable[[], None]
    ) -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._fields = widgets.fields
        self._guard = guard
        self._changed = changed
        self.active = False

    def begin(self) -> None:
        if self._guard.allows():
            self.active = True
            self._changed()

    def stop(self) -> None:
        if self.active:
            self.active = False
            self._changed()

    def match(self, choice: int) -> None:
        """Match the highlighted row with a right side, and go on to the next row without one."""
        form = self._fields.form
        if 0 <= choice < len(form.texts) and self._guard.allows():
            row = self._fields.cursor
            self._write(form.texts[choice])
            self._widgets.highlight(answers.next_open(form, self._keeper.session.item.answer, row))

    def clear(self) -> None:
        """Remove the right side of the highlighted row."""
        if self._guard.allows():
            self._write("")
            self._widgets.refresh_answer()

    def cycle(self, steps: int) -> None:
        """Match the highlighted row with the next or previous right side."""
        form = self._fields.form
        if self._guard.allows():
            now = answers.matched_of(form, self._keeper.session.item.answer)[self._fields.cursor]
            choice = (now + steps) % len(form.texts) if now >= 0 else (0 if steps > 0 else len(form.texts) - 1)
            self._write(form.texts[choice])
            self._widgets.refresh_answer()

    def _write(self, text: str) -> None:
        field = self._fields.form.fields[self._fields.cursor]
        self._keeper.do(Wrote(self._keeper.session.item.question_id, field, text))

    def handle_key(self, event: Key) -> None:
        """Handle a key while `active`."""
        letter = (event.character or "").upper()
        rows = len(self._fields.form.fields)
        if step := _STEPS.get(event.key):
            self._widgets.highlight((self._fields.cursor + step) % rows)
        elif turn := _TURNS.get(event.key):
            self.cycle(turn)
        elif event.key in _CLEARING:
            self.clear()
        elif len(letter) == 1 and letter in LETTERS:
            self.match(LETTERS.index(letter))
        elif letter.isdigit() and 1 <= int(letter) <= rows:
            self._widgets.highlight(int(letter) - 1)
        else:
            self.stop()
