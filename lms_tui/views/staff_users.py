"""Users and their forms, for administrators (pure)."""

from collections.abc import Sequence
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.views import format as say
from lms_tui.views import forms
from lms_tui.views.forms import FieldSpec, Values
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.views.staff_mentors import account_fields, person_input
from lms_tui.wire.accounts import AdminUser, CreatedUser, FoundUser, NewUser, UserChanges


@frozen
class KnownUser:
    """`number`: the user ID, 0 if unknown. A search by e-mail address returns no ID."""

    number: int
    user: FoundUser | CreatedUser

    @property
    def name(self) -> str:
        return clean_line(self.user.display_name or self.user.username)

    @property
    def whole(self) -> AdminUser | None:
        """All details, None if only some of them are known."""
        return self.user if isinstance(self.user, AdminUser) else None


LISTING: Final[Listing[KnownUser]] = Listing(
    "User",
    (Column("user name", 16, 36), Column("e-mail", 26, 64), Column("user ID", 7, 48, right=True)),
    lambda known: (known.name, known.user.username, known.user.email, str(known.number or "")),
)


def details(known: KnownUser, room: int) -> list[Row]:
    user = known.user
    facts = [
        ("user name", clean_line(user.username)),
        ("user ID", str(known.number) if known.number else ""),
        ("e-mail", clean_line(user.email)),
        ("born", clean_line(user.birth_date or "")),
    ]
    if isinstance(user, CreatedUser):
        parts = (user.address1, user.address2, user.city, user.zip, user.state)
        facts += [("phone", clean_line(user.phone)), ("address", ", ".join(clean_line(p) for p in parts if p))]
    if isinstance(user, AdminUser):
        facts += [
            ("gender", clean_line(user.gender)),
            ("created", say.day(user.created) if user.created else ""),
            ("changed", say.day(user.modified) if user.modified else ""),
        ]
    rows = [row(strong(known.name)), EMPTY, *pairs(facts, room), EMPTY]
    return [*rows, *wrapped("Press e to change the user, d to delete the user with all attempts.", room, "accent")]


def new_form() -> tuple[FieldSpec, ...]:
    return (
        *account_fields(""),
        FieldSpec("batches", "Batches", hint="names, with commas"),
        *forms.person({}, born=forms.day_first, born_hint="DD/MM/YYYY"),
    )


def new_user(values: Values) -> NewUser:
    sent = person_input(values, "state")
    if "batches" in values:
        sent["batches"] = forms.names(values["batches"])
    return NewUser.model_validate({"username": "", "password": "", **sent})


def edit_form(user: AdminUser) -> tuple[FieldSpec, ...]:
    known = {name: getattr(user, name) or "" for name in (*forms.NAME_FIELDS, "birth_date", "gender", "state")}
    return (*account_fields(user.username), *forms.person(known, born=forms.day_first, born_hint="DD/MM/YYYY"))


def user_changes(changed: Values) -> UserChanges:
    return UserChanges.model_validate(person_input(changed, "state"))


def number_among(username: str, known: Sequence[tuple[int, str]]) -> int:
    """The user ID of this user name, 0 if it is not in the list."""
    return next((number for number, name in known if name == username), 0)
