"""The caller, whom every app asks for first."""

from functools import cache

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import joinedload

from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.urls import Urls
from lms_tui.service.users.views import current_view
from lms_tui.wire.users import CurrentUser


def current_user(database: Database, urls: Urls, user_id: int) -> CurrentUser:
    with database.read() as session:
        return current_view(session.scalars(_with_batches(), {"user": user_id}).unique().one(), urls)


@cache
def _with_batches() -> Select[User]:
    """Select a user with the batches in one statement, which is made once."""
    return select(User).where(User.id == bindparam("user")).options(joinedload(User.batches))
