"""The e-mail addresses of users. An address belongs to one user, in any case."""

from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import EmailAddress, User
from lms_tui.service.core.errors import Invalid
from lms_tui.service.core.text import storable

_TAKEN: Final = "This e-mail address is already used by another account."


def found_by(email: str) -> Select[User]:
    """Select the user to whom an administrator gave this address."""
    given = select(EmailAddress.user_id).where(EmailAddress.address == _key(storable(email)), EmailAddress.given)
    return select(User).where(User.id.in_(given))


def give_email(session: Session, user: User, email: str) -> None:
    """Write an address as an administrator. Raises Invalid, with the name of the user who has it.

    The address that the user already has is not given, because an administrator may only have sent it back.
    """
    key = _key(email)
    if key != _key(user.email or "") or not user.email_addresses:
        holder = _holder(session, key)
        if holder is not None and holder is not user:
            raise Invalid({"email": [f"This e-mail address is already used by {holder.username}."]})
        user.email_addresses = [EmailAddress(address=key, given=True)] if key else []
    user.email = email


def choose_email(session: Session, user: User, email: str) -> None:
    """Write the address that a user has chosen. Administrators do not find the user by it. Raises Invalid."""
    key = _key(email)
    if key != _key(user.email):
        if _holder(session, key) not in {None, user}:
            raise Invalid({"email": [_TAKEN]})
        kept = [row for row in user.email_addresses if row.given]
        fresh = key and all(row.address != key for row in kept)
        user.email_addresses = [*kept, *([EmailAddress(address=key, given=False)] if fresh else [])]
    user.email = email


def taken_meanwhile(error: IntegrityError) -> Invalid | None:
    """Return the error for an address that another request took at the same moment, None for any other row."""
    return Invalid({"email": [_TAKEN]}) if EmailAddress.__tablename__ in str(error.orig) else None


def _holder(session: Session, key: str) -> User | None:
    return session.scalar(select(User).join(EmailAddress).where(EmailAddress.address == key))


def _key(email: str) -> str:
    return email.strip().casefold()
