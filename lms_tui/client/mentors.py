from collections.abc import Sequence
from typing import Final

from lms_tui.client.connection import Connection
from lms_tui.client.pages import identified, parse_page
from lms_tui.wire.mentors import CreatedMentor, Mentor, MentorStudent, NewMentor

_NEWEST: Final = "/api/v2.5/admin/mentors/"
_LIST: Final = "/api/v2.3/admin/mentors/"
_OLDER: Final = "/api/v2.2/admin/mentors/"


class HttpMentors:
    """The endpoints of mentors, whose lists are arrays. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def create(self, mentor: NewMentor) -> CreatedMentor:
        return identified(await self._connection.send("POST", _NEWEST, body=mentor.fields()), CreatedMentor)

    async def create_with_students(self, mentor: NewMentor) -> Mentor:
        return identified(await self._connection.send("POST", _OLDER, body=mentor.fields()), Mentor)

    async def all(self) -> list[Mentor]:
        return list(parse_page(await self._connection.get(_LIST), Mentor).results)

    async def all_older(self) -> list[Mentor]:
        return list(parse_page(await self._connection.get(_OLDER), Mentor).results)

    async def students(self, mentor_id: int) -> list[MentorStudent]:
        tree = await self._connection.get(f"{_LIST}{mentor_id}/students/")
        return list(parse_page(tree, MentorStudent).results)

    async def assign(self, mentor_id: int, usernames: Sequence[str]) -> list[MentorStudent]:
        tree = await self._connection.send("POST", f"{_LIST}{mentor_id}/students", body=_named(usernames))
        return list(parse_page(tree, MentorStudent).results)

    async def remove(self, mentor_id: int, usernames: Sequence[str]) -> None:
        await self._connection.send("DELETE", f"{_LIST}{mentor_id}/students", body=_named(usernames))


def _named(usernames: Sequence[str]) -> dict[str, list[str]]:
    return {"students_username": list(usernames)}
