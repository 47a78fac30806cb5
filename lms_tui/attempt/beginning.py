"""Find an exam and start an attempt at it. After a lost reply, the list of attempts is read before a new POST."""

import asyncio
from typing import TYPE_CHECKING, Protocol

from lms_tui.common.cleaning import clean_line
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Forbidden, NotFound, Unreachable
from lms_tui.wire.exams import Exam

if TYPE_CHECKING:
    from collections.abc import Iterable


class BeginningService(Protocol):
    """The two endpoints that are needed to start an attempt, as `lms_tui.client.port.Attempts` has them."""

    async def create(self, slug: str, access_code: str = "") -> Attempt: ...
    async def of_exam(self, slug: str) -> "list[Attempt]": ...


class ExamReading(Protocol):
    """The endpoint that returns one exam, as `lms_tui.client.port.Exams` has it."""

    async def read(self, slug: str) -> Exam: ...


async def exam_to_begin(exams: ExamReading, service: BeginningService, slug: str) -> tuple[Exam, list[Attempt]]:
    """Return the exam and the attempts at it. A server without exam lists tells the exam in its attempts.

    Raises NotFound where the server knows neither, Forbidden where it keeps the exam from the person.
    """
    # Both are asked for at once, because an answer can take long.
    exam, attempts = await asyncio.gather(exams.read(slug), service.of_exam(slug), return_exceptions=True)
    if isinstance(exam, BaseException) and not isinstance(exam, (NotFound, Forbidden)):
        raise exam
    if isinstance(attempts, NotFound):
        if isinstance(exam, ApiError):
            raise NotFound(f"There is no exam called “{clean_line(slug)}”.") from exam
        attempts = []
    if isinstance(attempts, BaseException):
        raise attempts
    if isinstance(exam, Exam):
        return exam, attempts
    if attempts:
        return attempts[0].exam, attempts
    if isinstance(exam, Forbidden):
        raise exam
    return Exam(slug=slug, title=slug), attempts


def running_of(attempts: "Iterable[Attempt]") -> Attempt | None:
    """Return the newest attempt that runs."""
    return max((a for a in attempts if a.state == AttemptState.RUNNING), key=lambda attempt: attempt.id, default=None)


class Beginning:
    """Starts one attempt at an exam. `unsure` is true when a request was lost and may have arrived."""

    def __init__(self, service: BeginningService, slug: str) -> None:
        self._service = service
        self._slug = slug
        self.unsure = False

    async def begin(self, access_code: str = "") -> Attempt:
        """Create an attempt and return it. `access_code`: what the person typed, where the exam asks for it.

        If the reply is lost, the list of attempts shows whether the server has created it. Raises the errors of the
        service. If the list cannot be read either, `unsure` is set, and the next call reads the list first.
        """
        if self.unsure and (begun := await self._look()) is not None:
            return begun
        try:
            return await self._service.create(self._slug, access_code)
        except Unreachable:
            self.unsure = True
            if (begun := await self._look()) is None:
                raise
            return begun

    async def _look(self) -> Attempt | None:
        attempts = await self._service.of_exam(self._slug)
        self.unsure = False
        return running_of(attempts)
