"""The field for a text answer, of one line or of many.

While the field has the focus, every printable key is text. Escape leaves it.
"""

from collections.abc import Callable
from typing import Final, Self

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.widgets.text_area import Edit, EditResult

from lms_tui.tui.terminal.key_order import Typed
from lms_tui.views.answers import pasted

_UNDO_STEPS: Final = 200
LINE_ROWS: Final = 3
"""Rows of a field of one line, with its border."""


LeftField = Callable[[int, bool], None]
"""Called when a field is left, with the steps to the next field (0: to the question) and whether enter was pressed."""


_JOINERS: Final = frozenset({"\u200c", "\u200d"})
"""Characters of many scripts that Textual does not take for text."""
_STEPS: Final = {"escape": 0, "enter": 1, "tab": 1, "shift+tab": -1}


def is_command(event: events.Key) -> bool:
    """Alt with a letter is no text, although terminals send the letter with it."""
    return event.key.startswith("alt+") and len(event.character or "") == 1


def _text_of(key: events.Key) -> str:
    if key.character in _JOINERS:
        return key.character or ""
    return key.character or "" if key.is_printable and not is_command(key) else ""


def typed_late(field: Widget, event: events.Key | Typed) -> bool:
    """Send keys back to the app when the field has lost the focus before they arrived."""
    if field.screen.focused is field:
        return False
    event.stop()
    event.prevent_default()
    for key in event.keys if isinstance(event, Typed) else (event,):
        field.app.post_message(events.Key(key.key, key.character))
    return True


def takes(field: Widget, event: events.Key) -> bool:
    """Return whether a field handles a key that was sent to it. Textual then does not call the base class."""
    if typed_late(field, event):
        return False
    event.prevent_default()
    return not is_command(event)


class _LineField(Input):
    """Handles the keys that leave it itself. A binding would be too late for keys that follow at once."""

    def __init__(self, left: LeftField) -> None:
        super().__init__(id="line", compact=True, select_on_focus=False)
        self._left = left

    async def _on_key(self, event: events.Key) -> None:
        if not takes(self, event):
            return
        if event.key in _STEPS:
            event.stop()
            self._left(_STEPS[event.key], event.key == "enter")
        elif event.character in _JOINERS:
            event.stop()
            self.replace(event.character, *self.selection)
        else:
            await super()._on_key(event)

    def text_of(self, key: events.Key) -> str:
        return _text_of(key)

    def on_typed(self, event: Typed) -> None:
        if not typed_late(self, event):
            self.replace("".join(map(self.text_of, event.keys)), *self.selection)

    def _on_paste(self, event: events.Paste) -> None:
        """Insert pasted text, cleaned and on one line."""
        event.prevent_default()
        event.stop()
        if text := pasted(event.text, lines=False):
            self.replace(text, *self.selection)


class TextField(TextArea):
    """Textual paints the whole field after each key. This one paints only the line, where no other row has moved."""

    _editing = False

    def __init__(self, left: LeftField, *, id: str = "area") -> None:
        super().__init__(id=id, soft_wrap=True, compact=True, highlight_cursor_line=False, max_checkpoints=_UNDO_STEPS)
        self.set_reactive(TextArea.match_cursor_bracket, False)  # the other bracket may be in another line
        self._left = left

    def edit(self, edit: Edit) -> EditResult:
        before = self._places()
        self._editing = True
        try:
            result = super().edit(edit)
        finally:
            self._editing = False
        line = self.cursor_location[0]
        lines = {edit.from_location[0], edit.to_location[0], result.end_location[0], *before[1]}
        if lines == {line} and before[0] == self._places()[0]:
            rows = self.wrapped_document
            self.refresh_lines(rows.location_to_offset((line, 0)).y, len(rows.get_sections(line)))
        else:
            self.refresh()
            self.call_after_refresh(self.scroll_cursor_visible)  # the height was the old one when the cursor moved
        return result

    def _places(self) -> tuple[object, set[int]]:
        """The measures of the rows, and the lines of the selection."""
        selection = self.selection
        return (self.wrapped_document.height, self.scroll_offset), {selection.start[0], selection.end[0]}

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        if self._editing and not (regions or layout or recompose):
            return self
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    async def _on_key(self, event: events.Key) -> None:
        if not takes(self, event):
            return
        if event.key in _STEPS and event.key != "enter":
            event.stop()
            self._left(0, False)
        elif event.character in _JOINERS:
            event.stop()
            self.insert(event.character)
        else:
            await super()._on_key(event)

    def text_of(self, key: events.Key) -> str:
        return "\n" if key.key == "enter" else _text_of(key)

    def on_typed(self, event: Typed) -> None:
        if not typed_late(self, event):
            self.replace(
                "".join(map(self.text_of, event.keys)), *sorted(self.selection), maintain_selection_offset=False
            )

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        if text := pasted(event.text, lines=True):
            self.insert(text)


