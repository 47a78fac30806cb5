"""Each thing that a server can do wrong is named by its rule, and by no other."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest

from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.verdicts import Verdict
from lms_tui.qa.walk.walking import Report
from tests.service.service_world import World
from tests.walk.deviations import DEVIATIONS
from tests.walk.walk_world import at_file, replayed, walk_through
from tests.walk.wrong_server import Answering, Deviation, Heard, Listening, WrongServer


def one_in_five(deviations: Iterable[Deviation]) -> list[object]:
    """A sample for the short suite. The others are slow: each of them takes a second or two."""
    return [
        pytest.param(one, id=one.name.replace(" ", "-"), marks=[pytest.mark.slow] if number % 5 else [])
        for number, one in enumerate(deviations)
    ]


@pytest.fixture(scope="session")
def heard(furnished_file: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Heard]:
    """The replies of the right server to a whole walk."""
    listening: list[Listening] = []

    def listen(inner: httpx.AsyncBaseTransport) -> Listening:
        listening.append(Listening(inner))
        return listening[-1]

    async def run() -> None:
        world = at_file(furnished_file, tmp_path_factory.mktemp("heard"))
        await walk_through(world, listen)
        await world.close()

    asyncio.run(run())
    return listening[0].heard


def accused(report: Report) -> set[str]:
    return {line.rule.id for line in report.lines if line.verdict in {Verdict.BROKEN, Verdict.DIFFERS}}


def test_replayed_correct_replies_break_no_rule(heard: list[Heard]) -> None:
    report = asyncio.run(replayed(Answering(heard)))
    assert not report.stopped
    assert {line.verdict for line in report.lines} == {Verdict.HOLDS}


@pytest.mark.parametrize("deviation", one_in_five(one for one in DEVIATIONS if not one.real))
def test_each_wrong_reply_breaks_exactly_its_rules(heard: list[Heard], deviation: Deviation) -> None:
    report = asyncio.run(replayed(WrongServer(Answering(heard), deviation)))
    assert accused(report) == deviation.rules


@pytest.mark.parametrize("deviation", one_in_five(one for one in DEVIATIONS if one.real))
async def test_each_wrong_action_breaks_exactly_its_rules(own_institute: World, deviation: Deviation) -> None:
    report = await walk_through(own_institute, lambda inner: WrongServer(inner, deviation))
    assert accused(report) == deviation.rules


def test_every_rule_has_a_server_that_breaks_it() -> None:
    # A token that is not handed out leaves nothing to walk with.
    beyond = {"auth.token"}
    broken = frozenset[str]().union(*(deviation.rules for deviation in DEVIATIONS))
    assert {rule.id for rule in load_rules()} - broken == beyond
