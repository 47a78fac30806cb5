from datetime import date
from typing import TYPE_CHECKING, Any, Final

from lms_tui.service.core.urls import Urls
from lms_tui.service.users.rows import OwnUserRow, UserRow
from lms_tui.service.users.sizes import ORIGINAL, SIZES
from lms_tui.wire import users as wire
from lms_tui.wire.states import number_of_state, state_name

if TYPE_CHECKING:
    from lms_tui.service.core.database.playbacks import Photo
    from lms_tui.service.core.database.tables import User

GENDERS: Final = {"male": "Male", "female": "Female", "trans": "Transgender"}
NUMBERED_GENDERS: Final = ("", *GENDERS)
"""Genders by their number in profiles, 0 if unknown."""


def picture_fields(user: "User | UserRow", urls: Urls) -> dict[str, str]:
    """Return the addresses of a user's photo in all sizes, "" without a photo."""
    sizes = {"photo": ORIGINAL, **SIZES}
    return {field: urls.photo(user.photo, size) if user.photo else "" for field, size in sizes.items()}


def summary_fields(user: "User | UserRow", urls: Urls) -> dict[str, Any]:
    """Return the fields that other users see."""
    return {
        "id": user.id,
        "url": urls.user(user.id),
        "username": user.username,
        "display_name": user.display_name,
        "first_name": user.first_name,
        "last_name": user.last_name,
        **picture_fields(user, urls),
    }


def summary_view(user: "User | UserRow", urls: Urls) -> wire.UserSummary:
    return wire.UserSummary(**summary_fields(user, urls))


def contact_fields(user: "User | OwnUserRow") -> dict[str, Any]:
    return {name: getattr(user, name) for name in ("email", "address1", "address2", "city", "zip", "phone")}


def current_view(user: "User | OwnUserRow", urls: Urls) -> wire.CurrentUser:
    """Return the response of `/me/`. The batches must be loaded."""
    return wire.CurrentUser(
        **summary_fields(user, urls),
        **contact_fields(user),
        batches=[batch.name for batch in user.batches],
        birth_date=None if user.birth_date is None else user.birth_date.isoformat(),
        gender=GENDERS.get(user.gender_code or "", ""),
        state=state_name(user.state_code),
    )


def day_first(born: date | None) -> str | None:
    """Format a date of birth as DD/MM/YYYY, as administrators use it."""
    return None if born is None else f"{born.day:02}/{born.month:02}/{born.year:04}"


def account_fields(user: "User", urls: Urls) -> dict[str, Any]:
    """Return the fields that administrators see."""
    return {
        **summary_fields(user, urls),
        **contact_fields(user),
        "url": urls.admin_user(user.id),
        "birth_date": day_first(user.birth_date),
        "gender": GENDERS.get(user.gender_code or "", ""),
        "gender_code": user.gender_code or "",
        "state": state_name(user.state_code),
        "state_code": user.state_code or "",
        "batches_url": urls.user_batches(user.id),
        "created": user.created,
        "modified": user.modified,
    }


def profile_view(user: "User", photo: "Photo | None", urls: Urls) -> wire.OwnProfile:
    """`photo`: None without a photo, which has no crop."""
    crop = ("x_offset", "y_offset", "crop_height", "crop_width")
    return wire.OwnProfile(
        **picture_fields(user, urls),
        **contact_fields(user),
        **{name: getattr(photo, name) if photo else 0 for name in crop},
        birth_date=None if user.birth_date is None else user.birth_date.isoformat(),
        gender=NUMBERED_GENDERS.index(user.gender_code or ""),
        state_choices=number_of_state(user.state_code),
    )
