"""A boot clock that runs faster, so that waits for a real service are short."""

import time

import anyio


class FastClock:
    """`times`: how many seconds of this clock pass in a second."""

    speed = 1.0
    boot_id = ""

    def __init__(self, times: float) -> None:
        self._times = times

    def boot(self) -> float:
        return time.monotonic() * self._times

    def wall(self) -> float:
        return time.time()

    async def wait(self, wake: anyio.Event, seconds: float | None) -> None:
        with anyio.move_on_after(None if seconds is None else seconds / self._times):
            await wake.wait()
