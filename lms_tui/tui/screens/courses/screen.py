"""The contents of a course. Staff can play videos and manage their playback tokens."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import work
from textual.binding import BindingType

from lms_tui.common.cleaning import clean_line
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.filtered import FilteredScreen
from lms_tui.tui.screens.staff_tokens.opening import open_in_browser
from lms_tui.views import courses as present
from lms_tui.views.listing import Listing
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.errors import ApiError
from lms_tui.wire.videos import ContentDetails, CourseContent, PlaybackTokenInput

if TYPE_CHECKING:
    from lms_tui.client.port import Lms

_LIFE: Final = 6 * 3600
"""Seconds until a link for one view in the browser expires, and with it the playback."""


class CourseScreen(FilteredScreen[CourseContent]):
    """The contents of a course. The cursor goes to `content` when that is loaded."""

    WHERE = Where.COURSE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Course"
    EMPTY = "This course has no contents yet. Press esc to go back."
    PLAYS: ClassVar[bool] = False

    def __init__(
        self, lms: "Lms", course_id: int, name: str = "", content: CourseContent | None = None, *, badge: str = ""
    ) -> None:
        super().__init__(lms, badge=badge)
        self._content_key = self.identity(content) if content is not None else ""
        self._course_id = course_id
        self._course = clean_line(name)
        self._known: dict[int, ContentDetails] = {}

    @property
    def about(self) -> str:
        return self._course or f"ID {self._course_id}"

    async def page(self, number: int, wanted: str) -> Page[CourseContent]:  # noqa: ARG002 - filtered here
        page = await self._lms.videos.contents(self._course_id, "", number)
        return Page[CourseContent].model_construct(
            count=page.count, next=page.next, previous=None, per_page=page.per_page, results=page.results.contents
        )

    def identity(self, item: CourseContent) -> str:
        return str(item.id)

    def draw(self, key: str = "") -> None:
        if self._content_key in self._items:
            key, self._content_key = self._content_key, ""
        super().draw(key)
        if self._content_key:
            self.load_more()  # it may be on a later page

    @property
    def listing(self) -> Listing[CourseContent]:
        return present.LISTING

    def details(self, item: CourseContent, room: int) -> Sequence[Row]:
        return present.details(item, self._known.get(item.id), room, plays=self.PLAYS)

    def action_open_item(self) -> None:
        super().action_open_item()
        self._fetch()

    @work(name="details", group="details", exclusive=True)
    async def _fetch(self) -> None:
        await self.fetch_details()

    async def fetch_details(self) -> ContentDetails | None:
        """Fetch the details of the selected content once. Return None on an error, or if nothing is selected."""
        content = self.chosen
        if content is None:
            return None
        if content.id not in self._known:
            try:
                self._known[content.id] = await self._lms.videos.details(content.id)
            except ApiError as error:
                await self.explain(error)
                return None
            self.show_details()
        return self._known[content.id]


class StaffCourseScreen(CourseScreen):
    WHERE = Where.STAFF_COURSE
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    PLAYS = True

    async def _video(self) -> ContentDetails | None:
        if self.chosen is None or not present.is_video(self.chosen):
            self.tell("Select a video.")
            return None
        return await self.fetch_details()

    @work(name="play", group="play", exclusive=True)
    async def action_play(self) -> None:
        """Create a link for one view and open it in the browser. The link is never shown."""
        video = await self._video()
        if video is None:
            return
        asked = PlaybackTokenInput(time_to_live=_LIFE, expires_after_first_usage=True)
        try:
            token = await self._lms.videos.create_token(video.uuid, asked)
        except ApiError as error:
            await self.explain(error)
            return
        await open_in_browser(self.app, token.playback_url)

    @work(name="tokens", group="tokens", exclusive=True)
    async def action_tokens(self) -> None:
        content, video = self.chosen, await self._video()
        if content is not None and video is not None:
            self.post_message(DestinationAsked(Destination.TOKENS, name=content.title, about=video))
