"""Find an exam and begin an attempt at it. A POST whose reply was lost is never repeated blindly."""

from typing import TYPE_CHECKING, Protocol

from lms_tui.common.cleaning import clean_line
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Forbidden, NotFound, Unreachable
from lms_tui.wire.exams import Exam

if TYPE_CHECKING:
    from collections.abc import Iterable


class BeginningService(Protocol):
    """The two endpoints that a beginning needs, as `lms_tui.client.port.Attempts` has them."""

    async def create(self, slug: str) -> Attempt: ...
    async def of_exam(self, slug: str) -> "list[Attempt]": ...


class ExamReading(Protocol):
    """The endpoint that tells one exam, as `lms_tui.client.port.Exams` has it."""

    async def read(self, slug: str) -> Exam: ...


async def exam_to_begin(exams: ExamReading, service: BeginningService, slug: str) -> tuple[Exam, list[Attempt]]:
    """Return the exam and the attempts at it. A server without exam lists tells the exam in its attempts.

    Raises NotFound where the server knows neither, Forbidden where it keeps the exam from the person.
    """
    missing: ApiError | None = None
    exam: Exam | None = None
    try:
        exam = await exams.read(slug)
    except (NotFound, Forbidden) as error:
        missing = error
    try:
        attempts = await service.of_exam(slug)
    except NotFound:
        if exam is None:
            raise NotFound(f"There is no exam called “{clean_line(slug)}”.") from missing
        attempts = []
    if exam is None and attempts:
        exam = attempts[0].exam
    if exam is None and isinstance(missing, Forbidden):
        raise missing
    return exam or Exam(slug=slug, title=slug), attempts


def running_of(attempts: "Iterable[Attempt]") -> Attempt | None:
    """Return the newest attempt that runs."""
    return max((a for a in attempts if a.state == AttemptState.RUNNING), key=lambda attempt: attempt.id, default=None)


class Beginning:
    """Begins one attempt at an exam. `unsure`: a request was lost, and nobody knows yet whether it arrived."""

    def __init__(self, service: BeginningService, slug: str) -> None:
        self._service = service
        self._slug = slug
        self.unsure = False

    async def begin(self) -> Attempt:
        """Return the begun attempt; after a lost request the list of attempts tells first whether it arrived.

        Raises what the service raises; while `unsure` after that, the next call looks again before it asks.
        """
        if self.unsure and (begun := await self._look()) is not None:
            return begun
        try:
            return await self._service.create(self._slug)
        except Unreachable:
            self.unsure = True
            if (begun := await self._look()) is None:
                raise
            return begun

    async def _look(self) -> Attempt | None:
        attempts = await self._service.of_exam(self._slug)
        self.unsure = False
        return running_of(attempts)
