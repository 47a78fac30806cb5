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


class ResumingClock(FastClock):
    """Runs only while its keeper waits. Requests take none of its time, however busy the machine is."""

    def __init__(self, times: float) -> None:
        super().__init__(times)
        self._passed = 0.0
        self._since: float | None = None
        self._longest: float | None = None

    def boot(self) -> float:
        if self._since is None:
            return self._passed
        gone = super().boot() - self._since
        return self._passed + (gone if self._longest is None else min(gone, self._longest))

    async def wait(self, wake: anyio.Event, seconds: float | None) -> None:
        self._since, self._longest = super().boot(), seconds
        try:
            await super().wait(wake, seconds)
        finally:
            self._passed, self._since = self.boot(), None
