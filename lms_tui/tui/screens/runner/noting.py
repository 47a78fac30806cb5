"""Notes on questions and the scratchpad of the exam: what is shown, and when it is saved."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on

from lms_tui.attempt.desk import SCRATCHPAD, note_of
from lms_tui.common.frozen import frozen
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.runner.autosave import Autosave, Timer
from lms_tui.tui.screens.runner.key_hints import Hint, Hints
from lms_tui.tui.widgets.note_panel import NotePanel

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.screens.runner.answer_fields import KeyOf
    from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets


@frozen
class Jotted:
    """The newest text of a note or of the scratchpad. `field` is its name on the desk."""

    question_id: int
    field: str
    text: str


class Noting:
    """The note of the question on the screen, or the scratchpad.

    `make_room` leaves the answer and closes what covers the panel. `leave_focus` gives the keys back to the question.
    `show_keys` shows the keys that work now in the last line.
    """

    def __init__(
        self,
        keeper: "Keeper",
        widgets: "ExamWidgets",
        *,
        later: Callable[[float, Callable[[], None]], Timer],
        make_room: Callable[[], None],
        leave_focus: Callable[[], None],
        show_keys: Callable[[], None],
        key_in_field: "KeyOf",
    ) -> None:
        self._keeper = keeper
        self._widgets = widgets
        self._panel = widgets.aside.note
        self._make_room = make_room
        self._leave_focus = leave_focus
        self._show_keys = show_keys
        self._key_in_field = key_in_field
        self._autosave = Autosave[Jotted](self._save, later)
        self._scratch = False
        self._question = 0
        """The question of the note in the panel, 0 for the scratchpad."""

    @property
    def active(self) -> bool:
        """Whether keys are typed into the panel."""
        return self._panel.writing

    @property
    def _name(self) -> str:
        return SCRATCHPAD if self._scratch else note_of(self._keeper.session.item.question_id)

    def open(self, *, scratch: bool) -> None:
        """Open the note or the scratchpad and type there, or close it where it has the keys."""
        if self.active and scratch == self._scratch:
            self.close()
            self._show_keys()
            return
        self._make_room()
        self.save()
        self._scratch = scratch
        self._widgets.aside.show_note(shown=True)
        self._show()
        self._panel.write()
        self._show_keys()

    def close(self) -> None:
        self.leave()
        self._widgets.aside.show_note(shown=False)

    def entered(self) -> None:
        """Show the keys of the panel, which a click gave the keys."""
        self._show_keys()

    def leave(self) -> None:
        """Save, and give the keys back to the question. A panel that covers the question closes."""
        self.save()
        if self.active:
            self._leave_focus()
        if self._widgets.aside.note_covers:
            self._widgets.aside.show_note(shown=False)

    def moved(self) -> None:
        """Show the note of the question that came on the screen."""
        self.save()
        if self._panel.display:
            self._show()

    def _show(self) -> None:
        self._question = 0 if self._scratch else self._keeper.session.item.question_id
        self._panel.show(self._name, self._keeper.desk.text(self._name), closed=bool(self._keeper.session.read_only))
        self.describe()

    def describe(self) -> None:
        """Write what is shown, and whether it is saved, into the border of the panel."""
        if not self._panel.display or not self._keeper.session.items:
            return
        title = "Scratchpad" if self._scratch else f"Note on question {self._keeper.session.item.number}"
        self._panel.say(title, self._state())

    def _state(self) -> str:
        if self._keeper.session.read_only:
            return "cannot be changed here"
        if self._autosave.waiting or not self._keeper.desk.kept(self._name):
            return "not saved yet"
        return "saved" if self._keeper.desk.text(self._name) else ""

    # Saving.

    def take(self) -> None:
        """Take the text of the panel, also when its message has not arrived yet."""
        if (text := self._panel.take()) is not None:
            self._autosave.write(Jotted(self._question, self._panel.name_shown, text))
            self.describe()

    def save(self) -> None:
        """Save what is being typed."""
        self.take()
        self._autosave.flush()

    def tick(self) -> None:
        self.take()
        self._autosave.tick(self._keeper.time_left())
        if self._panel.display and not self._autosave.waiting:
            self._show()

    def _save(self, event: Jotted) -> None:
        desk = self._keeper.desk
        begun = bool(desk.text(event.field)) != bool(event.text)
        desk.keep(event.field, event.text)
        self.describe()
        if begun and event.question_id:
            self._widgets.note_changed(event.question_id)

    def hints(self) -> tuple[Hints, Hints]:
        """Return the keys while the panel has them."""
        other = "note" if self._scratch else "scratchpad"
        own = "scratchpad" if self._scratch else "note"
        shown = (
            Hint(self._key_in_field(own), "close", f"screen.{own}"),
            Hint(self._key_in_field(other), other, f"screen.{other}"),
        )
        return shown, (Hint("esc", "back to the question", press="escape"),)


class NoteCommands(CommandScreen[str]):
    """The exam screen is this class with the commands of the attempt."""

    _noting: Noting

    def action_note(self) -> None:
        self._noting.open(scratch=False)

    def action_scratchpad(self) -> None:
        self._noting.open(scratch=True)

    @on(NotePanel.Typed)
    def _note_typed(self) -> None:
        self._noting.take()

    @on(NotePanel.Entered)
    def _note_entered(self) -> None:
        self._noting.entered()
