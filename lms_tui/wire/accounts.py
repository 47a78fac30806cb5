"""Accounts as administrators and their owners change them."""

from pydantic import AliasChoices, Field

from lms_tui.wire.base import Count, Input, Instant, Many, Text, Wire
from lms_tui.wire.users import PersonName, Photos, PostalAddress


class SshKey(Wire):
    """A public key with which its owner signs in over ssh. `fingerprint`: as OpenSSH writes it."""

    fingerprint: Text
    name: Text = ""
    created: Instant | None = None


class SshKeys(Wire):
    keys: Many[SshKey] = ()


class CreatedUser(PersonName, PostalAddress):
    """The account in the reply to its creation (API document, Admin users). `birth_date` is DD/MM/YYYY here."""

    id: Count = 0
    url: Text = ""
    email: Text = ""
    photo: Text = ""
    birth_date: str | None = None
    state: Text = ""
    state_code: Text = ""
    batches_url: Text = ""


class AdminUser(CreatedUser, Photos):
    """An account for administrators."""

    x_small_image: Text = Field(default="", validation_alias=AliasChoices("x_small_image", "xsmall_image"))
    gender: Text = ""
    gender_code: Text = ""
    created: Instant = None
    modified: Instant = None


class UpdatedUser(AdminUser):
    """The account in the reply to its update. `password_hash` changes with the password."""

    xsmall_image: Text = ""
    password_hash: Text = Field(default="", repr=False)


class FoundUser(PersonName, Photos):
    """The account in the reply to a search by e-mail. `birth_date` is DD/MM/YYYY here."""

    email: Text = ""
    birth_date: str | None = None
    gender_code: Text = ""


class PersonInput(Input):
    """The personal data in a request. A field that is None is not sent."""

    first_name: str | None = None
    last_name: str | None = None
    email: str | None = None
    birth_date: str | None = None
    address1: str | None = None
    address2: str | None = None
    city: str | None = None
    zip: str | None = None
    phone: str | None = None


class NewUser(PersonInput):
    """The fields of a new account. User name and password are required. `state` is an ISO 3166-2:IN code."""

    username: str
    password: str = Field(repr=False)
    gender_code: str | None = None
    state: str | None = None
    batches: tuple[str, ...] | None = None


class UserChanges(PersonInput):
    """The changes of an account."""

    username: str | None = None
    password: str | None = Field(default=None, repr=False)
    gender_code: str | None = None
    state: str | None = None


class ProfileChanges(PersonInput):
    """The changes of one's own profile.

    `photo` is a `data:` address that contains the picture, or "" to remove the photo.
    """

    photo: str | None = Field(default=None, repr=False)
    x_offset: int | None = None
    y_offset: int | None = None
    crop_height: int | None = None
    crop_width: int | None = None
    gender: int | None = None
    state_choices: int | None = None
