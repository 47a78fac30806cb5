"""Limit the requests of a walk to a number a second."""

from collections.abc import Awaitable, Callable


class Pace:
    """Lets `rate` requests a second pass, at equal distances. All clients of a walk share it."""

    def __init__(self, rate: float, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]]) -> None:
        self._distance = 1 / rate
        self._now = now
        self._sleep = sleep
        self._free = 0.0

    async def wait(self) -> None:
        """Return when the next request may be sent."""
        now = self._now()
        mine = max(now, self._free)
        self._free = mine + self._distance
        if mine > now:
            await self._sleep(mine - now)
