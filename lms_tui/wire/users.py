from lms_tui.wire.base import Count, Many, Text, Wire


class Credentials(Wire):
    username: str
    password: str


class Token(Wire):
    token: str


class UserSummary(Wire):
    """What others may see of a user (API document, Public user)."""

    id: Count = 0
    url: Text = ""
    username: Text = ""
    display_name: Text = ""
    first_name: Text = ""
    last_name: Text = ""
    photo: Text = ""
    large_image: Text = ""
    medium_image: Text = ""
    medium_small_image: Text = ""
    small_image: Text = ""
    x_small_image: Text = ""
    mini_image: Text = ""


class CurrentUser(UserSummary):
    """The `/me/` payload; `birth_date` is YYYY-MM-DD here."""

    batches: Many[str] = ()
    email: Text = ""
    birth_date: str | None = None
    gender: Text = ""
    address1: Text = ""
    address2: Text = ""
    city: Text = ""
    zip: Text = ""
    state: Text = ""
    phone: Text = ""
