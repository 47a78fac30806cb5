"""The clocks of the computer and of a dry run that is sped up."""

import subprocess
import sys
import time

import anyio
import pytest

from lms_tui.attempt.clock import SpedClock, SystemClock
from lms_tui.attempt.deadline import Deadline, Reading


def test_both_clocks_run_faster_from_the_given_moment() -> None:
    true = SystemClock()
    before = true.boot()
    clock = SpedClock(500, 1_000_000.0)
    begun = clock.boot()
    gone, wall = clock.boot() - begun, clock.wall() - 1_000_000.0
    after = true.boot()
    assert 0 <= gone <= wall <= (after - before) * 500


async def test_a_fast_clock_waits_an_hour_in_a_fraction_of_a_second() -> None:
    clock = SpedClock(1_000_000, 0.0)
    begun = clock.boot()
    await clock.wait(anyio.Event(), 3600.0)
    assert clock.boot() - begun > 3000.0


def test_network_jitter_does_not_move_the_end_at_any_speed() -> None:
    first = Deadline().adopt(Reading(600.0, 0.0, 0.0, speed=200))
    assert first.adopt(Reading(600.0, 10.0, 20.0, speed=200)).ends_at == first.ends_at
    assert first.adopt(Reading(600.0, 500.0, 500.0, speed=200)).ends_at == 1100.0


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="this system has no clock that runs on in sleep")
def test_the_boot_clock_also_counts_sleep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "clock_gettime", {time.CLOCK_BOOTTIME: 7200.0, time.CLOCK_MONOTONIC: 60.0}.__getitem__)
    assert SystemClock().boot() == 7200.0


def test_the_monotonic_clock_is_used_without_a_boot_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
    assert abs(SystemClock().boot() - time.monotonic()) < 1.0


def test_two_hours_of_sleep_are_counted() -> None:
    code = "import time; from lms_tui.attempt.clock import SystemClock; print(SystemClock().boot() - time.monotonic())"
    namespace = ["unshare", "--user", "--map-root-user", "--time", "--fork", "--boottime", "7200", "--monotonic", "0"]
    here = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    try:
        done = subprocess.run([*namespace, sys.executable, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        done = None
    if done is None or done.returncode:
        return  # this system gives no time namespaces; the clock that is read is proved above
    assert float(done.stdout) - float(here.stdout) == pytest.approx(7200.0, abs=1.0)
