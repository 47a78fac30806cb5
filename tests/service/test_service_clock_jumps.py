"""A clock that jumps does not end running exams until the jump is confirmed."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import httpx
import pytest

from lms_tui.service.attempts.sweep import sweep_by
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.steady_clock import SteadyClock
from lms_tui.service.server.app import create_app
from tests.service.service_world import START, Caller, FakeClock, World, sums

HOUR = timedelta(hours=1)


class Computer:
    """The clocks of a computer, and a service that reads them."""

    def __init__(self, wall: FakeClock) -> None:
        self.wall = wall
        self.passed = 1_000.0
        self.clock = SteadyClock(wall, lambda: self.passed)

    def run(self, seconds: float, *, drift: float = 0.0) -> datetime:
        self.passed += seconds
        self.wall.move(seconds=seconds + drift)
        return self.clock()


@pytest.fixture
def computer(world: World) -> Computer:
    return Computer(world.clock)


def jumps(caplog: pytest.LogCaptureFixture) -> int:
    return sum("jumped" in record.message for record in caplog.records if record.levelno == logging.WARNING)


@pytest.mark.parametrize("jump", [-3600, -61, 61, 3600, 86_400 * 365])
def test_a_jump_is_logged_once_and_not_followed(caplog: pytest.LogCaptureFixture, jump: float) -> None:
    computer = Computer(FakeClock())
    assert computer.run(10) == START + timedelta(seconds=10)
    assert computer.run(10, drift=jump) == START + timedelta(seconds=20)
    assert computer.run(10) == START + timedelta(seconds=30)
    assert jumps(caplog) == 1
    assert f"{jump} s" in caplog.text
    assert computer.run(10, drift=-jump) == START + timedelta(seconds=40)
    assert computer.run(10, drift=jump) == START + timedelta(seconds=50)
    assert jumps(caplog) == 2


def test_corrections_are_followed_however_many_they_are(caplog: pytest.LogCaptureFixture) -> None:
    computer = Computer(FakeClock())
    for _ in range(100):
        assert computer.run(60, drift=59) == computer.wall.now
    assert computer.wall.now == START + 100 * timedelta(seconds=119)
    assert jumps(caplog) == 0


@pytest.mark.parametrize("right", [True, False])
def test_a_jump_is_followed_once_it_is_confirmed(right: bool) -> None:
    computer = Computer(FakeClock())
    computer.run(10, drift=3600)
    asked = []

    def is_right(now: datetime) -> bool:
        asked.append(now)
        return right

    computer.clock.settle(is_right)
    assert computer.clock() == (computer.wall.now if right else START + timedelta(seconds=10))
    computer.clock.settle(is_right)
    assert asked == [computer.wall.now] * (1 if right else 2)


def test_without_a_jump_nobody_is_asked() -> None:
    computer = Computer(FakeClock())
    computer.run(3600)
    computer.clock.settle(lambda _: pytest.fail("asked"))


async def after_jump(world: World, computer: Computer) -> int:
    """Start an exam of 30 minutes, let the clock jump, sweep, and return how many attempts that ended."""
    app = create_app(world.settings, world.database, computer.clock)
    world.add_exam(sums())
    asha = Caller(
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lms.test"), world.caller("asha").headers
    )
    attempt = await asha.create("sums")
    computer.run(60, drift=HOUR.total_seconds())
    ended = sweep_by(computer.clock, world.database, "one", grace=timedelta(seconds=10), lasts=HOUR)
    beat = await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert (beat.status_code == 200) is (ended == 0)
    if ended == 0:
        assert beat.json()["remaining_time"].startswith("0:29:00")
    await asha.http.aclose()
    return ended


def opinion(monkeypatch: pytest.MonkeyPatch, shown: Callable[[], datetime]) -> None:
    monkeypatch.setattr(Database, "clock", lambda _database, _session: shown())


async def test_a_jump_that_the_database_does_not_share_ends_no_exam(
    world: World, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opinion(monkeypatch, lambda: computer.wall.now - HOUR)
    assert await after_jump(world, computer) == 0


async def test_a_jump_that_the_database_shares_ends_what_is_over(
    world: World, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opinion(monkeypatch, lambda: computer.wall.now + timedelta(seconds=5))
    # The clock of SQLite is the computer's, which cannot confirm itself.
    assert await after_jump(world, computer) == (0 if world.database.is_sqlite else 1)


async def test_a_jump_is_followed_while_no_exam_runs(
    world: World, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    opinion(monkeypatch, lambda: START)
    computer.run(60, drift=HOUR.total_seconds())
    sweep_by(computer.clock, world.database, "one", grace=timedelta(seconds=10), lasts=HOUR)
    assert computer.clock() == computer.wall.now
