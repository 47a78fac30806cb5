from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.attempts.lifecycle import Sitting
from lms_tui.service.attempts.writes import Writer
from lms_tui.service.core.context import Addresses, Serving
from lms_tui.service.core.security import Caller


def sitting_of(service: Serving, caller: Caller, urls: Addresses) -> Sitting:
    return Sitting(service.database, service.settings.timing, urls, caller.id, service.clock())


def writer_of(request: Request) -> Writer:
    return cast(Writer, request.app.state.writer)


Sits = Annotated[Sitting, Depends(sitting_of)]
Writes = Annotated[Writer, Depends(writer_of)]
