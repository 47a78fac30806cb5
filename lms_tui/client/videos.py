from lms_tui.client.address import segment
from lms_tui.client.connection import Connection
from lms_tui.client.optional_list import OptionalList
from lms_tui.client.pages import MOST_PAGES, filled, identified, page_at, parse
from lms_tui.wire.base import Page
from lms_tui.wire.errors import Defect, NotTheService
from lms_tui.wire.videos import (
    ContentDetails,
    Course,
    CourseContent,
    CourseContentsPage,
    OwnContent,
    PlaybackToken,
    PlaybackTokenInput,
)


class HttpVideos:
    """The endpoints of video embedding. Requests that change something are sent once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._courses = OptionalList(connection, "/api/v2.5/me/courses/", Course, "courses")
        self._own = OptionalList(connection, "/api/v2.5/me/contents/", OwnContent, "videos")

    async def courses(self, number: int = 1) -> Page[Course]:
        return await self._courses.page(number)

    async def own_contents(self, kind: str = "video", number: int = 1) -> Page[OwnContent]:
        return await self._own.page(number, type=kind)

    async def contents(self, course_id: int, kind: str = "video", number: int = 1) -> CourseContentsPage:
        query = {"type": kind, "page": "" if number <= 1 else str(number)}
        tree = await self._connection.get(f"/api/v3/courses/{course_id}/contents/", filled(query))
        if not isinstance(tree, dict) or not isinstance(tree.get("results"), dict):
            raise NotTheService("The server's reply is not the contents of a course.")
        return parse(tree, CourseContentsPage)

    async def every_content(self, course_id: int, kind: str = "video") -> list[CourseContent]:
        """Return the items of all pages, each once. Pages are read by number, because their links are not trusted."""
        found: dict[int, CourseContent] = {}
        for number in range(1, MOST_PAGES + 1):
            page = await self.contents(course_id, kind, number)
            fresh = {content.id: content for content in page.results.contents if content.id not in found}
            found |= fresh
            if not page.next or not fresh:
                return list(found.values())
        raise Defect("The list on the server has no end.")

    async def details(self, content_id: int) -> ContentDetails:
        tree = await self._connection.get(f"/api/v2.4/contents/{content_id}/")
        return identified(tree, ContentDetails, content_id)

    async def create_token(self, uuid: str, token: PlaybackTokenInput) -> PlaybackToken:
        return _playable(await self._connection.send("POST", _tokens(uuid), body=token.fields()))

    async def tokens(self, uuid: str, number: int = 1, *, status: str = "") -> Page[PlaybackToken]:
        return await page_at(self._connection, _tokens(uuid), PlaybackToken, number, status=status)

    async def token(self, uuid: str, code: str) -> PlaybackToken:
        return _playable(await self._connection.get(f"{_tokens(uuid)}{segment(code)}/"))

    async def update_token(self, uuid: str, code: str, changes: PlaybackTokenInput) -> PlaybackToken:
        tree = await self._connection.send("PUT", f"{_tokens(uuid)}{segment(code)}/", body=changes.fields())
        return _playable(tree)


def _tokens(uuid: str) -> str:
    return f"/api/v2.5/admin/videos/{segment(uuid)}/access-tokens/"


def _playable(tree: object) -> PlaybackToken:
    """Read a token. A browser opens its address, which must therefore be http or https."""
    token = parse(tree, PlaybackToken)
    if not token.code or not token.playback_url.startswith(("https://", "http://")):
        raise NotTheService("The server's reply is not a playback token.")
    return token
