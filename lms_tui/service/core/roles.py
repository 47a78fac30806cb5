"""Dependencies of the routes that only some roles may use."""

from typing import Annotated

from fastapi import Depends

from lms_tui.service.core.dependencies import Caller
from lms_tui.service.core.errors import Forbidden
from lms_tui.service.core.principal import STAFF, Principal, Role


async def admin_of(caller: Caller) -> Principal:
    if caller.role is not Role.ADMIN:
        raise Forbidden("Only an administrator may do this.")
    return caller


async def staff_of(caller: Caller) -> Principal:
    if caller.role not in STAFF:
        raise Forbidden("Only a moderator or an administrator may do this.")
    return caller


async def watcher_of(caller: Caller) -> Principal:
    if caller.role is Role.STUDENT:
        raise Forbidden("Only a mentor, a moderator or an administrator may do this.")
    return caller


Admin = Annotated[Principal, Depends(admin_of)]
Staff = Annotated[Principal, Depends(staff_of)]
Watcher = Annotated[Principal, Depends(watcher_of)]
