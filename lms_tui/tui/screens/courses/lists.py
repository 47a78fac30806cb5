"""The courses of the user, and the videos of all of them."""

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual.binding import BindingType

from lms_tui.tui import dialogs
from lms_tui.tui.commands import Where, bindings
from lms_tui.tui.messages import DestinationAsked
from lms_tui.tui.screens.resource.filtered import BrowseScreen
from lms_tui.views import courses as present
from lms_tui.views.forms import identifier
from lms_tui.views.listing import Listing
from lms_tui.views.more import Destination
from lms_tui.views.rows import Row
from lms_tui.wire.base import Page
from lms_tui.wire.videos import Course, OwnContent

Item = TypeVar("Item", Course, OwnContent)


class _CourseBrowser(BrowseScreen[Item]):
    ADVICE = "Press {key} to open a course by its ID."
    ASK = "course_by_id"

    def identity(self, item: Item) -> str:
        return str(item.id)

    def action_course_by_id(self) -> None:
        self.ask()

    async def asked(self) -> DestinationAsked | None:
        number = await dialogs.ask_text(
            self.app,
            "Find a course",
            "Course ID (in the address of the course on your institute's website)",
            placeholder="course ID",
            check=identifier,
        )
        return DestinationAsked(Destination.COURSE, number=int(number)) if number else None


class CoursesScreen(_CourseBrowser[Course]):
    WHERE = Where.COURSES
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Courses"
    EMPTY = "Nothing yet: the courses that your institute gives you appear here."

    async def page(self, number: int, wanted: str) -> Page[Course]:  # noqa: ARG002 - filtered here
        return await self._lms.videos.courses(number)

    @property
    def listing(self) -> Listing[Course]:
        return present.COURSES

    def details(self, item: Course, room: int) -> Sequence[Row]:
        return present.course_details(item, room)

    def opened(self, item: Course) -> DestinationAsked:
        return DestinationAsked(Destination.COURSE, number=item.id, name=item.name)


class VideosScreen(_CourseBrowser[OwnContent]):
    """Enter opens the course of a video with the cursor on the video, where staff play it."""

    WHERE = Where.VIDEOS
    BINDINGS: ClassVar[list[BindingType]] = bindings(WHERE)
    NAME = "Videos"
    EMPTY = "Nothing yet: the videos of your courses appear here."

    async def page(self, number: int, wanted: str) -> Page[OwnContent]:  # noqa: ARG002 - filtered here
        return await self._lms.videos.own_contents("video", number)

    @property
    def listing(self) -> Listing[OwnContent]:
        return present.VIDEOS

    def words(self, item: OwnContent) -> str:
        return present.video_words(item)

    def details(self, item: OwnContent, room: int) -> Sequence[Row]:
        return present.video_details(item, room)

    def opened(self, item: OwnContent) -> DestinationAsked:
        return DestinationAsked(Destination.COURSE, number=item.course_id, name=item.course, about=item)
