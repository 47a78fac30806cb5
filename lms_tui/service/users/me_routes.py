"""The caller, whom every app asks for first."""

from functools import cache

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import joinedload

from lms_tui.service.core.context import ServiceDep, UrlsDep
from lms_tui.service.core.database.tables import User
from lms_tui.service.core.routing import Router
from lms_tui.service.core.security import Caller
from lms_tui.service.users.views import current_view
from lms_tui.wire import users as wire

router = Router()


@router.get("/api/v2.2/me/")
def read_me(service: ServiceDep, caller: Caller, urls: UrlsDep) -> wire.CurrentUser:
    with service.database.read() as session:
        return current_view(session.scalars(_with_batches(), {"user": caller.id}).unique().one(), urls)


@cache
def _with_batches() -> Select[User]:
    """Select a user with the batches in one statement, which is made once."""
    return select(User).where(User.id == bindparam("user")).options(joinedload(User.batches))
