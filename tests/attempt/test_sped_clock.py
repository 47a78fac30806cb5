"""The clock of a dry run that is sped up, and what of the engine is not sped up with it."""

import anyio

from lms_tui.attempt.clock import SpedClock, SystemClock
from lms_tui.attempt.deadline import Deadline, Reading


def test_both_clocks_run_faster_from_the_moment_that_was_given() -> None:
    true = SystemClock()
    before = true.boot()
    clock = SpedClock(500, 1_000_000.0)
    begun = clock.boot()
    gone, wall = clock.boot() - begun, clock.wall() - 1_000_000.0
    after = true.boot()
    assert 0 <= gone <= wall <= (after - before) * 500


async def test_an_hour_is_waited_for_in_a_fraction_of_a_second() -> None:
    clock = SpedClock(1_000_000, 0.0)
    begun = clock.boot()
    await clock.wait(anyio.Event(), 3600.0)
    assert clock.boot() - begun > 3000.0


def test_jitter_of_the_network_moves_nothing_at_any_speed() -> None:
    first = Deadline().adopt(Reading(600.0, 0.0, 0.0, speed=200))
    assert first.adopt(Reading(600.0, 10.0, 20.0, speed=200)).ends_at == first.ends_at
    assert first.adopt(Reading(600.0, 500.0, 500.0, speed=200)).ends_at == 1100.0
