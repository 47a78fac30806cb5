"""The server's clock, estimated from its replies, for the moment at which an answer was chosen (pure)."""

from datetime import datetime
from typing import Final

from lms_tui.common.frozen import frozen

DRIFT: Final = 1e-4
"""Seconds by which two clocks may drift apart in a second."""


@frozen
class ServerClock:
    """One estimate, made at `made_at` on the boot clock. It may be wrong by `error` seconds.

    `offset` is the time of the server in seconds since 1970 when the boot clock is 0.
    """

    offset: float
    error: float
    made_at: float

    @classmethod
    def from_reply(cls, told: datetime, asked_at: float, received_at: float) -> "ServerClock":
        """Estimate from a time that the server read between request and reply."""
        half = (received_at - asked_at) / 2
        return cls(told.timestamp() - asked_at - half, half, received_at)

    def refined(self, newer: "ServerClock") -> "ServerClock":
        """Return the more exact of two estimates, with the drift since this one was made."""
        drifted = self.error + DRIFT * (newer.made_at - self.made_at)
        return newer if newer.error <= drifted else self


def milliseconds(offset: float, boot: float) -> int:
    """Return the server's time at a moment of the boot clock, in milliseconds since 1970."""
    return max(1, round((offset + boot) * 1000))
