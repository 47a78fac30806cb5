"""Dialogs as functions. Each waits for a person, so call them from a worker: `await confirm(app, …)`."""

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.timer import Timer
from textual.widgets import Button, Input, Label, OptionList
from textual.widgets.button import ButtonVariant

from lms_tui.tui.modal import KeyedModal, Keys
from lms_tui.views.error_messages import error_message
from lms_tui.views.sign_in import waiting_words
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

Result = TypeVar("Result")


async def confirm(
    app: App[Any], title: str, body: str, *, yes: str = "Yes", no: str = "Cancel", danger: bool = False
) -> bool:
    """Ask a question and return whether the answer is yes. With `danger`, the button `no` has the focus."""
    answer = await app.push_screen_wait(_Choice(title, body, yes=yes, no=no, danger=danger))
    return answer is True


class Answer(Enum):
    NO = "no"
    YES = "yes"
    OTHER = "other"


async def ask(
    app: App[Any],
    title: str,
    body: str,
    *,
    counts: Sequence[tuple[int, str]],
    yes: str,
    no: str,
    other: str,
    other_key: str,
) -> Answer:
    """Ask a question with three answers. The button `no` has the focus, and `other_key` gives the third answer.

    `counts`: numbers with their labels, shown above the text.
    """
    choice = _Choice(title, body, counts=counts, yes=yes, no=no, danger=True, other=other, other_key=other_key)
    answer = await app.push_screen_wait(choice)
    return Answer.OTHER if choice.other_chosen else Answer.YES if answer else Answer.NO


async def notice(app: App[Any], title: str, body: str, *, error: bool = False, unasked: bool = False) -> None:
    """Show a message until it is closed.

    With `unasked`, the dialog opens while a person may be typing. It takes no key until they have paused.
    """
    await app.push_screen_wait(_Choice(title, body, yes="OK", danger=error, unasked=unasked))


async def ask_text(
    app: App[Any],
    title: str,
    body: str,
    *,
    value: str = "",
    begun: str = "",
    placeholder: str = "",
    check: Callable[[str], str] = lambda _: "",
) -> str | None:
    """Ask for one line of text and return it, or None when cancelled. `check` returns the fault of a text, or "".

    A key replaces `value`, which is selected. It continues `begun`, which the person has typed already.
    """
    line = LineDialog(title, body, value=begun or value, placeholder=placeholder, check=check, selected=not begun)
    return await app.push_screen_wait(line)


async def choose(app: App[Any], title: str, options: Sequence[str], *, chosen: int = 0) -> int | None:
    """Ask for one of several options and return its index, or None when cancelled."""
    return await app.push_screen_wait(_Pick(title, options, chosen))


async def sign_in_again(app: App[Any], lms: "Lms", *, in_exam: bool = False) -> bool:
    """Ask for the password of the signed-in user and return whether they are signed in again."""
    known = await app.push_screen_wait(_SignInAgain(lms, in_exam=in_exam))
    return known is True


@contextlib.asynccontextmanager
async def waiting(app: App[Any], text: str, on_cancel: Callable[[], None] | None = None) -> AsyncIterator[None]:
    """Show a line over the screen while the block runs. Escape calls `on_cancel`."""
    screen = _Waiting(text, on_cancel)
    await app.push_screen(screen)
    try:
        yield
    finally:
        with contextlib.suppress(Exception):  # the app may be closing
            if screen in app.screen_stack:
                while app.screen is not screen:
                    await app.pop_screen()
                await app.pop_screen()


PAUSE: Final = 0.6
"""Seconds without a key after which a dialog that opened unasked takes keys."""
_LOW = 18
"""Rows below which a dialog has no padding."""
_SLIM = 60
"""Columns below which three buttons stand close together."""
_CSS = """
_Dialog { align: center middle; }
_Dialog #box {
    width: 64; max-width: 96%; height: auto; max-height: 96%; background: $surface; border: round $border;
    border-title-color: $primary; border-title-style: bold; border-subtitle-color: $primary; padding: 1 2 0 2;
}
_Dialog.-danger #box { border: round $error; border-title-color: $error; }
_Dialog #body { height: auto; max-height: 100%; color: $text; scrollbar-size-vertical: 1; }
_Dialog #body Label { width: 100%; }
_Dialog #body .counts { margin-bottom: 1; }
_Dialog #error { width: 100%; height: auto; color: $text-error; margin-top: 1; display: none; }
_Dialog #error.-shown { display: block; }
_Dialog OptionList { height: auto; max-height: 16; background: $surface; border: none; padding: 0; }
_Dialog Input { margin-top: 1; border: none; height: 1; padding: 0 1; background: $panel; }
_Dialog Input:focus { border: none; background: $block-cursor-blurred-background; }
_Dialog #buttons { height: auto; align-horizontal: right; margin: 1 0; }
_Dialog.-low #box { padding: 0 1; max-height: 100%; }
_Dialog.-low #buttons { margin: 0; }
_Dialog.-low Input, _Dialog.-low #error { margin-top: 0; }
_Dialog Button { margin-left: 2; min-width: 12; }
_Dialog #buttons Button:focus { background: $foreground; color: $background; text-style: bold; }
_Dialog.-slim Button { min-width: 0; margin-left: 0; }
_Dialog.-no-buttons #buttons { display: none; }
"""


