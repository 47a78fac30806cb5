"""The real clocks of this computer."""

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import anyio


class SystemClock:
    """The boot clock where the system has one (Linux), else the monotonic one, which may stand still in sleep."""

    def __init__(self) -> None:
        self._boot = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

    def boot(self) -> float:
        return time.clock_gettime(self._boot)

    def wall(self) -> float:
        return time.time()

    async def wait(self, wake: "anyio.Event", seconds: float | None) -> None:
        import anyio  # noqa: PLC0415 - the first screen needs the clock, not the keeper's library

        with anyio.move_on_after(seconds):
            await wake.wait()
