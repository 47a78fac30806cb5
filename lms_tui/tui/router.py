"""Which screen stands for which place: profile, posts, courses, and what staff looks after."""

from typing import TYPE_CHECKING, cast

from lms_tui.tui.permissions import Permissions
from lms_tui.views.more import Destination

if TYPE_CHECKING:
    from textual.screen import Screen

    from lms_tui.attempt.ports import Clock
    from lms_tui.client.port import Lms
    from lms_tui.tui.messages import DestinationAsked
    from lms_tui.wire.mentors import Mentor
    from lms_tui.wire.users import CurrentUser
    from lms_tui.wire.videos import ContentDetails


class Router:
    """Lives as long as one sign-in. Screens are imported when they are first needed."""

    def __init__(self, lms: "Lms", user: "CurrentUser", clock: "Clock", *, badge: str = "") -> None:
        self._lms = lms
        self._user = user
        self._clock = clock
        self._badge = badge
        self.permissions = Permissions(lms)

    async def screen(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.MORE | Destination.PROFILE | Destination.PERSON | Destination.POST | Destination.COURSE:
                return await self._for_everyone(asked)
            case _:
                return self._for_staff(asked)

    async def _for_everyone(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.PROFILE:
                from lms_tui.tui.screens.profile.screen import ProfileScreen  # noqa: PLC0415 - when first asked for

                return ProfileScreen(self._lms, badge=self._badge)
            case Destination.PERSON:
                from lms_tui.tui.screens.profile.screen import PersonScreen, ProfileScreen  # noqa: PLC0415 - the same

                if asked.number == self._user.id:
                    return ProfileScreen(self._lms, badge=self._badge)
                return PersonScreen(self._lms, asked.number, badge=self._badge)
            case Destination.POST:
                from lms_tui.tui.screens.posts.screen import PostScreen  # noqa: PLC0415 - the same

                return PostScreen(self._lms, asked.name, badge=self._badge)
            case Destination.COURSE:
                from lms_tui.tui.screens.courses import screen  # noqa: PLC0415 - the same

                staff = await self.permissions.lets_play(asked.number)
                kind = screen.StaffCourseScreen if staff else screen.CourseScreen
                return kind(self._lms, asked.number, badge=self._badge)
            case _:
                from lms_tui.tui.screens.more.screen import MoreScreen  # noqa: PLC0415 - the same

                return MoreScreen(self.permissions, badge=self._badge)

    def _for_staff(self, asked: "DestinationAsked") -> "Screen[None]":
        match asked.place:
            case Destination.POSTS:
                from lms_tui.tui.screens.staff_posts.screen import PostsScreen  # noqa: PLC0415 - when first asked for

                return PostsScreen(self._lms, self._clock, badge=self._badge)
            case Destination.ACCOUNTS:
                from lms_tui.tui.screens.staff_users.screen import AccountsScreen  # noqa: PLC0415 - the same

                return AccountsScreen(self._lms, badge=self._badge)
            case Destination.MENTORS:
                from lms_tui.tui.screens.staff_mentors.screen import MentorsScreen  # noqa: PLC0415 - the same

                return MentorsScreen(self._lms, badge=self._badge)
            case Destination.STUDENTS:
                from lms_tui.tui.screens.staff_mentors.students import MentorStudentsScreen  # noqa: PLC0415 - the same

                return MentorStudentsScreen(self._lms, cast("Mentor", asked.about), badge=self._badge)
            case Destination.TOKENS:
                from lms_tui.tui.screens.staff_tokens.screen import TokensScreen  # noqa: PLC0415 - the same

                video = cast("ContentDetails", asked.about)
                return TokensScreen(self._lms, video, asked.name, self._clock, badge=self._badge)
            case _:
                from lms_tui.tui.screens.staff_batches.screen import BatchesScreen  # noqa: PLC0415 - the same

                return BatchesScreen(self._lms, badge=self._badge)
