"""The interface of `lms_tui.client.port` over HTTP."""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cached_property
from typing import Final

from lms_tui.client.address import segment
from lms_tui.client.connection import Connection, content_of
from lms_tui.client.pages import every, identified, page_at, pages, parse, parse_page
from lms_tui.client.pictures import HttpPictures
from lms_tui.client.port import (
    Attempts,
    Batches,
    Exams,
    ExamState,
    Mentors,
    Pictures,
    Posts,
    StaffExams,
    Users,
    Videos,
)
from lms_tui.wire.acknowledgement import ACKNOWLEDGEMENT_HEADER, is_acknowledgement
from lms_tui.wire.attempts import (
    AnswerInput,
    AnswersAcknowledged,
    Attempt,
    AttemptNotice,
    AttemptQuestion,
    AttemptSection,
    ExamAids,
    ReviewQuestion,
    SubjectAnalytics,
    ToldAttempt,
)
from lms_tui.wire.base import Page
from lms_tui.wire.errors import Defect, NotFound, NotTheService
from lms_tui.wire.exams import ListedExam, SingleExam
from lms_tui.wire.files import AttemptFiles, FileReference, UploadedFile
from lms_tui.wire.notices import NOTICES_HEADER, NoticeMark
from lms_tui.wire.server_memory import EPOCH_HEADER, SEEN_HEADER, ServerMemory
from lms_tui.wire.server_time import SERVER_TIME_HEADER, read_server_time
from lms_tui.wire.stats import StudentStats
from lms_tui.wire.users import CurrentUser

STAMP_HEADER: Final = "X-Answer-Seq"
"""A server that knows this header ignores an answer that arrives after a newer one. Other servers ignore the header."""
TIME_HEADER: Final = "X-Answer-Time"
"""A server that knows this header keeps the newest of the answers that several devices send. Others ignore it."""
OnWait = Callable[[float], None]
"""Told that a busy server is tried again after so many seconds."""
_V22: Final = "/api/v2.2"


class HttpAttempts:
    """The attempt endpoints. Requests that change something are sent once. The keeper decides about repeating them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def page(self, number: int = 1, *, course: str = "", title: str = "") -> Page[Attempt]:
        return await page_at(self._connection, f"{_V22}/attempts/", Attempt, number, course=course, q=title)

    async def of_exam(self, slug: str) -> list[Attempt]:
        return await every(self._connection, _exam_attempts(slug), Attempt)

    async def read(self, attempt_id: int) -> Attempt:
        return identified(await self._connection.get(_attempt(attempt_id)), Attempt, attempt_id)

    async def create(self, slug: str, access_code: str = "") -> Attempt:
        body = {"access_code": access_code} if access_code else None
        return identified(await self._connection.send("POST", _exam_attempts(slug), body=body), Attempt)

    async def start(self, attempt_id: int) -> Attempt:
        return await self._put(attempt_id, "start")

    async def heartbeat(self, attempt_id: int) -> Attempt:
        return await self._put(attempt_id, "heartbeat")

    async def end(self, attempt_id: int) -> Attempt:
        return await self._put(attempt_id, "end")

    async def questions(self, attempt_id: int) -> list[AttemptQuestion]:
        return await every(self._connection, f"{_attempt(attempt_id)}/questions/", AttemptQuestion)

    async def aids(self, attempt_id: int) -> ExamAids:
        return parse(await self._connection.get(f"{_attempt(attempt_id)}/aids/"), ExamAids)

    async def files(self, attempt_id: int) -> AttemptFiles:
        return parse(await self._connection.get(f"{_attempt(attempt_id)}/files/"), AttemptFiles)

    async def send_file(self, attempt_id: int, reference: FileReference, offset: int, content: bytes) -> UploadedFile:
        params = {"offset": str(offset), "size": str(reference.size)}
        path = f"{_attempt(attempt_id)}/files/{reference.digest}"
        return parse(await self._connection.send("PUT", path, params=params, content=content), UploadedFile)

    async def notices(self, attempt_id: int) -> list[AttemptNotice]:
        return list(parse_page(await self._connection.get(f"{_attempt(attempt_id)}/notices/"), AttemptNotice).results)

    async def notices_seen(self, attempt_id: int, notice_id: int) -> None:
        await self._connection.send("PUT", f"{_attempt(attempt_id)}/notices/{notice_id}/seen/")

    async def acknowledgement(self, attempt_id: int) -> str:
        reply = parse(await self._connection.get(f"{_attempt(attempt_id)}/acknowledgement/"), AnswersAcknowledged)
        return reply.acknowledgement if is_acknowledgement(reply.acknowledgement) else ""

    async def section_questions(self, section: AttemptSection) -> list[AttemptQuestion]:
        return await every(self._connection, _link(section.questions_url), AttemptQuestion)

    async def start_section(self, section: AttemptSection) -> None:
        await self._connection.send("PUT", _link(section.start_url))

    async def end_section(self, section: AttemptSection) -> None:
        await self._connection.send("PUT", _link(section.end_url))

    async def save(
        self, attempt_id: int, question_id: int, answer: AnswerInput, stamp: str = "", chosen_at: int | None = None
    ) -> AttemptQuestion:
        time = {} if chosen_at is None else {TIME_HEADER: str(chosen_at)}
        tree = await self._connection.send(
            "PUT",
            f"{_attempt(attempt_id)}/questions/{question_id}",
            body=answer.model_dump(mode="json", exclude_none=True),
            headers={STAMP_HEADER: stamp, **time} if stamp else None,
        )
        return identified(tree, AttemptQuestion, question_id)

    def review(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:
        return pages(self._connection, f"{_attempt(attempt_id)}/review/", ReviewQuestion)

    async def subjects(self, attempt_id: int) -> list[SubjectAnalytics]:
        return await every(self._connection, f"{_attempt(attempt_id)}/review/subjects/", SubjectAnalytics)

    async def review_pdf(self, attempt: Attempt, progress: Callable[[int, int | None], None]) -> bytes:
        if not attempt.review_pdf_url:
            raise NotFound("This review is not available as a PDF.", advice="Ask your institute about it.")
        content = await self._connection.download(attempt.review_pdf_url, "application/pdf", progress)
        if not content.startswith(b"%PDF-"):
            raise NotTheService("The server's reply is not a PDF.")
        return content

    async def _put(self, attempt_id: int, verb: str) -> Attempt:
        answered = await self._connection.answered("PUT", f"{_attempt(attempt_id)}/{verb}/")
        attempt = identified(content_of(answered), ToldAttempt, attempt_id)
        memory = ServerMemory.read(answered.header(EPOCH_HEADER), answered.header(SEEN_HEADER))
        notices = NoticeMark.read(answered.header(NOTICES_HEADER))
        told = answered.header(ACKNOWLEDGEMENT_HEADER)
        acknowledged = told if is_acknowledgement(told) else ""
        time = read_server_time(answered.header(SERVER_TIME_HEADER))
        update = {"memory": memory, "notices": notices, "acknowledgement": acknowledged, "server_time": time}
        return attempt.model_copy(update=update)


class HttpExams:
    """The exam lists of the wire notes. A server without them causes NotFound."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def page(self, state: ExamState, number: int = 1, *, course: str = "", title: str = "") -> Page[ListedExam]:
        path = f"{_V22}/exams/"
        return await page_at(self._connection, path, ListedExam, number, state=state.value, course=course, q=title)

    async def read(self, slug: str) -> SingleExam:
        exam = parse(await self._connection.get(f"{_V22}/exams/{segment(slug)}"), SingleExam)
        if not exam.slug:
            raise NotTheService("The server's reply is not an exam.")
        return exam