class AnswerEditor(Vertical):
    """Shows one text at a time. `Typed` says that a person changed it, and `take` returns it."""

    class Typed(Message):
        """The text was changed."""

    class Entered(Message):
        """A field got the focus."""

    DEFAULT_CSS = """
    AnswerEditor {
        height: 3; border: round $border-blurred; border-title-color: $text-muted; background: $background;
        border-subtitle-color: $text-muted; padding: 0 1; display: none;
        & _LineField { border: none; height: 1; padding: 0; background: $background; }
        & TextField { border: none; height: 1fr; padding: 0; background: $background; scrollbar-size-vertical: 1; }
        & _LineField:focus, & TextField:focus { border: none; background-tint: $foreground 0%; }
        & _LineField.-disabled, & _LineField:disabled, & TextField:disabled { opacity: 100%; color: $text-muted; }
        &:focus-within { border: round $primary; border-title-color: $primary; }
        &.-wrong { border-subtitle-color: $warning; }
        &.-plain { border: ascii $border-blurred; }
        &.-plain:focus-within { border: ascii $primary; }
    }
    """

    def __init__(self, left: LeftField, *, plain: bool = False) -> None:
        super().__init__(id="answer-editor")
        self.set_class(plain, "-plain")
        self._left = left
        self._line = _LineField(left)
        self._area: TextField | None = None
        self._essay = False
        self._whose: tuple[int, str] = (-1, "")
        self._taken = self._hint = ""

    def compose(self) -> ComposeResult:
        self._line.cursor_blink = self._blinks
        yield self._line

    @property
    def _blinks(self) -> bool:
        return self.app.animation_level != "none"

    # The text.

    @property
    def _field(self) -> _LineField | TextField:
        return self._area if self._essay and self._area is not None else self._line

    @property
    def text(self) -> str:
        field = self._field
        return field.text if isinstance(field, TextField) else field.value

    @property
    def writing(self) -> bool:
        """Whether a field has the focus."""
        return self.is_attached and self.display and self.screen.focused is self._field

    def show(self, whose: tuple[int, str], text: str, *, essay: bool, hint: str, closed: bool) -> None:
        """Show the text of a field of a question. `hint` is shown in an empty field without the focus.

        The cursor stays in place if the field and its text are the same as before.
        """
        if essay and self._area is None:
            self._area = TextField(self._left)
            self._area.cursor_blink = self._blinks
            self.mount(self._area)
        if essay != self._essay or self._line.display == essay:
            self._essay = essay
            self._line.display = not essay
            if self._area is not None:
                self._area.display = essay
        field = self._field
        if field.disabled != closed:
            field.disabled = closed
        self._hint = hint
        self._say_how()
        if whose == self._whose and self.text != self._taken:
            return  # a key was pressed after this text was taken
        if text != self.text or whose != self._whose:
            self._put(text)
        self._whose, self._taken = whose, text

    def take(self) -> tuple[tuple[int, str], str] | None:
        """Return the field and its text if it has changed since it was shown or taken, else None."""
        if self.text == self._taken:
            return None
        self._taken = self.text
        return self._whose, self._taken

    def _put(self, text: str) -> None:
        field = self._field
        with self.prevent(Input.Changed, TextArea.Changed):
            if isinstance(field, TextField):
                field.load_text(text)
                field.move_cursor(field.document.end)
            else:
                field.value = text
                field.cursor_position = len(text)

    def say(self, title: str, foot: str, *, wrong: bool = False) -> None:
        """Set the texts of the border."""
        if str(self.border_title or "") != title:
            self.border_title = Content(title)
        if str(self.border_subtitle or "") != foot:
            self.border_subtitle = Content(foot)
        self.set_class(wrong, "-wrong")

    # Writing.

    def write(self, typed: str = "") -> None:
        """Focus the field with the cursor at the end. `typed`: text to insert there."""
        field = self._field
        self.screen.set_focus(field)  # now: `focus()` would come after keys that are typed ahead
        if isinstance(field, TextField):
            field.move_cursor(field.document.end)
            if typed:
                field.insert(typed)
        else:
            field.cursor_position = len(field.value)
            if typed:
                field.insert_text_at_cursor(typed)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _tell(self, event: Input.Changed | TextArea.Changed) -> None:
        event.stop()
        self.post_message(self.Typed())

    def on_descendant_focus(self) -> None:
        self._say_how()
        self.post_message(self.Entered())

    def on_descendant_blur(self) -> None:
        self._say_how()

    def _say_how(self) -> None:
        """Show the hint in a field without the focus."""
        field, hint = self._field, "" if self.writing else self._hint
        if str(field.placeholder) != hint:
            field.placeholder = Content(hint) if isinstance(field, TextField) else hint
