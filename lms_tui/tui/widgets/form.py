"""A field of a form: a label, an input and a message below them."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Checkbox, Input, Label


class Field(Vertical):
    DEFAULT_CSS = """
    Field { height: auto; }
    Field > Horizontal { height: 1; }
    Field .label { width: 12; color: $text-muted; }
    Field Input { width: 1fr; height: 1; border: none; padding: 0 1; background: $panel; }
    Field Input:focus { border: none; background: $block-cursor-blurred-background; }
    Field.-focused .label { color: $primary; text-style: bold; }
    Field .wrong { display: none; height: auto; padding-left: 12; color: $text-error; }
    Field.-wrong .wrong { display: block; }
    """

    def __init__(
        self, label: str, value: str = "", *, placeholder: str = "", secret: bool = False, field_id: str = ""
    ) -> None:
        super().__init__(id=f"field-{field_id}" if field_id else None)
        self._label = label
        self.input = Input(
            value, placeholder=placeholder, password=secret, compact=True, id=field_id or None, select_on_focus=False
        )

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Label(Content(self._label), classes="label")
            yield self.input
        yield Label("", classes="wrong", markup=False)

    @property
    def value(self) -> str:
        return self.input.value

    def on_descendant_focus(self) -> None:
        """Light the label. `:focus-within` would leave it lit, because Textual styles only the field again."""
        self.set_class(True, "-focused")

    def on_descendant_blur(self) -> None:
        self.set_class(False, "-focused")

    def show_error(self, text: str) -> None:
        """Show a message, or none with ""."""
        show_error(self, text)


def show_error(field: Widget, text: str) -> None:
    """Show a message in the label `.wrong` of a field, or none with ""."""
    field.query_one(".wrong", Label).update(Content(f"! {text}" if text else ""))
    field.set_class(bool(text), "-wrong")


class Tick(Checkbox):
    """A check box that shows its state by a sign, not only by a colour.

    The brackets belong to the inner text. Textual draws the sides in the colour of the background.
    """

    BUTTON_LEFT = ""
    BUTTON_RIGHT = ""
    DEFAULT_CSS = """
    Tick > .toggle--button, Tick.-on > .toggle--button { color: $foreground; background: $panel; text-style: bold; }
    """

    def watch_value(self) -> None:
        self._show_state()
        super().watch_value()

    def on_mount(self) -> None:
        self._show_state()

    def _show_state(self) -> None:
        self.BUTTON_INNER = "[✓]" if self.value else "[ ]"
