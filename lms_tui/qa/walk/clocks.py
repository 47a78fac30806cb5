"""Three ways to let the server's time pass: wait, wait less if its clock is fast, or move its clock."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

_LONGEST_WAIT: Final = 20.0
"""Seconds of our time that the walk waits for one rule."""
_LONGEST_FAST_WAIT: Final = 90.0
"""The same if the server's clock is fast, because the wait then covers a whole exam."""
_GRACE: Final = 120.0
_LATENCY: Final = 15.0
"""Seconds of our time that an answer may take to arrive. A fast clock does not shorten it."""


class ServerClock(Protocol):
    """The server's time in seconds.

    `longest_wait` is the most that `let_pass` accepts at once. A server must refuse answers `grace` seconds after the
    end of an exam.
    """

    longest_wait: float
    grace: float

    def now(self) -> float:
        """Seconds of the server since some moment, estimated on this computer."""
        ...

    async def let_pass(self, seconds: float) -> None: ...


class WaitingClock:
    """A server's clock that runs `speed` times as fast as ours."""

    def __init__(self, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]], speed: float = 1.0) -> None:
        self._now = now
        self._sleep = sleep
        self._speed = speed
        self.longest_wait = (_LONGEST_FAST_WAIT if speed > 1 else _LONGEST_WAIT) * speed
        self.grace = max(_GRACE, _LATENCY * speed)

    def now(self) -> float:
        return self._now() * self._speed

    async def let_pass(self, seconds: float) -> None:
        await self._sleep(seconds / self._speed)


class MovableClock:
    """A server's clock that `move(seconds)` sets forward."""

    longest_wait = float("inf")
    grace = _GRACE

    def __init__(self, now: Callable[[], float], move: Callable[[float], Awaitable[None]]) -> None:
        self._now = now
        self._move = move
        self._moved = 0.0

    def now(self) -> float:
        return self._now() + self._moved

    async def let_pass(self, seconds: float) -> None:
        await self._move(seconds)
        self._moved += seconds
