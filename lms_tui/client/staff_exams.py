from typing import Final

from lms_tui.client.address import segment
from lms_tui.client.connection import Connection
from lms_tui.client.optional_list import OptionalList
from lms_tui.client.pages import filled, parse
from lms_tui.wire.base import Input, Page
from lms_tui.wire.board import Board, Grant, Granted
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

    async def _send(self, method: str, slug: str, verb: str, body: Input) -> object:
        return await self._connection.send(method, f"{_PATH}{segment(slug)}/{verb}/", body=body.fields())
