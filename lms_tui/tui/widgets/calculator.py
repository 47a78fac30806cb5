"""The calculator: earlier calculations, a line to type in, and a pad for the mouse."""

from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from lms_tui.common.calculator import LONGEST, CalculatorError, Scope
from lms_tui.tui.widgets.answer_editor import takes
from lms_tui.tui.widgets.drawn import Drawn, Piece, cells, entry_at
from lms_tui.views.answers import pasted
from lms_tui.views.calculations import Calculations
from lms_tui.views.rows import fitted

_SCIENTIFIC: Final = (
    ("sin", "cos", "tan", "ln", "log", "exp"),
    ("asin", "acos", "atan", "√", "^", "!"),
    ("7", "8", "9", "÷", "(", ")"),
    ("4", "5", "6", "×", "π", "nCr"),
    ("1", "2", "3", "−", "e", "nPr"),
    ("0", ".", "%", "+", "ans", "="),
)
_BASIC: Final = (
    ("7", "8", "9", "÷", "(", ")"),
    ("4", "5", "6", "×", "√", "%"),
    ("1", "2", "3", "−", "ans", "del"),
    ("0", ".", "+", "="),
)
_TYPED: Final = {"÷": "/", "×": "*", "−": "-", "√": "sqrt(", "π": "pi"}
"""The characters that a key of the pad types, where they differ from its label."""
_CALLED: Final = frozenset({"sin", "cos", "tan", "asin", "acos", "atan", "ln", "log", "exp"})
_INFIX: Final = frozenset({"nCr", "nPr"})
_PLAIN: Final = {"÷": "/", "×": "*", "−": "-", "√": "sqrt", "π": "pi"}
_BELOW: Final = ("del", "clear", "answer", "close")


class _Line(Input):
    """Handles the keys of the calculator itself. A binding would be too late for keys that follow at once."""

    def __init__(self, pressed: Callable[[str], bool]) -> None:
        super().__init__(id="expression", compact=True, select_on_focus=False, max_length=LONGEST)
        self._pressed = pressed

    async def _on_key(self, event: events.Key) -> None:
        if not takes(self, event):
            return
        if self._pressed(event.key):
            event.stop()
        else:
            await super()._on_key(event)

    def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        self.insert_text_at_cursor(pasted(event.text, lines=False)[:LONGEST])


class _Tape(Drawn):
    """The calculations before, the newest at the bottom, or why the last one has no result."""

    def __init__(self, recall: Callable[[str], None]) -> None:
        super().__init__(id="tape")
        self._recall = recall
        self._sums = Calculations()
        self._error = ""
        self._back = 0
        """Newest calculations that are below the window."""

    def show(self, sums: Calculations, error: str) -> None:
        self._sums, self._error, self._back = sums, error, 0
        self.redraw()

    def _place(self, y: int) -> int:
        """Return the index of the calculation in a row. The last rows say what is wrong."""
        return len(self._sums.done) - self._back - self._room + y

    @property
    def _room(self) -> int:
        """The rows for calculations."""
        return self.size.height - len(self._wrong())

    def _wrong(self) -> list[str]:
        return wrap(self._error, max(1, self.size.width))

    def draw(self, y: int) -> Sequence[Piece]:
        looks, width = self.looks, self.size.width
        wrong = self._wrong()
        if (line := y - self.size.height + len(wrong)) >= 0:
            return ((wrong[line], looks["warning"]),)
        place = self._place(y)
        if not 0 <= place < len(self._sums.done):
            return ()
        each = self._sums.done[place]
        result = f" = {each.result}"
        expression = fitted(each.expression, max(1, width - len(result)))
        gap = max(0, width - cells([(expression + result, looks["dim"])]))
        return ((expression, looks["dim"]), (" " * gap + result, looks["base"]))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._scroll(1)
        event.stop()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._scroll(-1)
        event.stop()

    def _scroll(self, rows: int) -> None:
        self._back = max(0, min(self._back + rows, len(self._sums.done) - self._room))
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        place = self._place(event.y)
        if 0 <= place < len(self._sums.done) and event.y < self._room:
            self._recall(self._sums.done[place].expression)


