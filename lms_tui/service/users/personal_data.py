"""The personal data of an account, which administrators and the user can write."""

from typing import Final

from lms_tui.service.core.bodies import Body, Email, GenderCode, Line20, Line30, Line100, Line150, Line255, StateCode
from lms_tui.service.core.database.tables import User

_TEXTS: Final = frozenset({"first_name", "last_name", "address1", "address2", "city", "zip", "phone"})


class PersonalData(Body):
    """An omitted field keeps its value, null clears it. The format of a birth date depends on the route."""

    first_name: Line150 | None = None
    last_name: Line150 | None = None
    email: Email | None = None
    gender_code: GenderCode | None = None
    address1: Line255 | None = None
    address2: Line255 | None = None
    city: Line100 | None = None
    zip: Line20 | None = None
    state_code: StateCode | None = None
    state: StateCode | None = None
    phone: Line30 | None = None


def write_personal_data(user: User, body: PersonalData) -> None:
    """Write a body to the account, but for its e-mail address. `state_code` wins over `state`."""
    given = body.model_fields_set
    for name in _TEXTS & given:
        setattr(user, name, getattr(body, name) or "")
    if "gender_code" in given:
        user.gender_code = body.gender_code or None
    if "state_code" in given or "state" in given:
        user.state_code = body.state_code or body.state or None
