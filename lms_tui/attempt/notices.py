"""Notices of the institute during the exam: more time, a pause, a message."""

from lms_tui.attempt import mapping
from lms_tui.attempt.events import InstituteTold
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.ports import AttemptService, Clock
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError


class Notices:
    """Reads notices that a reply announces, shows them and tells the server so. A failure is tried again later."""

    def __init__(self, service: AttemptService, live: LiveSession, clock: Clock) -> None:
        self._service = service
        self._live = live
        self._clock = clock
        self._shown = self._newest = 0
        """The newest notice that was shown, and the newest that the server was told of."""

    async def follow(self, attempt: Attempt) -> None:
        """Look at a reply to start or heartbeat. Most announce nothing new, and cost nothing."""
        newest = mapping.notices_of(attempt).newest
        if newest <= self._newest:
            return
        try:
            found = await self._service.notices(attempt.id)
            unseen = [notice for notice in found if notice.seen is None and notice.id > self._newest]
            for notice in unseen:
                if notice.id > self._shown:
                    self._live.apply(InstituteTold(clean_line(notice.text), self._clock.boot()))
                    self._shown = notice.id
            if unseen:
                await self._service.notices_seen(attempt.id, unseen[-1].id)
        except ApiError:
            return
        self._newest = newest
