from typing import Annotated, cast

from fastapi import Depends, Request

from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.writes import Writer
from lms_tui.service.core.context import service_of, urls_of
from lms_tui.service.core.security import Caller


async def student_of(request: Request, caller: Caller) -> StudentAttempts:
    # FastAPI needs longer to find a dependency than these functions take.
    service, urls = service_of(request), urls_of(request)
    return StudentAttempts(service.database, service.settings.timing, urls, caller.id, caller.now, caller.has_overdue)


async def writer_of(request: Request) -> Writer:
    return cast(Writer, request.app.state.writer)


StudentDep = Annotated[StudentAttempts, Depends(student_of)]
WriterDep = Annotated[Writer, Depends(writer_of)]