class _Pad(Drawn):
    """Keys for the mouse in rows of equal cells, and a row of commands."""

    def __init__(self, pressed: Callable[[str], None]) -> None:
        super().__init__(id="pad")
        self._pressed = pressed
        self._keys: tuple[tuple[str, ...], ...] = ()
        self._below: tuple[str, ...] = ()

    def show(self, scope: Scope, unit: str) -> None:
        scientific = scope is Scope.SCIENTIFIC
        self._keys = _SCIENTIFIC if scientific else _BASIC
        self._below = (_BELOW[0], unit[:3], *_BELOW[1:]) if scientific else _BELOW[1:]
        self.styles.height = len(self._keys) + 1
        self.redraw()

    @property
    def _step(self) -> int:
        return max(1, self.size.width // 6)

    def draw(self, y: int) -> Sequence[Piece]:
        looks = self.looks
        if y == len(self._keys):
            return ((" ", looks["base"]), ("  ".join(self._below), looks["accent"]))
        if y > len(self._keys):
            return ()
        step = self._step
        named = (_PLAIN.get(key, key) if looks.plain else key for key in self._keys[y])
        return tuple((key.center(step), looks["title" if key == "=" else "base"]) for key in named)

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if event.y == len(self._keys):
            pressed = entry_at(" " + "  ".join(self._below), event.x, self._below)
        else:
            row_keys, column = self._keys[event.y], event.x // self._step
            pressed = row_keys[column] if column < len(row_keys) else ""
        if pressed:
            self._pressed(pressed)


class CalculatorView(Vertical):
    """Shows calculations and takes lines. `Changed` and `Asked` tell its owner what a person did."""

    class Changed(Message):
        """There is another result, or another unit of angles."""

        def __init__(self, sums: Calculations) -> None:
            super().__init__()
            self.sums = sums

    class Asked(Message):
        """`wish` is `answer` to use the result, `question` to leave the field, or `close`."""

        def __init__(self, wish: str) -> None:
            super().__init__()
            self.wish = wish

    DEFAULT_CSS = """
    CalculatorView {
        border: round $border-blurred; border-title-color: $text-muted; background: $background;
        border-subtitle-color: $text-muted; padding: 0;
        &:focus-within { border: round $primary; border-title-color: $primary; }
        &.-plain { border: ascii $border-blurred; }
        &.-plain:focus-within { border: ascii $primary; }
        & #tape { height: 1fr; min-height: 2; }
        & _Line { border: none; height: 1; padding: 0; background: $panel; }
        & _Line:focus { border: none; background-tint: $foreground 0%; }
    }
    """

    def __init__(self, sums: Calculations, scope: Scope, *, plain: bool = False) -> None:
        super().__init__(id="calculator")
        self.set_class(plain, "-plain")
        self._sums = sums
        self._scope = scope
        self._tape = _Tape(self._recall)
        self._line = _Line(self._key)
        self._pad = _Pad(self._press)
        self._earlier = 0
        """Steps back in the calculations before, 0 for a new line."""

    def compose(self) -> ComposeResult:
        self._line.cursor_blink = self.app.animation_level != "none"
        yield self._tape
        yield self._line
        yield self._pad

    def on_mount(self) -> None:
        self.border_title = "Calculator" if self._scope is Scope.SCIENTIFIC else "Basic calculator"
        self._show()

    def on_resize(self) -> None:
        self._pad.display = self.size.height >= len(_SCIENTIFIC) + 4

    @property
    def active(self) -> bool:
        """Whether keys are typed into the calculator."""
        return self.is_attached and self.screen.focused is self._line

    def enter(self) -> None:
        """Take the keys from now on."""
        self.screen.set_focus(self._line)

    def turn(self) -> None:
        """Switch between degrees and radians."""
        self._take(self._sums.turned())

    def _take(self, sums: Calculations) -> None:
        self._sums, self._earlier = sums, 0
        self._show()
        self.post_message(self.Changed(sums))

    def _show(self, error: str = "") -> None:
        self._tape.show(self._sums, error)
        self._pad.show(self._scope, self._sums.unit)
        self.border_subtitle = Content(self._sums.unit if self._scope is Scope.SCIENTIFIC else "")

    # Keys.

    def _key(self, key: str) -> bool:
        """Handle a key. Return False for one that the line takes."""
        match key:
            case "enter" | "equals_sign":
                self._calculate()
            case "up" | "down":
                self._go_back(1 if key == "up" else -1)
            case "tab" | "shift+tab":
                self.post_message(self.Asked("question"))
            case "escape":
                self.post_message(self.Asked("close"))
            case _:
                return False
        return True

    def _calculate(self) -> None:
        if not self._line.value.strip():
            return
        try:
            sums = self._sums.entered(self._line.value, self._scope)
        except CalculatorError as error:
            self._show(str(error))
            return
        self._line.value = ""
        self._take(sums)

    def _go_back(self, steps: int) -> None:
        """Put an earlier expression into the line."""
        done = self._sums.done
        self._earlier = max(0, min(self._earlier + steps, len(done)))
        self._recall(done[-self._earlier].expression if self._earlier else "")

    def _recall(self, expression: str) -> None:
        self._line.value = expression
        self._line.cursor_position = len(expression)
        self.enter()

    def _press(self, key: str) -> None:
        """Do what a key of the pad says."""
        line = self._line
        match key:
            case "=":
                self._calculate()
            case "del":
                line.action_delete_left()
            case "clear":
                line.value = ""
            case "deg" | "rad":
                self.turn()
            case "answer" | "close":
                self.post_message(self.Asked(key))
                return
            case _:
                call = f"{key}(" if key in _CALLED else f" {key} " if key in _INFIX else key
                line.insert_text_at_cursor(_TYPED.get(key, call))
        self.enter()