class HttpLms:
    """A signed-in server. After a 401, `renew(password)` gives the connection a new token of the same user."""

    def __init__(self, connection: Connection, renew: Callable[[str, OnWait | None], Awaitable[None]]) -> None:
        self.origin = connection.origin
        self.attempts: Attempts = HttpAttempts(connection)
        self.exams: Exams = HttpExams(connection)
        self.pictures: Pictures = (pictures := HttpPictures(connection))
        self._close_pictures = pictures.close
        self._connection = connection
        self._renew = renew

    def __repr__(self) -> str:
        return f"HttpLms({self.origin!r})"

    # The first screens need none of these. Their import takes as long as that of pydantic.

    @cached_property
    def posts(self) -> Posts:
        from lms_tui.client.posts import HttpPosts  # noqa: PLC0415 - see above

        return HttpPosts(self._connection)

    @cached_property
    def users(self) -> Users:
        from lms_tui.client.users import HttpUsers  # noqa: PLC0415 - see above

        return HttpUsers(self._connection)

    @cached_property
    def mentors(self) -> Mentors:
        from lms_tui.client.mentors import HttpMentors  # noqa: PLC0415 - see above

        return HttpMentors(self._connection)

    @cached_property
    def batches(self) -> Batches:
        from lms_tui.client.batches import HttpBatches  # noqa: PLC0415 - see above

        return HttpBatches(self._connection)

    @cached_property
    def videos(self) -> Videos:
        from lms_tui.client.videos import HttpVideos  # noqa: PLC0415 - see above

        return HttpVideos(self._connection)

    @cached_property
    def staff_exams(self) -> StaffExams:
        from lms_tui.client.staff_exams import HttpStaffExams  # noqa: PLC0415 - see above

        return HttpStaffExams(self._connection)

    async def me(self) -> CurrentUser:
        return identified(await self._connection.get(f"{_V22}/me/"), CurrentUser)

    async def stats(self) -> StudentStats:
        return parse(await self._connection.get("/api/v2.5/me/stats/"), StudentStats)

    async def sign_in_again(self, password: str, on_wait: OnWait | None = None) -> None:
        await self._renew(password, on_wait)

    async def close(self) -> None:
        await self._close_pictures()
        await self._connection.close()


def _exam_attempts(slug: str) -> str:
    return f"{_V22}/exams/{segment(slug)}/attempts/"


def _attempt(attempt_id: int) -> str:
    return f"{_V22}/attempts/{attempt_id}"


def _link(url: str) -> str:
    if not url:
        raise Defect("The server's reply has no address for this section.")
    return url
