from typing import Annotated, cast

from fastapi import Depends, Header, Request
from pydantic import Field

from lms_tui.service.attempts.access_codes import GivenCode, plain_code
from lms_tui.service.attempts.lifecycle import StudentAttempts, student_of
from lms_tui.service.attempts.stamps import PATTERN, TIME_PATTERN
from lms_tui.service.attempts.writes import Writer
from lms_tui.service.core.bodies import Body
from lms_tui.service.core.context import client_of, urls_of
from lms_tui.service.core.dependencies import Caller, service_of
from lms_tui.service.core.networks import network_of

StampHeader = Annotated[str | None, Header(alias="X-Answer-Seq", pattern=PATTERN)]
TimeHeader = Annotated[str | None, Header(alias="X-Answer-Time", pattern=TIME_PATTERN)]


class AccessCodeBody(Body):
    """`access_code`: as the student typed it. Case and blanks do not matter."""

    access_code: Annotated[str, Field(max_length=200)] = ""


async def _student(request: Request, caller: Caller) -> StudentAttempts:
    # FastAPI needs longer to find a dependency than these functions take.
    return student_of(await service_of(request), urls_of(request), caller)


async def _writer(request: Request) -> Writer:
    return cast(Writer, request.app.state.writer)


async def _given_code(request: Request, body: AccessCodeBody | None = None) -> GivenCode:
    return GivenCode(plain_code(body.access_code if body else ""), network_of(client_of(request)))


StudentDep = Annotated[StudentAttempts, Depends(_student)]
WriterDep = Annotated[Writer, Depends(_writer)]
GivenCodeDep = Annotated[GivenCode, Depends(_given_code)]
