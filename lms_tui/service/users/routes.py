from sqlalchemy.orm import selectinload

from lms_tui.service.context import Addresses, Serving
from lms_tui.service.db.tables import User
from lms_tui.service.routing import Router
from lms_tui.service.security import Caller
from lms_tui.service.users.views import current_view
from lms_tui.wire.users import CurrentUser

router = Router(prefix="/api/v2.2")


@router.get("/me/")
def read_me(service: Serving, caller: Caller, urls: Addresses) -> CurrentUser:
    with service.database.read() as session:
        return current_view(session.get_one(User, caller.id, options=[selectinload(User.batches)]), urls)
