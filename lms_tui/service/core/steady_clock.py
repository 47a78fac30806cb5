"""The clock of an institute, which does not follow a jump of the computer's clock at once."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from lms_tui.common.boot_clock import find_boot_clock
from lms_tui.service.core.settings import Clock, system_clock

LARGEST_STEP: Final = timedelta(seconds=60)
"""The largest difference that counts as a correction of the clock, and not as a jump."""
_LOG: Final = logging.getLogger("lms_tui.service")


seconds_since_boot: Final = find_boot_clock()


class SteadyClock:
    """Shows the time of the computer, and continues steadily after a jump until somebody confirms the new time.

    A wrong time would end running exams, and nothing could reopen them.
    """

    def __init__(self, wall: Clock = system_clock, passed: Callable[[], float] = seconds_since_boot) -> None:
        self._wall = wall
        self._passed = passed
        self._began = wall() - timedelta(seconds=passed())
        self._is_held = False

    def __call__(self) -> datetime:
        now, passed = self._wall(), timedelta(seconds=self._passed())
        steady = self._began + passed
        if abs(now - steady) <= LARGEST_STEP:
            self._follow(now, passed)
            return now
        if not self._is_held:
            self._is_held = True
            _LOG.warning(
                "the clock of this computer jumped by %d s; running exams keep the time from before it",
                (now - steady).total_seconds(),
            )
        return steady

    def settle(self, is_right: Callable[[datetime], bool]) -> None:
        """After a jump, ask whether the time of the computer is right, and follow it if so."""
        self()
        if self._is_held and is_right(now := self._wall()):
            self._follow(now, timedelta(seconds=self._passed()))

    def _follow(self, now: datetime, passed: timedelta) -> None:
        self._began = now - passed
        if self._is_held:
            self._is_held = False
            _LOG.warning("the service follows the clock of this computer again")
