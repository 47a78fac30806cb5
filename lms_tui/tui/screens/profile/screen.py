"""The own profile, which can be changed, and the public details of another user."""

import asyncio
import base64
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from lms_tui.content.images import Bitmap, decode
from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.screens.profile.ssh_keys import change_ssh_keys
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views import profile as present
from lms_tui.views.error_messages import error_message
from lms_tui.views.forms import Values, changed
from lms_tui.views.rows import Row
from lms_tui.wire.accounts import ProfileChanges
from lms_tui.wire.errors import ApiError, SignInNeeded
from lms_tui.wire.users import CurrentUser, UserSummary

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

_LARGEST_PHOTO: Final = 4 * 1024 * 1024
_KINDS: Final = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".webp": "webp", ".gif": "gif"}


class PersonScreen(CommandScreen[None]):
    """The public details of a user."""

    WHERE = Where.PERSON
    CSS_PATH = str(Path(__file__).with_name("screen.tcss"))
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME: ClassVar[str] = "User"

    def __init__(self, lms: "Lms", number: int = 0, *, badge: str = "") -> None:
        super().__init__()
        self._lms = lms
        self._number = number
        self._badge = badge

    def compose(self) -> ComposeResult:
        yield TopLine(self.NAME, "", self._badge)
        with VerticalScroll(id="page"):
            yield Card("Photo", glyphs=self.glyphs, id="photo")
            yield Card("Details", glyphs=self.glyphs, id="details")
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
        self.action_refresh()

    def action_refresh(self) -> None:
        self._details.say("Loading …")
        self.query_one("#photo").display = False
        self.load()

    def action_retry(self) -> None:
        self.action_refresh()

    async def fetch(self) -> UserSummary:
        return await self._lms.users.public(self._number)

    def rows(self, user: UserSummary, room: int) -> list[Row]:
        return present.person_rows(user, room)

    @work(name="user", group="user", exclusive=True)
    async def load(self) -> None:
        try:
            user = await self.fetch()
        except SignInNeeded as error:
            if await dialogs.sign_in_again(self.app, self._lms):
                self.action_refresh()
            else:
                self._fail(error)
            return
        except ApiError as error:
            self._fail(error)
            return
        self.loaded(user)
        self._details.show("Details", partial(self.rows, user))
        await self._show_photo(user)

    def loaded(self, user: UserSummary) -> None:
        """Called with the user before the details are shown."""

    @property
    def _details(self) -> Card:
        return self.query_one("#details", Card)

    def _fail(self, error: ApiError) -> None:
        message = error_message(error, retry=f"Press {self.key_of('refresh')} to try again.")
        self._details.say(f"! {message.text}", "bad")

    async def _show_photo(self, user: UserSummary) -> None:
        bitmap, why = None, "No photo."
        address = self._lms.pictures.locate(user.large_image or user.photo)
        if address is not None and address.host:
            why = f"The photo is on another server ({address.host}) and is not loaded."
        elif address is not None:
            try:
                photo = await self._lms.pictures.read(address, _LARGEST_PHOTO)
                bitmap, why = await asyncio.to_thread(decode, photo), "This photo cannot be shown here."
            except ApiError as error:
                why = f"The photo cannot be shown here. {error_message(error).what}"
        self.show_photo(bitmap, why)

    def show_photo(self, bitmap: Bitmap | None, why: str) -> None:
        card = self.query_one("#photo", Card)
        card.display = True
        card.show("Photo", partial(present.photo_rows, bitmap, why))


class ProfileScreen(PersonScreen):
    """The own profile."""

    WHERE = Where.PROFILE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Your details"

    def __init__(self, lms: "Lms", *, badge: str = "") -> None:
        super().__init__(lms, badge=badge)
        self._user: CurrentUser | None = None

    async def fetch(self) -> UserSummary:
        return await self._lms.me()

    def loaded(self, user: UserSummary) -> None:
        self._user = user if isinstance(user, CurrentUser) else None

    def rows(self, user: UserSummary, room: int) -> list[Row]:
        return present.profile_rows(user, room) if isinstance(user, CurrentUser) else super().rows(user, room)

    @work(name="edit", group="person", exclusive=True)
    async def action_edit(self) -> None:
        user = self._user
        if user is None:
            return
        specs = present.profile_form(user)

        async def save(values: Values) -> bool:
            changes = present.profile_changes(changed(specs, values))
            if changes.fields():
                await self._lms.users.update_profile(user.id, changes)
            return bool(changes.fields())

        saved = await self.app.push_screen_wait(FormScreen(self._lms, "Change your details", specs, save))
        if saved:
            self.notify("Saved.", timeout=3, markup=False)
            self.action_refresh()

    @work(name="photo", group="person", exclusive=True)
    async def action_change_photo(self) -> None:
        user = self._user
        if user is None:
            return
        given = await dialogs.ask_text(
            self.app,
            "Photo",
            "Type the name of a JPEG, PNG, WebP or GIF file of at most 4 MB. Everyone at your institute can see it."
            + (" Leave the field empty to remove your photo." if user.photo else ""),
            placeholder="~/Pictures/me.jpg",
            check=lambda text: _photo_wrong(text) if text or not user.photo else "",
        )
        if given is None:
            return
        try:
            photo = await asyncio.to_thread(_data_address, given) if given else ""
            await self._lms.users.update_profile(user.id, ProfileChanges(photo=photo))
        except (ApiError, OSError) as error:
            told = (
                error_message(error).text
                if isinstance(error, ApiError)
                else f"The file cannot be read ({error.strerror})."
            )
            await dialogs.notice(self.app, "The photo was not changed", told, error=True)
            return
        self.notify("Saved." if given else "The photo is removed.", timeout=3, markup=False)
        self.action_refresh()

    @work(name="keys", group="person", exclusive=True)
    async def action_ssh_keys(self) -> None:
        await change_ssh_keys(self.app, self._lms.users)


def _photo_wrong(text: str) -> str:
    """Check a file name before the file is read. Returns the error, "" for none."""
    if not text:
        return "Type the name of a file."
    file = Path(text).expanduser()
    try:
        if not file.is_file():
            return "There is no file with this name."
        size = file.stat().st_size
    except (OSError, ValueError):
        return "This file cannot be read."
    if file.suffix.lower() not in _KINDS:
        return "Choose a JPEG, PNG, WebP or GIF file."
    return "The file is larger than 4 MB." if size > _LARGEST_PHOTO else ""


def _data_address(name: str) -> str:
    file = Path(name).expanduser()
    return f"data:image/{_KINDS[file.suffix.lower()]};base64,{base64.b64encode(file.read_bytes()).decode()}"
