"""Time left, from what the server said and a boot-clock reading: never from the wall clock, never by counting ticks.

All times are seconds of the boot clock, which also runs while the computer sleeps.
"""

from dataclasses import dataclass, replace

TOLERANCE = 1.0
"""A reply that moves the end by less is the network's jitter and moves nothing."""

LONGEST_TRIP = 30.0


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply with the time left. `remaining` is in seconds, and None means no time limit or unknown.

    `speed`: how many seconds of the clock pass in one; a network's jitter is not sped up with a dry run's time.
    """

    remaining: float | None
    asked_at: float
    received_at: float
    speed: float = 1.0

    @property
    def ends_at(self) -> float | None:
        """The server read its clock somewhere in the round trip, so half of it is taken off.

        All of it where it was too long to be a network's: the computer slept with the reply on its way.
        """
        if self.remaining is None:
            return None
        trip = self.received_at - self.asked_at
        return self.asked_at + (trip / 2 if trip <= LONGEST_TRIP * self.speed else 0.0) + max(0.0, self.remaining)


@dataclass(frozen=True, slots=True)
class Deadline:
    """`ends_at`: None where no clock ends this attempt; `asked_at`: when the reply believed now was asked for.

    `estimated`: the computer was restarted without contact. An estimate is shown and ends nothing.
    """

    ends_at: float | None = None
    asked_at: float = float("-inf")
    estimated: bool = False

    def adopt(self, reading: Reading) -> "Deadline":
        """Adopt a reading, unless a reply to a later request was adopted before."""
        if reading.asked_at < self.asked_at:
            return self
        told = reading.ends_at
        if self.estimated:
            return Deadline(told, reading.asked_at)
        if told is not None and self.ends_at is not None and abs(told - self.ends_at) < TOLERANCE * reading.speed:
            return replace(self, asked_at=reading.asked_at)
        return Deadline(told, reading.asked_at)

    def left(self, now: float) -> float | None:
        """Return the seconds left, at least 0, or None without a time limit."""
        return None if self.ends_at is None else max(0.0, self.ends_at - now)

    def over(self, now: float) -> bool:
        return self.wakes_at is not None and now >= self.wakes_at

    @property
    def wakes_at(self) -> float | None:
        """When the attempt has to be looked at because of the time; None where nothing is known to end it."""
        return None if self.estimated else self.ends_at
