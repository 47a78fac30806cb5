from typing import Annotated

from fastapi import Depends

from lms_tui.service.attempts.lifecycle import Sitting
from lms_tui.service.core.context import Addresses, Serving
from lms_tui.service.core.security import Caller


def sitting_of(service: Serving, caller: Caller, urls: Addresses) -> Sitting:
    return Sitting(service.database, service.settings.timing, urls, caller.id, service.clock())


Sits = Annotated[Sitting, Depends(sitting_of)]
