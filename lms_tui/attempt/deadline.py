"""The time left, from the server's replies and the boot clock.

The wall clock may be set, and ticks may be late, so neither is used.
All times are seconds of the boot clock, which also runs while the computer sleeps.
"""

from dataclasses import replace

from lms_tui.common.frozen import frozen

TOLERANCE = 1.0
"""Seconds. A reply that moves the end by less only shows the jitter of the network, and the end stays."""

LONGEST_TRIP = 30.0


@frozen
class Reading:
    """A reply with the time left.

    `remaining` is in seconds. It is None without a time limit, or if the time left is unknown. `speed` is how many
    seconds of the clock pass in a real second. A dry run can have a faster clock. `paused`: the server's clock of the
    attempt stands still. `allowed`: seconds from the start to the end of the attempt, or None if the server does not
    tell them.
    """

    remaining: float | None
    asked_at: float
    received_at: float
    speed: float = 1.0
    paused: bool = False
    allowed: float | None = None

    @property
    def ends_at(self) -> float | None:
        """Return the end of the time, or None without a time limit.

        The server read its clock at some moment of the round trip, so the middle is used. After a very long round trip
        the start is used, because the computer slept while the reply was on its way.
        """
        if self.remaining is None:
            return None
        return self.asked_at + (0.0 if self._slept else self._trip / 2) + max(0.0, self.remaining)

    @property
    def error(self) -> float:
        """Return the seconds by which `ends_at` may be wrong."""
        return self._trip if self._slept else self._trip / 2

    def agrees_with(self, ends_at: float) -> bool:
        """Return whether the server may have read its clock at a moment of the round trip that gives this end."""
        read_at = ends_at - max(0.0, self.remaining or 0.0)
        slack = TOLERANCE * self.speed
        return self.asked_at - slack < read_at < self.received_at + slack

    @property
    def _trip(self) -> float:
        return self.received_at - self.asked_at

    @property
    def _slept(self) -> bool:
        return self._trip > LONGEST_TRIP * self.speed


@frozen
class Deadline:
    """The end of the time of an attempt.

    `ends_at` is None without a time limit. `asked_at` is when the reply was requested that gave `ends_at`. `estimated`
    is true if the computer was restarted and the server has not replied since. An estimate is shown but never ends the
    attempt. `stopped_at` is since when the clock of the attempt stands still, or None while it runs. `allowed` is that
    of the reading. `error`: the seconds by which `ends_at` may be wrong, because its reply took long.
    """

    ends_at: float | None = None
    asked_at: float = float("-inf")
    estimated: bool = False
    stopped_at: float | None = None
    allowed: float | None = None
    error: float = 0.0

    def adopt(self, reading: Reading) -> "Deadline":
        """Adopt a reading, unless a reply to a later request was adopted before.

        A reply that took long does not move an end that it agrees with. A more exact one does.
        """
        if reading.asked_at < self.asked_at:
            return self
        told = reading.ends_at
        if reading.paused and told is not None and reading.remaining is not None:
            stopped_at = told - max(0.0, reading.remaining)
            return Deadline(told, reading.asked_at, stopped_at=stopped_at, allowed=reading.allowed, error=reading.error)
        known = self.ends_at if self.stopped_at is None and not self.estimated else None
        if told is None or known is None:
            return Deadline(told, reading.asked_at, allowed=reading.allowed, error=reading.error)
        moved = abs(told - known)
        exact = reading.error < self.error and moved >= TOLERANCE * reading.speed
        if exact or not reading.agrees_with(known):
            return Deadline(told, reading.asked_at, allowed=reading.allowed, error=reading.error)
        error = min(self.error, moved + reading.error)
        return replace(self, asked_at=reading.asked_at, allowed=reading.allowed, error=error)

    def left(self, now: float) -> float | None:
        """Return the seconds left, at least 0, or None without a time limit."""
        now = now if self.stopped_at is None else self.stopped_at
        return None if self.ends_at is None else max(0.0, self.ends_at - now)

    def over(self, now: float) -> bool:
        return self.wakes_at is not None and now >= self.wakes_at

    @property
    def wakes_at(self) -> float | None:
        """When the time is over, or None without a time limit, with an estimate only or while the clock is stopped."""
        return None if self.estimated or self.stopped_at is not None else self.ends_at
