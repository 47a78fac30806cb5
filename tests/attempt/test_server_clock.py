"""The estimate of the server's clock, and with it the order of choices of two devices whose clocks differ."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from lms_tui.attempt.server_clock import DRIFT, ServerClock, milliseconds

START = datetime(2026, 3, 1, tzinfo=UTC)


def told(clock: float) -> datetime:
    return START + timedelta(seconds=clock)


def test_an_estimate_is_wrong_by_at_most_half_of_the_round_trip() -> None:
    random = Random(1)
    for _ in range(200):
        there, back = random.uniform(0, 2), random.uniform(0, 2)
        boot = random.uniform(0, 1e6)
        clock = ServerClock.from_reply(told(100.0), boot - there, boot + back)
        true = round(told(100.0).timestamp() * 1000)
        assert abs(milliseconds(clock.offset, boot) - true) <= 1000 * (there + back) / 2 + 1
        assert clock.error == pytest.approx((there + back) / 2)


def test_a_shorter_round_trip_replaces_the_estimate_and_a_longer_one_does_not() -> None:
    slow, fast = ServerClock.from_reply(told(0), 0.0, 10.0), ServerClock.from_reply(told(20), 20.0, 20.1)
    assert slow.refined(fast) == fast
    assert fast.refined(ServerClock.from_reply(told(40), 40.0, 50.0)) == fast


def test_an_old_estimate_is_replaced_when_drift_makes_it_less_exact() -> None:
    old = ServerClock.from_reply(told(0), 0.0, 0.1)
    late = 2 / DRIFT
    newer = ServerClock.from_reply(told(late), late, late + 2.0)
    assert old.refined(newer) == newer


def test_choices_of_two_devices_are_ordered_if_both_estimates_allow_it() -> None:
    random = Random(2)
    for _ in range(200):
        offsets = []
        for _device in range(2):
            boot, there, back = random.uniform(0, 1e6), random.uniform(0, 1), random.uniform(0, 1)
            offsets.append((boot, ServerClock.from_reply(told(50.0), boot - there, boot + back)))
        (first, early), (second, late) = offsets
        apart = early.error + late.error + 0.002
        assert milliseconds(early.offset, first + 7) < milliseconds(late.offset, second + 7 + apart)
