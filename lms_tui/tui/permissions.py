"""Which commands for staff the service allows this user. The API names no roles, so the service is asked."""

from typing import TYPE_CHECKING

from lms_tui.wire.errors import ApiError, Refused

if TYPE_CHECKING:
    from lms_tui.client.port import Lms


class Permissions:
    """Each permission is asked for once. After a network error it is asked for again."""

    def __init__(self, lms: "Lms") -> None:
        self._lms = lms
        self._administers: bool | None = None
        self._watches: bool | None = None
        self._lets_play: bool | None = None

    async def administers(self) -> bool:
        """Return whether the user may edit accounts, mentors, batches and posts."""
        if self._administers is None:
            try:
                await self._lms.batches.page(1)
                self._administers = True
            except Refused:
                self._administers = False
            except ApiError:
                return False
        return self._administers

    async def watches(self) -> bool:
        """Return whether the user may watch the exams of the institute."""
        if self._watches is None:
            try:
                await self._lms.staff_exams.page(1)
                self._watches = True
            except Refused:
                self._watches = False
            except ApiError:
                return False
        return self._watches

    async def lets_play(self, course_id: int) -> bool:
        """Return whether the user may make playback tokens. Asks for one for the first video of the course."""
        if self._lets_play is None:
            try:
                contents = (await self._lms.videos.contents(course_id)).results.contents
                if not contents:
                    return False
                video = await self._lms.videos.details(contents[0].id)
                await self._lms.videos.tokens(video.uuid)
                self._lets_play = True
            except Refused:
                self._lets_play = False
            except ApiError:
                return False
        return self._lets_play
