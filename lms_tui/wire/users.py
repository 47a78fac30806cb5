"""Users as other people and the users themselves see them."""

from lms_tui.wire.base import Count, Many, Text, Wire


class Token(Wire):
    token: str


class PersonName(Wire):
    username: Text = ""
    display_name: Text = ""
    first_name: Text = ""
    last_name: Text = ""


class SomePhotos(Wire):
    """The address of the photo in most sizes."""

    photo: Text = ""
    large_image: Text = ""
    medium_image: Text = ""
    small_image: Text = ""
    x_small_image: Text = ""
    mini_image: Text = ""


class Photos(SomePhotos):
    medium_small_image: Text = ""


class PostalAddress(Wire):
    address1: Text = ""
    address2: Text = ""
    city: Text = ""
    zip: Text = ""
    phone: Text = ""


class UserSummary(PersonName, Photos):
    """The public fields of a user (API document, Public user)."""

    id: Count = 0
    url: Text = ""


class CurrentUser(UserSummary, PostalAddress):
    """The signed-in user (`/me/`). `birth_date` is YYYY-MM-DD here."""

    batches: Many[str] = ()
    email: Text = ""
    birth_date: str | None = None
    gender: Text = ""
    state: Text = ""


class BatchName(Wire):
    """A batch inside another object, without its dates."""

    id: Count = 0
    name: Text = ""
    url: Text = ""


class OwnProfile(Photos, PostalAddress):
    """The reply to an update of one's own profile. `birth_date` is YYYY-MM-DD here.

    `gender` is 1 (male), 2 (female), 3 (transgender) or 0 (not given). `state_choices` counts the codes of states from
    1, and 0 means not given. Offsets and crop are pixels of the photo. All 0 means the middle of the photo.
    """

    email: Text = ""
    x_offset: Count = 0
    y_offset: Count = 0
    crop_height: Count = 0
    crop_width: Count = 0
    birth_date: str | None = None
    gender: Count = 0
    state_choices: Count = 0
