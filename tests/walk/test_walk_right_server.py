"""On a right server, the walk tests every rule and reports none as broken."""

from pathlib import Path

import anyio
import pytest

from lms_tui.qa.walk.clocks import WaitingClock
from lms_tui.qa.walk.report import rules_table
from lms_tui.qa.walk.rules import Source, load_rules
from lms_tui.qa.walk.verdicts import Verdict
from lms_tui.service.core.settings import Timing
from tests.service.service_world import World
from tests.walk.walk_world import walk_through

SHARED = Path(__file__).parents[2] / "../shared/api"
DOCUMENTS = {Source.DOCUMENT: SHARED / "lms-api.md", Source.NOTES: SHARED / "wire-notes.md"}


async def test_a_correct_server_passes_every_rule_on_each_database(institute: World) -> None:
    report = await walk_through(institute)
    assert not report.stopped
    assert [
        (line.rule.id, line.problems, line.reason) for line in report.lines if line.verdict is not Verdict.HOLDS
    ] == []


async def test_walk_ends_and_reports_its_attempts(own_institute: World) -> None:
    report = await walk_through(own_institute)
    told = " ".join(report.left)
    assert told.count("ended") == 5
    caller = own_institute.caller("asha")
    states = [row["state"] for row in (await caller.get("/api/v2.2/attempts/"))["results"]]
    assert states == ["Completed"] * 6


@pytest.mark.skipif(not SHARED.is_dir(), reason="the document lies beside the project and is not here")
def test_every_rule_quotes_its_source_verbatim() -> None:
    texts = {source: file.read_text("utf-8") for source, file in DOCUMENTS.items()}
    wrong = [
        rule.id
        for rule in load_rules()
        if rule.quote not in texts[rule.source] or f"# {rule.under}" not in texts[rule.source]
    ]
    assert wrong == []


def test_docs_have_every_rule() -> None:
    document = (Path(__file__).parents[2] / "docs/walk.md").read_text("utf-8")
    assert rules_table(load_rules()) in document


@pytest.mark.parametrize("speed", [1.0, 60.0, 1000.0])
def test_fast_clock_allows_for_the_latency_of_an_answer(speed: float) -> None:
    clock = WaitingClock(lambda: 0.0, anyio.sleep, speed)
    assert clock.grace > Timing().sped_up(speed).grace.total_seconds()
    assert clock.longest_wait > clock.grace or speed == 1.0
