"""How the walk lets time pass at the server: by waiting, by waiting less where its clock is fast, or by moving it."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

_LONGEST_WAIT: Final = 20.0
"""Seconds that the walk waits for one rule; with a clock that is fast, where waiting leads to something, longer."""
_LONGEST_FAST_WAIT: Final = 90.0
_BEYOND: Final = 120.0
_ON_ITS_WAY: Final = 15.0
"""Seconds that an answer may be on its way, which takes as long as ever where clocks are fast."""


class Passing(Protocol):
    """The server's time, in its seconds: `longest` can be let pass at once, `beyond` its end no server has excuses."""

    longest: float
    beyond: float

    def reading(self) -> float:
        """Seconds of the server since some moment, as far as is known here."""
        ...

    async def let_pass(self, seconds: float) -> None: ...


class Waiting:
    """The server's clock runs `speed` times as fast as ours (1: as every clock)."""

    def __init__(self, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]], speed: float = 1.0) -> None:
        self._now = now
        self._sleep = sleep
        self._speed = speed
        self.longest = (_LONGEST_FAST_WAIT if speed > 1 else _LONGEST_WAIT) * speed
        self.beyond = max(_BEYOND, _ON_ITS_WAY * speed)

    def reading(self) -> float:
        return self._now() * self._speed

    async def let_pass(self, seconds: float) -> None:
        await self._sleep(seconds / self._speed)


class Moving:
    """The server's clock can be moved: `move(seconds)` does it."""

    longest = float("inf")
    beyond = _BEYOND

    def __init__(self, now: Callable[[], float], move: Callable[[float], Awaitable[None]]) -> None:
        self._now = now
        self._move = move
        self._moved = 0.0

    def reading(self) -> float:
        return self._now() + self._moved

    async def let_pass(self, seconds: float) -> None:
        await self._move(seconds)
        self._moved += seconds
