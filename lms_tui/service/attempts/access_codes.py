"""The access code of an exam, which a student types to begin an attempt. Wrong codes are throttled as sign-ins are."""

import hmac
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field
from sqlalchemy import select

from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.auth.throttle import Throttle
from lms_tui.service.core.bodies import Body
from lms_tui.service.core.database.tables import Attempt, Exam
from lms_tui.service.core.errors import WHOLE, Invalid, TooMany
from lms_tui.service.core.networks import network_of
from lms_tui.wire.attempt_states import AttemptState


class AccessCodeBody(Body):
    """`access_code`: as the student typed it. Case and blanks do not matter."""

    access_code: Annotated[str, Field(max_length=200)] = ""


@dataclass(frozen=True, slots=True)
class GivenCode:
    """The code in a request, "" without one, and the network that it comes from."""

    code: str
    network: str


async def given_code(request: Request, body: AccessCodeBody | None = None) -> GivenCode:
    return GivenCode(
        plain_code(body.access_code if body else ""), network_of(request.client.host if request.client else "")
    )


GivenCodeDep = Annotated[GivenCode, Depends(given_code)]


def check_access_code(student: StudentAttempts, slug: str, given: GivenCode) -> None:
    """Raise Invalid without the code of the exam, TooMany after wrong ones. A running attempt needs none."""
    wanted = _wanted(student, slug)
    if not wanted:
        return
    if not given.code:
        raise Invalid({WHOLE: ["This exam needs its access code."]})
    throttle = Throttle(student.database, f"{student.user_id} begins {slug}", given.network, "", student.now)
    try:
        throttle.check()
        if not hmac.compare_digest(given.code.encode(), plain_code(wanted).encode()):
            throttle.fail()
            raise Invalid({WHOLE: ["Wrong access code."]})
        throttle.succeed()
    except TooMany as error:
        raise TooMany(error.seconds, "start the exam") from None


def plain_code(code: str) -> str:
    return "".join(code.casefold().split())


def _wanted(student: StudentAttempts, slug: str) -> str:
    """Return the code that a new attempt needs, or ""."""
    running = select(Attempt.id).where(
        Attempt.exam_id == Exam.id, Attempt.user_id == student.user_id, Attempt.state == AttemptState.RUNNING
    )
    with student.database.read() as session:
        return session.scalar(select(Exam.access_code).where(Exam.slug == slug, ~running.exists())) or ""