def _table(counts: Sequence[tuple[int, str]]) -> Table:
    """Return numbers and labels in two columns. A long label is wrapped in its own."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=5)
    table.add_column()
    for count, label in counts:
        table.add_row(str(count), Text(label))
    return table


class _Body(VerticalScroll, can_focus=False):
    """The text of a dialog. The border of its box says how many rows are hidden above and below."""

    def on_mount(self) -> None:
        self.watch(self, "scroll_y", self._tell_hidden, init=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell_hidden)

    def _tell_hidden(self) -> None:
        if isinstance(box := self.parent, Vertical):
            above, below = round(self.scroll_y), round(self.max_scroll_y - self.scroll_y)
            parts = [f"▲ {above} above"] * bool(above) + [f"▼ {below} more"] * bool(below)
            box.border_subtitle = Content("  ".join(parts))


class _Dialog(KeyedModal[Result | None], Generic[Result]):
    """A box with a title, a text, fields and buttons."""

    DEFAULT_CSS = _CSS
    KEYS: ClassVar[Keys] = (
        ("enter", "Press the selected button, or take the text"),
        ("tab · ← · →", "Select the next or previous button"),
        ("↓ · ↑", "Scroll the text"),
        ("esc", "Close without a change"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
        Binding("down,pagedown", "read(1)", show=False),
        Binding("up,pageup", "read(-1)", show=False),
    ]

    YIELDS: ClassVar[str] = "#body"
    """The part that scrolls where the window is too low."""

    def __init__(self, title: str, body: str, counts: Sequence[tuple[int, str]] = ()) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._counts = counts

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = Content(self._title)
            with _Body(id="body"):
                if self._counts:
                    yield Label(_table(self._counts), classes="counts")
                yield Label(Content(self._body))
            yield from self.fields()
            yield Label("", id="error", markup=False)
            with Horizontal(id="buttons"):
                yield from self.buttons()

    def fields(self) -> ComposeResult:
        yield from ()

    def buttons(self) -> ComposeResult:
        yield from ()

    def on_resize(self) -> None:
        """Fit the dialog to the window, so fields and buttons stay visible."""
        self.set_class(self.size.height < _LOW, "-low")
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Give the part that yields the rows that all others leave."""
        parts, boxes = self.query(self.YIELDS), self.query("#box")
        if not parts or not boxes:  # the dialog is being closed
            return
        part, box = parts.first(), boxes.first()
        rest = box.outer_size.height - box.scrollable_content_region.height
        rest += sum(child.outer_size.height + child.styles.margin.height for child in box.children if child is not part)
        part.styles.max_height = max(1, self.size.height - rest)

    def action_read(self, rows: int) -> None:
        self.query_one(_Body).scroll_relative(y=rows * 3, animate=False)

    def show_error(self, text: str) -> None:
        label = self.query_one("#error", Label)
        label.update(Content(text))
        label.set_class(bool(text), "-shown")

    def action_cancel(self) -> None:
        self.dismiss(None)


