"""The users that an administrator has looked up or created."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import work
from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.screens.resource.form import FormScreen
from lms_tui.tui.screens.resource.list import ListScreen
from lms_tui.views import staff_users as present
from lms_tui.views.forms import Values, changed, identifier
from lms_tui.views.listing import Listing
from lms_tui.views.rows import Row
from lms_tui.views.staff_users import KnownUser
from lms_tui.wire.accounts import AdminUser, CreatedUser
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError, NotFound

_MOST_MENTORS: Final = 50


class UsersScreen(ListScreen[KnownUser]):
    """Shows the users found or created since the screen was opened. The server has no list of users."""

    WHERE = Where.USERS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Users"
    EMPTY = "Press / to find a user by e-mail address or user ID, or n to create one."
    NONE_FOUND = "No user has this e-mail address or user ID. Press / to search again."
    SEARCH = "E-mail address or user ID, then enter"

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]  # as in ListScreen
        self._seen: dict[str, KnownUser] = {}

    async def page(self, number: int, wanted: str) -> Page[KnownUser]:  # noqa: ARG002 - there is one page
        if wanted:
            try:
                self._see(await self._find(wanted))
            except NotFound:
                return _page(())
        return _page(tuple(reversed(self._seen.values())))

    async def _find(self, wanted: str) -> KnownUser:
        if wanted.isascii() and wanted.isdigit():
            user = await self._lms.users.read(int(wanted))
            return KnownUser(user.id, user)
        return KnownUser(0, await self._lms.users.find(wanted))

    def _see(self, known: KnownUser) -> None:
        """Remember a user, the newest last. A known user ID is kept."""
        before = self._seen.pop(known.user.username, None)
        if before is not None and not known.number:
            known = KnownUser(before.number, before.whole or known.user)
        self._seen[known.user.username] = known

    def identity(self, item: KnownUser) -> str:
        return item.user.username

    @property
    def listing(self) -> Listing[KnownUser]:
        return present.LISTING

    def details(self, item: KnownUser, room: int) -> Sequence[Row]:
        return present.details(item, room)

    @work(name="create", group="person", exclusive=True)
    async def action_create(self) -> None:
        specs = present.new_form()

        async def save(values: Values) -> CreatedUser:
            return await self._lms.users.create(present.new_user(changed(specs, values)))

        created = await self.app.push_screen_wait(FormScreen(self._lms, "New user", specs, save))
        if created is not None:
            known = KnownUser(created.id, created)
            self._see(known)
            self.keep(known)
            self.tell(f"User {known.name} created.")

    @work(name="edit", group="person", exclusive=True)
    async def action_edit(self) -> None:
        user = await self._whole()
        if user is None:
            return
        specs = present.edit_form(user)

        async def save(values: Values) -> AdminUser:
            changes = present.user_changes(changed(specs, values))
            return await self._lms.users.update(user.id, changes) if changes.fields() else user

        saved = await self.app.push_screen_wait(FormScreen(self._lms, f"Change {user.username}", specs, save))
        if saved is not None:
            self._seen.pop(user.username, None)
            if saved.username != user.username:
                self.drop(KnownUser(user.id, user))
            self._see(KnownUser(saved.id, saved))
            self.keep(KnownUser(saved.id, saved))

    @work(name="delete", group="person", exclusive=True)
    async def action_delete(self) -> None:
        user = await self._whole()
        if user is None:
            return
        name = user.username
        typed = await dialogs.ask_text(
            self.app,
            f"Delete {name}?",
            "This deletes the user with all attempts and answers and cannot be undone. "
            f"To delete it, type the user name: {name}",
            placeholder="user name",
            check=lambda text: "" if text == name else f"Type {name}, or press esc to keep the user.",
        )
        if typed != name:
            return
        try:
            await self._lms.users.delete(user.id)
        except ApiError as error:
            await self.explain(error)
            return
        self._seen.pop(name, None)
        self.drop(KnownUser(user.id, user))
        self.tell(f"User {name} deleted.")

    async def _whole(self) -> AdminUser | None:
        """Read the selected user again before a change. Returns None on an error."""
        known = self.chosen
        if known is None:
            return None
        try:
            number = known.number or await self._number_of(known)
            user = await self._lms.users.read(number) if number else None
        except ApiError as error:
            await self.explain(error)
            return None
        if user is None:
            return None
        if user.username != known.user.username:
            words = f"User ID {user.id} belongs to {user.username}, not {known.user.username}."
            await dialogs.notice(self.app, "Another user", words, error=True)
            return None
        self._see(KnownUser(user.id, user))
        self.keep(KnownUser(user.id, user))
        return user

    async def _number_of(self, known: KnownUser) -> int:
        """Look up the user ID among mentors and their students, then ask the user for it. 0 if unknown.

        A search by e-mail address returns no ID.
        """
        username = known.user.username
        mentors = await self._lms.mentors.all()
        if number := present.number_among(username, [(mentor.id, mentor.username) for mentor in mentors]):
            return number
        for mentor in mentors[:_MOST_MENTORS]:
            students = await self._lms.mentors.students(mentor.id)
            if number := present.number_among(username, [(student.id, student.username) for student in students]):
                return number
        text = await dialogs.ask_text(
            self.app,
            f"User ID of {username}",
            "Type the user ID. It is the last part of the link to the user's details.",
            placeholder="user ID",
            check=identifier,
        )
        return int(text) if text else 0


def _page(found: tuple[KnownUser, ...]) -> Page[KnownUser]:
    return Page[KnownUser].model_construct(count=len(found), next=None, previous=None, per_page=20, results=found)
