"""The real clocks of this computer."""

import contextlib
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lms_tui.common.boot_clock import find_boot_clock

if TYPE_CHECKING:
    import anyio


_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


class SystemClock:
    """The clocks of the computer. `boot` runs on in sleep, as `find_boot_clock` tells."""

    speed: float = 1.0

    def __init__(self) -> None:
        self._boot = find_boot_clock()

    def boot(self) -> float:
        return self._boot()

    @property
    def boot_id(self) -> str:
        with contextlib.suppress(OSError):
            return _BOOT_ID.read_text(encoding="ascii").strip()
        return ""

    def wall(self) -> float:
        return time.time()

    async def wait(self, wake: "anyio.Event", seconds: float | None) -> None:
        import anyio  # noqa: PLC0415 - the first screen needs the clock, not the keeper's library

        with anyio.move_on_after(seconds):
            await wake.wait()


class SpedClock(SystemClock):
    """A dry run's clocks: both run `speed` times faster than the computer's, the wall clock from `since` on."""

    def __init__(self, speed: float, since: float) -> None:
        super().__init__()
        self.speed = speed
        self._since = since
        self._begun = super().boot()

    def boot(self) -> float:
        return self._begun + self._gone()

    @property
    def boot_id(self) -> str:
        return ""

    def wall(self) -> float:
        return self._since + self._gone()

    async def wait(self, wake: "anyio.Event", seconds: float | None) -> None:
        await super().wait(wake, None if seconds is None else seconds / self.speed)

    def _gone(self) -> float:
        return (super().boot() - self._begun) * self.speed
