"""A server on another stack, written from the API document alone, passes the walk."""

import time
from collections.abc import Iterator

import pytest

from lms_tui.client.connection import Access
from lms_tui.qa.walk.clocks import MovableClock
from lms_tui.qa.walk.rules import named_rules
from lms_tui.qa.walk.user_client import Account
from lms_tui.qa.walk.verdicts import LEFT_OUT, Verdict
from lms_tui.qa.walk.walking import Plan, walk
from tests.walk.other_institute import Institute
from tests.walk.other_server import serve
from tests.walk.walk_world import no_pause

MEENA, KARAN = Account("meena", "open sesame"), Account("karan", "open sesame")


@pytest.fixture
def other() -> Iterator[tuple[str, Institute]]:
    with serve() as started:
        yield started


def clock_of(institute: Institute) -> MovableClock:
    async def move(seconds: float) -> None:
        institute.moved += seconds

    return MovableClock(time.monotonic, move)


async def test_a_server_written_from_the_document_breaks_no_rule(other: tuple[str, Institute]) -> None:
    plan = Plan(other[0], MEENA, KARAN, also=("words",))
    report = await walk(plan, Access(sleep=no_pause), clock_of(other[1]))
    assert not report.stopped
    found = {line.rule.id: line for line in report.lines if line.verdict is not Verdict.HOLDS}
    problems = {name: line.problems for name, line in found.items() if name != "stats.fields" and line.problems}
    assert problems == {}
    assert {name.partition(".")[0] for name in found} == {"stats", "sections"}


async def test_a_server_without_an_area_is_right_if_the_area_is_skipped(other: tuple[str, Institute]) -> None:
    plan = Plan(other[0], MEENA, KARAN, left_out=named_rules(["stats", "sections"]))
    report = await walk(plan, Access(sleep=no_pause), clock_of(other[1]))
    assert report.holds(strict=True)
    reasons = {line.reason for line in report.lines if line.rule.area in {"stats", "sections"}}
    assert reasons == {LEFT_OUT}
