from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Query
from fastapi.responses import FileResponse
from sqlalchemy import select

from lms_tui.service.batches.views import batch_view
from lms_tui.service.core.bodies import Name
from lms_tui.service.core.database.tables import Batch, User, batch_members
from lms_tui.service.core.dependencies import Caller, Paged, ServiceDep, UrlsDep
from lms_tui.service.core.errors import NotFound
from lms_tui.service.core.media import PHOTOS
from lms_tui.service.core.roles import Admin
from lms_tui.service.core.routing import Id, Router
from lms_tui.service.users.accounts import AccountBody, AllAccounts, NewAccountBody
from lms_tui.service.users.profile import ProfileBody, Profiles
from lms_tui.service.users.ssh_keys import SshKeyBody, SshKeys, SshSignInBody, token_for
from lms_tui.wire import accounts as wire
from lms_tui.wire.base import Page
from lms_tui.wire.batches import Batch as BatchView
from lms_tui.wire.users import CurrentUser, OwnProfile, Token, UserSummary

router = Router()

_PICTURE: Final = {
    "Cache-Control": "private, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


@router.get("/api/v2.5/me/ssh-keys/")
def list_ssh_keys(service: ServiceDep, caller: Caller) -> wire.SshKeys:
    return SshKeys(service, caller.id, service.clock()).all()


@router.post("/api/v2.5/me/ssh-keys/", status_code=HTTPStatus.CREATED)
def add_ssh_key(body: SshKeyBody, service: ServiceDep, caller: Caller) -> wire.SshKey:
    return SshKeys(service, caller.id, service.clock()).add(body)


@router.delete("/api/v2.5/me/ssh-keys/", status_code=HTTPStatus.NO_CONTENT)
def remove_ssh_key(fingerprint: Annotated[str, Query(max_length=64)], service: ServiceDep, caller: Caller) -> None:
    SshKeys(service, caller.id, service.clock()).remove(fingerprint)


@router.post("/api/v2.5/auth-token/ssh-key/")
def sign_in_with_ssh_key(body: SshSignInBody, service: ServiceDep) -> Token:
    """Give the SSH host of this service a token for the owner of a key."""
    return token_for(service, body)


@router.get("/api/v2.2/users/{user_id}")
def read_user(user_id: Id, service: ServiceDep, caller: Caller, urls: UrlsDep) -> CurrentUser | UserSummary:
    return Profiles(service, urls, caller, service.clock()).read(user_id)


@router.put("/api/v2.2/users/{user_id}")
def update_user(user_id: Id, body: ProfileBody, service: ServiceDep, caller: Caller, urls: UrlsDep) -> OwnProfile:
    return Profiles(service, urls, caller, service.clock()).update(user_id, body)


@router.post("/api/v2.5/admin/users/", status_code=HTTPStatus.CREATED)
def create_account(body: NewAccountBody, _admin: Admin, accounts: AllAccounts) -> wire.CreatedUser:
    return accounts.create(body)


@router.get("/api/v2.5/admin/users/{user_id}")
def read_account(user_id: Id, _admin: Admin, accounts: AllAccounts) -> wire.AdminUser:
    return accounts.read(user_id)


@router.put("/api/v2.5/admin/users/{user_id}")
def update_account(user_id: Id, body: AccountBody, _admin: Admin, accounts: AllAccounts) -> wire.UpdatedUser:
    return accounts.update(user_id, body)


@router.delete("/api/v2.2/admin/users/{user_id}", status_code=HTTPStatus.NO_CONTENT)
def delete_account(user_id: Id, _admin: Admin, accounts: AllAccounts) -> None:
    accounts.delete(user_id)


@router.get("/api/v2.2/admin/users/")
def find_account(email: Annotated[Name, Query()], _admin: Admin, accounts: AllAccounts) -> wire.FoundUser:
    return accounts.with_email(email)


@router.get("/api/v2.5/admin/users/{user_id}/batches/")
def list_batches_of_account(
    user_id: Id, _admin: Admin, service: ServiceDep, urls: UrlsDep, paging: Paged
) -> Page[BatchView]:
    """List the batches of an account, for `batches_url`."""
    statement = (
        select(Batch).join(batch_members).where(batch_members.c.user_id == user_id).order_by(Batch.name, Batch.id)
    )
    with service.database.read() as session:
        if session.get(User, user_id) is None:
            raise NotFound
        return paging.of_rows(session, statement, lambda rows: [batch_view(row, urls) for row in rows])


@router.get("/media/photos/{folder}/{file}", response_class=FileResponse)
def read_photo(folder: str, file: str, service: ServiceDep) -> FileResponse:
    """Serve a photo without a token, because browsers send none for images. Its name cannot be guessed."""
    path = service.media.find(PHOTOS, folder, file)
    if path is None:
        raise NotFound
    return FileResponse(path, headers=_PICTURE)
