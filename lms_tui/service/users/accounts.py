"""Accounts for administrators: create, read, update, delete."""

from datetime import datetime
from typing import Annotated, Final

from fastapi import Depends
from pydantic import Field
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.core.audit import Values, login_of, note
from lms_tui.service.core.bodies import DayFirst, Names, Password, Username
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.tables import Batch, User
from lms_tui.service.core.database.totals import remove_student
from lms_tui.service.core.dependencies import Caller, ServiceDep, UrlsDep
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.media import PHOTOS
from lms_tui.service.core.naming import find_user, rows_named
from lms_tui.service.core.principal import Principal, Role
from lms_tui.service.core.token_times import revoked
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.emails import found_by, give_email, taken_meanwhile
from lms_tui.service.users.personal_data import PersonalData, write_personal_data
from lms_tui.service.users.views import account_fields
from lms_tui.wire import accounts as wire

_TAKEN: Final = "This user name is already taken."


class PersonBody(PersonalData):
    """The personal data that an administrator writes."""

    birth_date: DayFirst = None


class AccountBody(PersonBody):
    username: Username | None = None
    password: Password | None = None


class NewPersonBody(PersonBody):
    username: Username
    password: Password


class NewAccountBody(NewPersonBody):
    batches: Names = Field(default_factory=list)


@frozen
class Accounts:
    """The accounts of the institute, which `caller` reads and changes."""

    service: Service
    urls: Urls
    now: datetime
    caller: Principal

    def create(self, body: NewAccountBody) -> wire.CreatedUser:
        """Create a student in existing batches. Raises Invalid."""
        password_hash = self.hashed(body.password)
        try:
            with self.service.database.write() as session:
                user = self.new_user(session, body, password_hash, Role.STUDENT)
                user.batches = rows_named(session, Batch.name, body.batches, "batches")
                session.flush()
                self._note(session, "user.add", user, after=_values(user))
                return wire.CreatedUser(**account_fields(user, self.urls))
        except IntegrityError as error:
            raise taken(error) from None

    def create_mentor(self, body: NewPersonBody) -> User:
        """Create a mentor. Raises Invalid."""
        password_hash = self.hashed(body.password)
        try:
            with self.service.database.write() as session:
                user = self.new_user(session, body, password_hash, Role.MENTOR)
                self._note(session, "user.add", user, after=_values(user))
                return user
        except IntegrityError as error:
            raise taken(error) from None

    def new_user(self, session: Session, body: NewPersonBody, password_hash: str, role: Role) -> User:
        _refuse_taken(session, body.username)
        user = User(
            username=body.username,
            role=role.value,
            password_hash=password_hash,
            tokens_valid_from=self.now,
            created=self.now,
            modified=self.now,
        )
        write_person(session, user, body)
        session.add(user)
        return user

    def read(self, user_id: int) -> wire.AdminUser:
        with self.service.database.read() as session:
            return wire.AdminUser(**account_fields(_account(session, user_id), self.urls))

    def update(self, user_id: int, body: AccountBody) -> wire.UpdatedUser:
        """Update an account. A new password revokes the tokens of the user."""
        password_hash = None if body.password is None else self.hashed(body.password)
        try:
            with self.service.database.write() as session:
                user = _account(session, user_id, lock=True)
                before = _values(user)
                if body.username is not None and body.username != user.username:
                    _refuse_taken(session, body.username, user)
                    user.username = body.username
                if password_hash is not None:
                    user.password_hash = password_hash
                    user.tokens_valid_from = revoked(self.now, user.tokens_valid_from)
                    self._note(session, "user.password", user)
                write_person(session, user, body)
                user.modified = self.now
                session.flush()
                self._note(session, "user.change", user, before, _values(user))
                return self._updated(user)
        except IntegrityError as error:
            raise taken(error) from None

    def _updated(self, user: User) -> wire.UpdatedUser:
        fields = account_fields(user, self.urls)
        return wire.UpdatedUser(
            **fields,
            xsmall_image=fields["x_small_image"],
            password_hash=self.service.signer.fingerprint(user.id, user.password_hash),
        )

    def delete(self, user_id: int) -> None:
        """Delete an account with its data. Raises Forbidden for the account of the caller."""
        if user_id == self.caller.id:
            raise Forbidden("You cannot delete your own account.")
        with self.service.database.write() as session:
            user = _account(session, user_id, lock=True)
            photo = user.photo
            self._note(session, "user.delete", user, before=_values(user))
            remove_student(session, user_id)
            session.delete(user)
        self.service.media.remove_folder(PHOTOS, photo.partition(".")[0])

    def with_email(self, email: str) -> wire.FoundUser:
        """Return the account to which an administrator gave this e-mail address, in any case. Raises NotFound."""
        with self.service.database.read() as session:
            user = session.scalar(found_by(email))
            if user is None:
                raise NotFound
            return wire.FoundUser(**account_fields(user, self.urls))

    def _note(
        self, session: Session, what: str, user: User, before: Values | None = None, after: Values | None = None
    ) -> None:
        who, about = login_of(session, self.caller.id), f"user {user.username}"
        note(session, at=self.now, who=who, what=what, about=about, before=before, after=after)

    def hashed(self, password: str) -> str:
        try:
            with self.service.heavy_work:
                return self.service.passwords.hash(password)
        except ValueError:
            raise Invalid({"password": ["This password is too long."]}) from None


async def accounts_of(service: ServiceDep, urls: UrlsDep, caller: Caller) -> Accounts:
    return Accounts(service, urls, service.clock(), caller)


AllAccounts = Annotated[Accounts, Depends(accounts_of)]


def taken(error: IntegrityError) -> Invalid:
    """Return the error for a user name or an e-mail address that another request took at the same moment."""
    return taken_meanwhile(error) or Invalid({"username": [_TAKEN]})


def write_person(session: Session, user: User, body: PersonBody) -> None:
    """Write the personal data of a body to the account. Raises Invalid."""
    write_personal_data(user, body)
    given = body.model_fields_set
    if "email" in given:
        give_email(session, user, body.email or "")
    if "birth_date" in given:
        user.birth_date = body.birth_date


def _values(user: User) -> Values:
    """Return what the audit tells of an account: who it is and what it may do, but no address or phone number."""
    return {
        "username": user.username,
        "name": user.display_name,
        "email": user.email,
        "role": user.role,
        "active": user.is_active,
    }


def _account(session: Session, user_id: int, *, lock: bool = False) -> User:
    found = session.get(User, user_id, with_for_update=True if lock else None)
    if found is None:
        raise NotFound
    return found


def _refuse_taken(session: Session, username: str, user: User | None = None) -> None:
    if find_user(session, username) not in {None, user}:
        raise Invalid({"username": [_TAKEN]})
