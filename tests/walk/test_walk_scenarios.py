"""Every included scenario passes, and an error in a scenario file names its step."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from lms_tui.client.connection import Access
from lms_tui.qa.scenarios.player import Target, play
from lms_tui.qa.scenarios.scenario import (
    ScenarioError,
    checklist,
    included_scenarios,
    parse_scenario,
    read_scenario,
    time_of,
)
from lms_tui.qa.walk.clocks import MovableClock
from lms_tui.service.demo.institute import build_institute
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.routes import install
from tests.service.service_world import World
from tests.walk.walk_world import ASHA, BASE, RAVI, at_file


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The practice institute in an SQLite file, to copy."""
    folder = tmp_path_factory.mktemp("demo")
    world = World.at(folder)
    service = world.app.service
    build_institute(world.database, service.passwords, world.clock(), service.media)
    world.database.close()
    return folder / "service.sqlite3"


@asynccontextmanager
async def stage(file: Path, folder: Path) -> AsyncIterator[Target]:
    """A practice institute with a movable clock and faults."""
    world = at_file(file, folder)
    bench = FaultInjector([], 0, world.clock)
    transport = httpx.ASGITransport(install(world.app, world.app.routes, bench), raise_app_exceptions=False)

    async def move(seconds: float) -> None:
        world.clock.move(seconds=seconds)

    async def fault(text: str) -> None:
        if text:
            bench.add(text)
        else:
            bench.clear()

    accounts = {"asha": ASHA, "ravi": RAVI}
    yield Target(BASE, accounts, Access(transport=transport), MovableClock(lambda: 0.0, move), fault)
    await world.close()


def test_at_least_twenty_scenarios_are_included() -> None:
    assert len(included_scenarios()) >= 20


@pytest.mark.parametrize(
    "file", [file for file in included_scenarios() if not read_scenario(file).needs_app], ids=lambda file: file.stem
)
async def test_included_scenario_passes(file: Path, demo_file: Path, tmp_path: Path) -> None:
    async with stage(demo_file, tmp_path / "service") as target:
        outcomes = await play(read_scenario(file), target)
    assert [one for one in outcomes if one.problems] == []


@pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them")
def test_included_scenario_of_the_app_passes() -> None:
    # Each takes some seconds: the app runs in a pty and the service in a process.
    names = [file.stem for file in included_scenarios() if read_scenario(file).needs_app]
    assert len(names) >= 2
    ended = subprocess.run(
        [sys.executable, "-m", "lms_tui", "walk", "run", *names],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.endswith(f"{len(names)} of {len(names)} scenarios passed.\n")


@pytest.mark.parametrize("file", included_scenarios(), ids=lambda file: file.stem)
def test_scenario_can_be_followed_by_hand(file: Path) -> None:
    scenario = read_scenario(file)
    lines = list(checklist(scenario))
    assert lines[0] == scenario.title
    assert sum(line.startswith("[ ]") for line in lines) == len(scenario.steps)


async def test_unmet_expectation_is_reported_with_its_step(demo_file: Path, tmp_path: Path) -> None:
    steps: list[Any] = [
        {"start": "number-sense", "expect": {"state": "Completed", "remaining_time": "5 min"}},
        {"answer": {"question": 1, "choose": "a"}, "expect": "refused"},
        {"read": "questions", "expect": {"answers": {1: "b", 99: "a"}, "rows": 5, "marked": [3], "has": "x"}},
        {"read": "review"},
    ]
    async with stage(demo_file, tmp_path / "service") as target:
        outcomes = await play(parse_scenario({"title": "Wrong", "steps": steps}), target)
    assert [one.problems for one in outcomes] == [
        ("state is 'Running', not Completed", "remaining_time is null, not about 5 min"),
        ("the server answered 200 OK instead of refusing",),
        (
            "the answer to question 1 is a, not b",
            "there is no question 99",
            "rows is 8, not 5",
            "marked is [], not [3]",
            "x is not in the list",
        ),
        ("the server answered 403 Forbidden",),
    ]
    assert outcomes[0].request == "POST /api/v2.2/exams/number-sense/attempts/ → 201 Created"


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([], "title and steps"),
        ([{"dance": 1}], "Step 1 names dance"),
        (["end", {"answer": {"choose": "a"}}], "Step 2: write answer like this: {question: 1"),
        ([{"wait": "long"}], "90 s, 5 min"),
        ([{"read": "minds"}], "attempt or questions"),
        ([{"end": None, "expect": "luck"}], "expect needs accepted"),
        ([7], "Step 1 is not an action"),
    ],
)
def test_mistake_in_a_scenario_is_reported_with_its_step(steps: list[Any], words: str) -> None:
    with pytest.raises(ScenarioError, match=words):
        parse_scenario({"title": "x", "steps": steps})


@pytest.mark.parametrize("content", [b"\xff\xfe", b"steps: [", b"just words", b"x" * 300_000])
def test_file_that_is_not_a_scenario_is_refused_with_advice(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.yaml"
    file.write_bytes(content)
    with pytest.raises(ScenarioError) as refused:
        read_scenario(file)
    assert refused.value.advice


def test_a_second_scenario_in_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text("steps: [{note: a}]\n---\nsteps: [{note: b}]\n", encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        read_scenario(file)
    assert str(refused.value) == "two.yaml, line 2: a second scenario begins here. Only one can be played."
    assert refused.value.advice == "Write each scenario into a file of its own."


@pytest.mark.parametrize(
    ("text", "seconds"), [("90 s", 90), ("1 h 30 min", 5400), ("5min", 300), ("2 d", 172_800), ("soon", None)]
)
def test_times_are_read_as_people_write_them(text: str, seconds: float | None) -> None:
    assert time_of(text) == seconds
