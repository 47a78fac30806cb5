from typing import Final

from lms_tui.client.connection import Connection
from lms_tui.client.pages import identified, parse
from lms_tui.wire.accounts import (
    AdminUser,
    CreatedUser,
    FoundUser,
    NewUser,
    ProfileChanges,
    SshKey,
    SshKeys,
    UpdatedUser,
    UserChanges,
)
from lms_tui.wire.errors import NotTheService
from lms_tui.wire.users import CurrentUser, OwnProfile, UserSummary

_ADMIN: Final = "/api/v2.5/admin/users/"
_SSH_KEYS: Final = "/api/v2.5/me/ssh-keys/"
_OLDER: Final = "/api/v2.2/admin/users/"


class HttpUsers:
    """The endpoints of accounts and profiles. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def create(self, user: NewUser) -> CreatedUser:
        return identified(await self._connection.send("POST", _ADMIN, body=user.fields()), CreatedUser)

    async def read(self, user_id: int) -> AdminUser:
        return identified(await self._connection.get(f"{_ADMIN}{user_id}"), AdminUser, user_id)

    async def update(self, user_id: int, changes: UserChanges) -> UpdatedUser:
        tree = await self._connection.send("PUT", f"{_ADMIN}{user_id}", body=changes.fields())
        return identified(tree, UpdatedUser, user_id)

    async def delete(self, user_id: int) -> None:
        await self._connection.send("DELETE", f"{_OLDER}{user_id}")

    async def find(self, email: str) -> FoundUser:
        tree = await self._connection.get(_OLDER, {"email": email})
        # Some servers reply with a list of one item.
        user = parse(tree[0] if isinstance(tree, list) and tree else tree, FoundUser)
        if not user.username:
            raise NotTheService("The server's reply is not an account.")
        return user

    async def ssh_keys(self) -> tuple[SshKey, ...]:
        return tuple(parse(await self._connection.get(_SSH_KEYS), SshKeys).keys)

    async def add_ssh_key(self, line: str) -> SshKey:
        return parse(await self._connection.send("POST", _SSH_KEYS, body={"key": line}), SshKey)

    async def remove_ssh_key(self, fingerprint: str) -> None:
        await self._connection.send("DELETE", _SSH_KEYS, params={"fingerprint": fingerprint})

    async def public(self, user_id: int) -> UserSummary:
        tree = await self._connection.get(f"/api/v2.2/users/{user_id}")
        own = isinstance(tree, dict) and "email" in tree
        return identified(tree, CurrentUser if own else UserSummary, user_id)

    async def update_profile(self, user_id: int, changes: ProfileChanges) -> OwnProfile:
        tree = await self._connection.send("PUT", f"/api/v2.2/users/{user_id}", body=changes.fields())
        return parse(tree, OwnProfile)
