from typing import Any, Final

from lms_tui.service.db.tables import User
from lms_tui.service.urls import Urls
from lms_tui.service.users.states import STATES
from lms_tui.wire import users as wire

GENDERS: Final = {"male": "Male", "female": "Female", "trans": "Transgender"}


def summary_fields(user: User, urls: Urls) -> dict[str, Any]:
    """Return what others may see; the sizes of a photo are empty while no smaller pictures of it are kept."""
    return {
        "id": user.id,
        "url": urls.user(user.id),
        "username": user.username,
        "display_name": user.display_name,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "photo": user.photo,
    }


def summary_view(user: User, urls: Urls) -> wire.UserSummary:
    return wire.UserSummary(**summary_fields(user, urls))


def current_view(user: User, urls: Urls) -> wire.CurrentUser:
    """Return the `/me/` payload; batches are to be loaded."""
    return wire.CurrentUser(
        **summary_fields(user, urls),
        batches=[batch.name for batch in user.batches],
        email=user.email,
        birth_date=None if user.birth_date is None else user.birth_date.isoformat(),
        gender=GENDERS.get(user.gender_code or "", ""),
        address1=user.address1,
        address2=user.address2,
        city=user.city,
        zip=user.zip,
        state=STATES.get(user.state_code or "", ""),
        phone=user.phone,
    )
