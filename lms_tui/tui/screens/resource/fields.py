"""The fields of a form: one line, a tick box, or several lines. Each shows its error below."""

from typing import Protocol

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widgets import Label, TextArea

from lms_tui.tui.widgets.form import Field, Tick, show_error
from lms_tui.views.forms import TICKED, FieldKind, FieldSpec


class Entered(Protocol):
    """A field as the form uses it."""

    @property
    def text(self) -> str: ...
    def show_error(self, text: str) -> None: ...
    def take_focus(self) -> None: ...
    def scroll_visible(self, animate: bool = True) -> None: ...


class LineField(Field):
    """One line, with suggestions while the user types."""

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__(
            spec.label,
            spec.value,
            placeholder=spec.hint,
            secret=spec.kind is FieldKind.SECRET,
            field_id=spec.name.replace("_", "-"),
        )
        if spec.choices:
            self.input.suggester = SuggestFromList(spec.choices, case_sensitive=False)

    @property
    def text(self) -> str:
        return self.value

    def take_focus(self) -> None:
        self.input.focus()


class TickField(Vertical):
    DEFAULT_CSS = """
    TickField { height: auto; padding-left: 12; }
    TickField Tick { border: none; padding: 0; height: 1; background: $background; }
    TickField Tick:focus { border: none; }
    TickField .wrong { display: none; height: auto; color: $text-error; }
    TickField.-wrong .wrong { display: block; }
    """

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__()
        self.tick = Tick(spec.label, spec.value == TICKED, id=spec.name.replace("_", "-"), compact=True)

    def compose(self) -> ComposeResult:
        yield self.tick
        yield Label("", classes="wrong", markup=False)

    @property
    def text(self) -> str:
        return TICKED if self.tick.value else ""

    def show_error(self, text: str) -> None:
        show_error(self, text)

    def take_focus(self) -> None:
        self.tick.focus()


class TextField(Vertical):
    """Several lines. Tab moves to the next field."""

    DEFAULT_CSS = """
    TextField { height: auto; }
    TextField .label { color: $text-muted; }
    TextField TextArea { height: 10; border: none; padding: 0 1; background: $panel; }
    TextField TextArea:focus { border: none; background: $block-cursor-blurred-background; }
    TextField:focus-within .label { color: $primary; text-style: bold; }
    TextField .wrong { display: none; height: auto; color: $text-error; }
    TextField.-wrong .wrong { display: block; }
    """

    def __init__(self, spec: FieldSpec) -> None:
        super().__init__()
        self._label = spec.label
        self.area = TextArea(
            spec.value, tab_behavior="focus", show_line_numbers=False, id=spec.name.replace("_", "-"), compact=True
        )

    def compose(self) -> ComposeResult:
        yield Label(Content(self._label), classes="label")
        yield self.area
        yield Label("", classes="wrong", markup=False)

    @property
    def text(self) -> str:
        return self.area.text

    def show_error(self, text: str) -> None:
        show_error(self, text)

    def take_focus(self) -> None:
        self.area.focus()


def field_for(spec: FieldSpec) -> LineField | TickField | TextField:
    match spec.kind:
        case FieldKind.TICK:
            return TickField(spec)
        case FieldKind.TEXT:
            return TextField(spec)
        case _:
            return LineField(spec)
