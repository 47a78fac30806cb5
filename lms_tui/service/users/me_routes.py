from lms_tui.service.core.dependencies import Caller, ServiceDep, UrlsDep
from lms_tui.service.core.routing import Router
from lms_tui.service.users.me import current_user
from lms_tui.wire.users import CurrentUser

router = Router()


@router.get("/api/v2.2/me/")
def read_me(service: ServiceDep, caller: Caller, urls: UrlsDep) -> CurrentUser:
    return current_user(service.database, urls, caller.id)
