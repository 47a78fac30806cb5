"""The form for another server. It keeps its texts until the screen is closed."""

from typing import TYPE_CHECKING, Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Button, Checkbox, Input

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.tui.widgets.form import Field, Tick
from lms_tui.views.error_messages import field_words

if TYPE_CHECKING:
    from lms_tui.common.settings import Profile


_TALL: Final = 30
"""Rows of a terminal from which blank lines separate the fields."""


@frozen
class FilledIn:
    """`token` is "" when a user name and a password are given."""

    server: str
    username: str
    password: str
    token: str
    keep: bool


class SignInForm(Vertical):
    # Not in the style sheet of the screen, because the first paint waits for that.
    DEFAULT_CSS = """
    SignInForm { height: auto; margin-top: 1; border-top: solid $border-blurred; }
    SignInForm Checkbox { border: none; padding: 0; height: 1; background: $background; margin-left: 12; }
    SignInForm Checkbox:focus { border: none; }
    SignInForm #go { margin: 1 0 0 12; }
    SignInForm.-tall { padding-top: 1; }
    SignInForm.-tall Field { margin-bottom: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._by_token = False
        self._server = Field("Server", placeholder="https://lms.example.org", field_id="server")
        self._username = Field("User name", field_id="username")
        self._password = Field("Password", secret=True, field_id="password")
        self._token = Field("Token", placeholder="paste the token", secret=True, field_id="token")

    def compose(self) -> ComposeResult:
        yield self._server
        yield self._username
        yield self._password
        yield self._token
        yield Tick("Keep me signed in on this computer", id="keep", compact=True)
        yield Button("Sign in", id="go", variant="primary", compact=True)

    def on_mount(self) -> None:
        self._token.display = False
        self.set_class(self.screen.size.height >= _TALL, "-tall")

    def begin(self, profile: "Profile | None") -> None:
        """Fill in the profile and focus the first empty field."""
        if profile is not None:
            self._server.input.value = clean_line(profile.base_url)
            self._username.input.value = clean_line(profile.username)
            self._password.input.value = ""
        fields = [self._server, *([self._token] if self._by_token else [self._username, self._password])]
        next((field for field in fields if not field.value), fields[0]).input.focus()

    def toggle_token(self) -> None:
        self._by_token = not self._by_token
        self._token.display = self._by_token
        self._username.display = self._password.display = not self._by_token
        (self._token if self._by_token else self._username).input.focus()

    def filled_in(self) -> FilledIn | None:
        """Return the values, or None with messages at the empty fields."""
        needed = {self._server: "Type the server's address."}
        if self._by_token:
            needed[self._token] = "Paste the token."
        else:
            needed |= {self._username: "Type your user name.", self._password: "Type your password."}
        missing = [field for field in needed if not field.value.strip()]
        for field, text in needed.items():
            field.show_error(text if field in missing else "")
        if missing:
            missing[0].input.focus()
            return None
        return FilledIn(
            self._server.value.strip(),
            self._username.value.strip(),
            self._password.value,
            self._token.value.strip() if self._by_token else "",
            self.query_one("#keep", Checkbox).value,
        )

    def complain(self, error: Exception) -> None:
        """Show the service's messages at their fields."""
        wrong = field_words(error, ("username", "password", "token", "base_url"))
        for name, field in {
            "base_url": self._server,
            "username": self._username,
            "password": self._password,
            "token": self._token,
        }.items():
            field.show_error(wrong.get(name, ""))
        if wrong and not self._by_token:
            self._password.input.focus()

    @on(Input.Submitted)
    async def _submit(self, event: Input.Submitted) -> None:
        """Move to the next empty field, or sign in when there is none."""
        fields = [self._server, *([self._token] if self._by_token else [self._username, self._password])]
        empty = [field for field in fields if not field.value.strip() and field.input is not event.input]
        if empty:
            empty[0].input.focus()
        else:
            await self.screen.run_action("sign_in")

    @on(Button.Pressed, "#go")
    async def _go(self) -> None:
        await self.screen.run_action("sign_in")
