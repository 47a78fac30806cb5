"""Dialogs as functions. Each waits for a person, so call them from a worker: `await confirm(app, …)`."""

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.timer import Timer
from textual.widgets import Button, Input, OptionList
from textual.widgets.button import ButtonVariant

from lms_tui.tui.dialog_box import DialogBox
from lms_tui.tui.modal import Keys
from lms_tui.views.error_messages import error_message
from lms_tui.views.sign_in import waiting_words
from lms_tui.wire.errors import ApiError

if TYPE_CHECKING:
    from lms_tui.client.port import Lms


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
_SLIM = 60
"""Columns below which three buttons stand close together."""


class _Choice(DialogBox[bool]):
    KEYS: ClassVar[Keys] = (*DialogBox.KEYS[:-1], ("y", "Answer yes"), ("esc · n", "Close without a change"))
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


class LineDialog(DialogBox[str]):
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


class _Pick(DialogBox[int]):
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


class _SignInAgain(DialogBox[bool]):
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


class _Waiting(DialogBox[None]):
    KEYS: ClassVar[Keys] = ()

    def __init__(self, text: str, on_cancel: Callable[[], None] | None) -> None:
        super().__init__("Please wait", text + ("\nPress esc to stop waiting." if on_cancel else ""))
        self._on_cancel = on_cancel

    def action_cancel(self) -> None:
        if self._on_cancel is not None:
            self._on_cancel()
