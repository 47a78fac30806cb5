"""The screen of every form. It shows the errors of the server at their fields, and asks before it discards changes."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.resource.fields import Entered, field_for
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.error_messages import error_message
from lms_tui.views.forms import FieldSpec, Values, assign_errors, changed, wrong_fields
from lms_tui.wire.errors import ApiError, Invalid, SignInNeeded, Unreachable

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

Result = TypeVar("Result")
Save = Callable[[Values], Awaitable[Result]]
"""Sends the values. Raises ApiError, whose field errors the form shows at the fields."""


class FormScreen(CommandScreen[Result | None], Generic[Result]):
    """Dismisses with the result of `save`, None if nothing was saved. `note`: a sentence above the fields."""

    WHERE = Where.FORM
    CSS_PATH = str(Path(__file__).with_name("form.tcss"))
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("ctrl+q,f8", "cancel", show=False)]

    def __init__(
        self, lms: "Lms", title: str, specs: Sequence[FieldSpec], save: Save[Result], *, note: str = ""
    ) -> None:
        super().__init__()
        self._lms = lms
        self._title = title
        self._note = note
        self._specs = tuple(specs)
        self._save = save
        self._fields: dict[str, Entered] = {}
        self._busy = False

    def compose(self) -> ComposeResult:
        yield TopLine(self._title)
        with VerticalScroll(id="page", can_focus=False):
            yield Static(Content(self._note), id="note")
            for spec in self._specs:
                self._fields[spec.name] = field = field_for(spec)
                yield field
        yield Static("", id="status")
        bar = self.command_bar()
        bar.show_beside_text(beside_text=True)
        yield bar

    def on_mount(self) -> None:
        self.query_one("#note").display = bool(self._note)
        self.query_one("#status").display = False
        next(iter(self._fields.values())).take_focus()

    @property
    def values(self) -> dict[str, str]:
        return {name: field.text for name, field in self._fields.items()}

    @property
    def unsaved(self) -> bool:
        """Whether there are unsaved changes. The app does not quit then."""
        return bool(self._fields) and bool(changed(self._specs, self.values))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        status = self.query_one("#status", Static)
        status.update(Content(text))
        status.display = bool(text)
        status.set_class(wrong, "error")

    @on(Input.Submitted)
    def _next_field(self) -> None:
        """Move to the next field. From the last field, save."""
        order = [node for node in self.focus_chain if node.id]
        place = order.index(self.focused) if self.focused in order else -1
        if 0 <= place < len(order) - 1:
            order[place + 1].focus()
        else:
            self.action_save()

    def action_save(self) -> None:
        if not self._busy:
            self._send()

    @work(name="save", group="save")
    async def _send(self) -> None:
        values = self.values
        if not self._show_errors(wrong_fields(self._specs, values)):
            self._say("Not saved. Correct the marked fields.", wrong=True)
            return
        self._busy = True
        self._say("Saving …")
        try:
            saved = await self._save(values)
        except SignInNeeded as error:
            self._busy = False
            if await dialogs.sign_in_again(self.app, self._lms):
                self._send()
            else:
                self._say(f"! {error_message(error).what} Your changes are kept in the form.", wrong=True)
        except ApiError as error:
            self._refused(error)
        else:
            self.dismiss(saved)
        finally:
            self._busy = False

    def _refused(self, error: ApiError) -> None:
        message = error_message(error)
        if isinstance(error, Invalid):
            found, text = assign_errors(self._specs, error.fields)
            self._show_errors(found)
            self._say(f"! {text or message.what} Not saved.", wrong=True)
        elif isinstance(error, Unreachable):
            self._say(f"! {message.what} It may have been saved. Press ctrl+s to send it again.", wrong=True)
        else:
            self._say(f"! {message.text}", wrong=True)

    def _show_errors(self, found: dict[str, str]) -> bool:
        """Show errors at these fields only. Returns True if there are none."""
        for name, field in self._fields.items():
            field.show_error(found.get(name, ""))
        first = next((name for name in self._fields if name in found), None)
        if first is not None:
            self._fields[first].take_focus()
            # The error line below the field gets its rows with the next layout.
            self.call_after_refresh(self._fields[first].scroll_visible, animate=False)
        return first is None

    @work(name="cancel", group="cancel", exclusive=True)
    async def action_cancel(self) -> None:
        if self.unsaved and not await dialogs.confirm(
            self.app,
            "Leave without saving?",
            "Your changes are not saved and will be lost.",
            yes="Leave",
            no="Stay",
            danger=True,
        ):
            return
        self.dismiss(None)
