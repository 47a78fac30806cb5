"""Each thing that a server can do wrong is named by its rule, and by no other."""

import asyncio
from collections.abc import Iterable

import pytest

from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.verdicts import Verdict
from tests.service.service_world import World
from tests.walk.deviations import DEVIATIONS
from tests.walk.walk_world import accused, replayed, walk_through
from tests.walk.wrong_server import Answering, Deviation, Heard, WrongServer


def one_in_five(deviations: Iterable[Deviation]) -> list[object]:
    """A sample for the short suite. The others are slow: each of them takes a second or two."""
    return [
        pytest.param(one, id=one.name.replace(" ", "-"), marks=[pytest.mark.slow] if number % 5 else [])
        for number, one in enumerate(deviations)
    ]


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
