from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.writes import Writer
from lms_tui.service.core.context import ServiceDep, UrlsDep
from lms_tui.service.core.security import Caller


async def student_of(service: ServiceDep, caller: Caller, urls: UrlsDep) -> StudentAttempts:
    return StudentAttempts(service.database, service.settings.timing, urls, caller.id, service.clock())


async def writer_of(request: Request) -> Writer:
    return cast(Writer, request.app.state.writer)


StudentDep = Annotated[StudentAttempts, Depends(student_of)]
WriterDep = Annotated[Writer, Depends(writer_of)]