class _Choice(_Dialog[bool]):
    KEYS: ClassVar[Keys] = (*_Dialog.KEYS[:-1], ("y", "Answer yes"), ("esc · n", "Close without a change"))
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "yes", show=False),
        Binding("n", "cancel", show=False),
    ]

    def __init__(
        self,
        title: str,
        body: str,
        *,
        yes: str,
        no: str = "",
        danger: bool = False,
        unasked: bool = False,
        counts: Sequence[tuple[int, str]] = (),
        other: str = "",
        other_key: str = "",
    ) -> None:
        super().__init__(title, body, counts)
        self._other = other
        self._other_key = other_key
        self.other_chosen = False
        self._pause: Timer | None = None
        self._held = unasked
        self._yes = yes
        self._no = no
        self._danger = danger
        self.set_class(danger, "-danger")

    def buttons(self) -> ComposeResult:
        if self._other:
            yield Button(self._other_label, id="other", compact=True)
        if self._no:
            yield Button(Content(self._no), id="no", compact=True)
        variant: ButtonVariant = "error" if self._danger and self._no else "primary"
        yield Button(Content(self._yes), id="yes", variant=variant, compact=True, disabled=self._held)

    @property
    def _other_label(self) -> Content:
        """The third answer, with its key where three buttons have room."""
        return Content(f"{self._other} ({self._other_key})" if self.app.size.width >= _SLIM else self._other)

    def on_resize(self) -> None:
        self.set_class(bool(self._other) and self.app.size.width < _SLIM, "-slim")
        for button in self.query("#other").results(Button):  # there is no button before the dialog is composed
            button.label = self._other_label
        super().on_resize()

    def on_mount(self) -> None:
        if self._held:
            self._pause = self.set_timer(PAUSE, self._take_keys)
        else:
            self.query_one("#no" if self._danger and self._no else "#yes").focus()

    def _take_keys(self) -> None:
        self._held = False
        yes = self.query_one("#yes", Button)
        yes.disabled = False
        yes.focus()

    def on_key(self, event: Key) -> None:
        """Drop keys that were typed for the screen below."""
        if self._held and self._pause is not None:
            event.stop()
            event.prevent_default()
            self._pause.reset()
        elif self._other_key and event.key == self._other_key:
            event.stop()
            self._choose_other()

    @on(Button.Pressed, "#yes")
    def action_yes(self) -> None:
        self.dismiss(True)

    @on(Button.Pressed, "#no")
    def _refuse(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#other")
    def _choose_other(self) -> None:
        self.other_chosen = True
        self.dismiss(None)


class LineDialog(_Dialog[str]):
    """Asks for one line of text. `check` returns the fault of a text, or ""."""

    def __init__(
        self, title: str, body: str, *, value: str, placeholder: str, check: Callable[[str], str], selected: bool
    ) -> None:
        super().__init__(title, body)
        self._value = value
        self._selected = selected
        self._placeholder = placeholder
        self._check = check

    def fields(self) -> ComposeResult:
        yield Input(self._value, placeholder=self._placeholder, compact=True, select_on_focus=self._selected)

    def buttons(self) -> ComposeResult:
        yield Button("Cancel", id="no", compact=True)
        yield Button("OK", id="yes", variant="primary", compact=True)

    @on(Button.Pressed, "#no")
    def _refuse(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#yes")
    @on(Input.Submitted)
    def _submit(self) -> None:
        self.take(self.query_one(Input).value.strip())

    def take(self, text: str) -> None:
        """Close the dialog with a text, or show its fault."""
        self.finish(text, self._check(text))

    def finish(self, text: str, fault: str) -> None:
        if fault:
            self.show_error(fault)
        else:
            self.dismiss(text)


class _Options(OptionList):
    def on_resize(self) -> None:
        self.scroll_to_highlight()


class _Pick(_Dialog[int]):
    KEYS: ClassVar[Keys] = (
        ("↓ · ↑", "Select"),
        ("enter", "Take what is selected"),
        ("tab", "Change between the list and the button"),
        ("esc", "Close without a change"),
    )
    YIELDS = "_Options"

    def __init__(self, title: str, options: Sequence[str], chosen: int) -> None:
        super().__init__(title, "")
        self._options = options
        self._chosen = chosen

    def fields(self) -> ComposeResult:
        yield _Options(*(Content(option) for option in self._options), compact=True, markup=False)

    def buttons(self) -> ComposeResult:
        yield Button("Cancel", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#body").display = False
        options = self.query_one(OptionList)
        options.highlighted = self._chosen
        options.focus()

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)

    @on(Button.Pressed, "#no")
    def _refuse(self) -> None:
        self.dismiss(None)


class _SignInAgain(_Dialog[bool]):
    def __init__(self, lms: "Lms", *, in_exam: bool) -> None:
        exam = "\nYour answers are saved on this computer. The clock keeps running." if in_exam else ""
        super().__init__("Sign in again", f"Your sign-in has expired. Type your password to continue.{exam}")
        self._lms = lms

    def fields(self) -> ComposeResult:
        yield Input(placeholder="password", password=True, compact=True)

    def buttons(self) -> ComposeResult:
        yield Button("Later", id="no", compact=True)
        yield Button("Sign in", id="yes", variant="primary", compact=True)

    @on(Button.Pressed, "#no")
    def _later(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#yes")
    @on(Input.Submitted)
    def _ask(self) -> None:
        self.run_worker(self._sign_in(), name="sign in again", group="sign in again", exclusive=True)

    async def _sign_in(self) -> None:
        field = self.query_one(Input)
        if not field.value:
            self.show_error("Type your password.")
            return
        field.disabled = True
        self.show_error("")
        try:
            await self._lms.sign_in_again(field.value, lambda wait: self.show_error(waiting_words(wait)))
        except ApiError as error:
            field.disabled = False
            field.focus()
            self.show_error(error_message(error).text)
        else:
            self.dismiss(True)


class _Waiting(_Dialog[None]):
    KEYS: ClassVar[Keys] = ()

    def __init__(self, text: str, on_cancel: Callable[[], None] | None) -> None:
        super().__init__("Please wait", text + ("\nPress esc to stop waiting." if on_cancel else ""))
        self._on_cancel = on_cancel

    def action_cancel(self) -> None:
        if self._on_cancel is not None:
            self._on_cancel()
