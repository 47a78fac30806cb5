"""The sign-in screen: practice on this computer, a profile, or another server. Imports little besides Textual."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from lms_tui.common.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import SignedIn
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.ports import SessionProvider, UserSession

if TYPE_CHECKING:
    from lms_tui.common.settings import Profile
    from lms_tui.tui.screens.sign_in.form import SignInForm

Entrance = Callable[[], Awaitable[UserSession | None]]


class SignInScreen(CommandScreen[None]):
    """With `automatic`, sign in with the saved token of the last profile."""

    WHERE = Where.SIGN_IN
    # Breakpoints would style every widget a second time and delay the first paint.
    HORIZONTAL_BREAKPOINTS = []  # noqa: RUF012 - Textual's own type for it
    VERTICAL_BREAKPOINTS = []  # noqa: RUF012 - Textual's own type for it
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("escape", "give_up", show=False)]

    def __init__(self, session_provider: SessionProvider, *, automatic: bool = True) -> None:
        super().__init__()
        self._session_provider = session_provider
        self._automatic = automatic
        self._profiles: tuple[Profile, ...] = ()
        self._form: SignInForm | None = None
        self._status: Static | None = None

    def compose(self) -> ComposeResult:
        self._profiles = self._session_provider.profiles()
        yield TopLine("Sign in")
        with VerticalScroll(id="card", can_focus=False) as card:
            card.border_title = "Real timed exams in the terminal"
            yield OptionList(*self._entries(), id="entrances", compact=True, markup=False)
        yield self._bar()

    def _bar(self) -> CommandBar:
        bar = self.command_bar()
        bar.hide(*self._of_no_use)
        return bar

    @property
    def _of_no_use(self) -> tuple[str, ...]:
        """Commands that do nothing in the list."""
        return ("sign_in", "use_token", *(() if self._profiles else ("remove_profile",)))

    def _entries(self) -> list[Option]:
        practice = _entry("Practice on this computer", "a demo institute, no account needed")
        known = [
            Option(_entry(clean_line(profile.username) or "token", clean_line(profile.base_url)), id=f"profile-{place}")
            for place, profile in enumerate(self._profiles)
        ]
        return [
            Option(practice, id="practice"),
            *known,
            Option(_entry("Another server", "your institute's address, user name and password"), id="other"),
        ]

    def on_mount(self) -> None:
        entrances = self.query_one(OptionList)
        entrances.highlighted = 0
        entrances.focus()
        if self._profiles and self._automatic:
            entrances.highlighted = 1
            # After the first paint, because the client takes longer to import than this screen.
            self.call_after_refresh(self._resume, self._profiles[0], quietly=True)

    # Entering.

    @on(OptionList.OptionSelected, "#entrances")
    async def _choose(self, event: OptionList.OptionSelected) -> None:
        identity = event.option_id or ""
        if identity == "practice":
            entrance = partial(self._session_provider.practice, on_step=lambda step: self.say(f"{step} …"))
            self._enter(entrance, "Starting the practice service …")
        elif identity.startswith("profile-"):
            self._resume(self._profiles[int(identity.removeprefix("profile-"))])
        else:
            await self._show_form(None)

    def _resume(self, profile: "Profile", *, quietly: bool = False) -> None:
        """Try the saved token. Ask for the password when there is none or it has expired."""

        async def entrance() -> UserSession | None:
            session = await self._session_provider.resume(profile)
            if session is None:
                await self._show_form(profile)
                if not quietly:
                    self.say("Type your password to sign in.")
            return session

        self._enter(entrance, f"Signing in as {clean_line(profile.username)} …")

    def _enter(self, entrance: Entrance, text: str) -> None:
        self.say(text)
        self.run_worker(self._go(entrance), name="sign in", group="sign in", exclusive=True)

    async def _go(self, entrance: Entrance) -> None:
        from lms_tui.views.error_messages import error_message  # noqa: PLC0415 - needed when something was asked
        from lms_tui.wire.errors import ApiError  # noqa: PLC0415 - the same

        self.set_class(True, "-busy")
        try:
            session = await entrance()
        except ApiError as error:
            told = error_message(error)
            if self._form is not None:
                self._form.complain(error)
            self.say(f"! {told.what}\n  {told.advice}", wrong=True)
        else:
            if session is not None:
                await self._forget()
                self.post_message(SignedIn(session))
        finally:
            self.set_class(False, "-busy")

    def _tell_wait(self, seconds: float) -> None:
        from lms_tui.views.sign_in import waiting_words  # noqa: PLC0415 - needed when a server is busy

        self.say(waiting_words(seconds))

    async def _forget(self) -> None:
        """Remove the form, because this screen stays below the others and must not keep a password."""
        if self._form is not None:
            form, self._form = self._form, None
            await form.remove()
        self._leave_form()

    def say(self, text: str, *, wrong: bool = False) -> None:
        """Show a message below the form."""
        if self._status is None:
            if not text:
                return
            self._status = Static("", id="status", markup=False)
            self.query_one("#card").mount(self._status)
        self._status.update(Content(text))
        self._status.set_class(wrong, "error")
        self._status.display = bool(text)

    # The form.

    async def _show_form(self, profile: "Profile | None") -> None:
        """Show the form, which keeps its texts."""
        from lms_tui.tui.screens.sign_in.form import SignInForm  # noqa: PLC0415 - the first paint does without

        if self._form is None:
            self._form = SignInForm()
            await self.query_one("#card").mount(self._form, after="#entrances")
        self.say("")
        self._form.display = True
        self._form.begin(profile)
        bar = self.query_one(CommandBar)
        bar.hide("remove_profile")
        bar.show_beside_text(beside_text=True)

    def _leave_form(self) -> None:
        if self._form is not None:
            self._form.display = False
        bar = self.query_one(CommandBar)
        bar.hide(*self._of_no_use)
        bar.show_beside_text(beside_text=False)
        self.say("")
        self.query_one(OptionList).focus()

    def action_give_up(self) -> None:
        self.workers.cancel_group(self, "sign in")
        self._leave_form()

    def action_remove_profile(self) -> None:
        entrances = self.query_one(OptionList)
        option = entrances.highlighted_option
        identity = (option.id if option is not None else "") or ""
        if self.focused is not entrances or not identity.startswith("profile-"):
            self.say("Select a server and user in the list first." if self._profiles else "")
            return
        profile = self._profiles[int(identity.removeprefix("profile-"))]
        self.run_worker(self._remove(profile), name="remove a profile", group="sign in", exclusive=True)

    async def _remove(self, profile: "Profile") -> None:
        from lms_tui.tui import dialogs  # noqa: PLC0415 - the first paint does without
        from lms_tui.views.error_messages import error_message  # noqa: PLC0415 - the same
        from lms_tui.wire.errors import ApiError  # noqa: PLC0415 - the same

        whose = f"{clean_line(profile.username) or 'token'} at {clean_line(profile.base_url)}"
        body = "Its saved token is removed too, and you need the password next time. Saved answers are kept."
        if not await dialogs.confirm(self.app, f"Remove {whose}?", body, yes="Remove", danger=True):
            return
        try:
            await self._session_provider.remove(profile)
        except ApiError as error:
            self.say(f"! {error_message(error).text}", wrong=True)
            return
        self._profiles = self._session_provider.profiles()
        entrances = self.query_one(OptionList)
        place = entrances.highlighted or 0
        entrances.clear_options().add_options(self._entries())
        entrances.highlighted = min(place, len(self._profiles))
        self._leave_form()
        self.say(f"Removed {whose}.")

    def action_use_token(self) -> None:
        if self._form is not None and self._form.display:
            self._form.toggle_token()

    def action_sign_in(self) -> None:
        if self._form is None or not self._form.display:
            self.query_one(OptionList).action_select()
            return
        if (filled := self._form.filled_in()) is None:
            self.say("")
            return
        session_provider = self._session_provider

        async def entrance() -> UserSession:
            if filled.token:
                return await session_provider.sign_in_with_token(filled.server, filled.token, keep=filled.keep)
            return await session_provider.sign_in(
                filled.server, filled.username, filled.password, keep=filled.keep, on_wait=self._tell_wait
            )

        self._enter(entrance, "Signing in …")


def _entry(title: str, detail: str) -> Content:
    return Content.assemble((title, "bold"), "\n", (f"  {detail}", "$text-muted"))
