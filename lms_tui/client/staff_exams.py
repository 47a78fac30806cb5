from collections.abc import AsyncIterator, Callable
from typing import Final

from lms_tui.client.address import segment
from lms_tui.client.connection import Connection
from lms_tui.client.optional_list import OptionalList
from lms_tui.client.pages import filled, identified, page_at, pages, parse
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.base import Input, Page
from lms_tui.wire.board import Board, Grant, Granted
from lms_tui.wire.grading import AnswerToMark, ExamResult, ExamStatistics, MarkInput, ReleasedMarks
from lms_tui.wire.staff_exams import StaffExam

_PATH: Final = "/api/v2.5/admin/exams/"


class HttpStaffExams:
    """The endpoints of exams for staff. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._listed = OptionalList(connection, _PATH, StaffExam, "exams for staff")

    async def page(self, number: int = 1) -> Page[StaffExam]:
        return await self._listed.page(number)

    async def board(self, slug: str, cursor: str = "") -> Board:
        return parse(await self._connection.get(f"{_PATH}{segment(slug)}/board/", filled({"cursor": cursor})), Board)

    async def grant(self, slug: str, grant: Grant) -> Granted:
        return parse(await self._send("POST", slug, "grants", grant), Granted)

    async def results(self, slug: str, number: int = 1) -> Page[ExamResult]:
        return await page_at(self._connection, f"{_PATH}{segment(slug)}/results/", ExamResult, number)

    async def results_file(self, slug: str, kind: str, progress: Callable[[int, int | None], None]) -> bytes:
        path = f"{_PATH}{segment(slug)}/results/file/?kind={kind}"
        return await self._connection.download(self._connection.resolve(path), "*/*", progress)

    async def gradebook_file(self, kind: str, slug: str, progress: Callable[[int, int | None], None]) -> bytes:
        only = f"&exam={segment(slug)}&questions=true" if slug else ""
        path = f"/api/v2.5/admin/gradebook/file/?kind={kind}{only}"
        return await self._connection.download(self._connection.resolve(path), "*/*", progress)

    async def statistics(self, slug: str) -> ExamStatistics:
        return parse(await self._connection.get(f"{_PATH}{segment(slug)}/statistics/"), ExamStatistics)

    def review(self, attempt_id: int) -> AsyncIterator[Page[ReviewQuestion]]:
        return pages(self._connection, f"/api/v2.5/admin/attempts/{attempt_id}/review/", ReviewQuestion)

    async def review_pdf(self, attempt_id: int, progress: Callable[[int, int | None], None]) -> bytes:
        path = f"/api/v2.5/admin/attempts/{attempt_id}/review/pdf/"
        return await self._connection.download(self._connection.resolve(path), "application/pdf", progress)

    async def answers_to_mark(self, slug: str, number: int = 1, *, question: int = 0) -> Page[AnswerToMark]:
        path = f"{_PATH}{segment(slug)}/answers-to-mark/"
        return await page_at(self._connection, path, AnswerToMark, number, question=str(question or ""))

    async def file(self, attempt_id: int, digest: str, progress: Callable[[int, int | None], None]) -> bytes:
        path = f"/api/v2.5/admin/attempts/{attempt_id}/files/{segment(digest)}"
        return await self._connection.download(self._connection.resolve(path), "*/*", progress)

    async def give_marks(self, slug: str, mark: MarkInput) -> AnswerToMark:
        return identified(await self._send("PUT", slug, "marks", mark), AnswerToMark)

    async def release_marks(self, slug: str, differ_by: str = "") -> ReleasedMarks:
        path = f"{_PATH}{segment(slug)}/marks/release/" + (f"?differ_by={segment(differ_by)}" if differ_by else "")
        return parse(await self._connection.send("POST", path), ReleasedMarks)

    async def _send(self, method: str, slug: str, verb: str, body: Input) -> object:
        return await self._connection.send(method, f"{_PATH}{segment(slug)}/{verb}/", body=body.fields())
