"""`--load`: many examinees at once. Each reply is judged, each request is timed, and no server of others is loaded."""

from pathlib import Path

import httpx
import pytest

from lms_tui.cli import main
from lms_tui.client.connection import Access
from lms_tui.qa.walk.clocks import MovableClock
from lms_tui.qa.walk.expected import Expected, KnownDeviation
from lms_tui.qa.walk.load import LoadPlan, LoadReport, Times, load
from lms_tui.qa.walk.load_report import to_json, to_table
from lms_tui.qa.walk.user_client import Account
from lms_tui.qa.walk.verdicts import Verdict
from tests.fakes.json_output import told
from tests.service.service_world import PASSWORD, World
from tests.walk.changes import each, status
from tests.walk.deviations import BEAT
from tests.walk.walk_world import BASE, Wrap, no_pause
from tests.walk.wrong_server import Deviation, WrongServer


async def loaded(
    world: World, accounts: tuple[Account, ...], wrap: Wrap = lambda inner: inner, expected: Expected | None = None
) -> LoadReport:
    """Let each account take one attempt, all at once."""
    transport = wrap(httpx.ASGITransport(world.app, raise_app_exceptions=False))
    plan = LoadPlan(BASE, accounts, seconds=0, exam="sums", expected=expected or Expected())
    return await load(plan, Access(transport=transport, sleep=no_pause), MovableClock(lambda: 0.0, no_pause))


@pytest.fixture
def examinees(own_institute: World) -> tuple[Account, ...]:
    names = [f"examinee-{number}" for number in range(4)]
    for name in names:
        own_institute.add_user(name)
    return tuple(Account(name, PASSWORD) for name in names)


async def test_a_right_server_holds_every_rule_for_all_examinees(
    own_institute: World, examinees: tuple[Account, ...]
) -> None:
    report = await loaded(own_institute, examinees)
    assert (report.broken, report.failures, report.attempts) == ((), (), 4)
    counts = {times.endpoint: len(times.seconds) for times in report.times}
    assert counts["POST /api/v2.2/exams/<slug>/attempts/"] == 4
    assert counts["PUT /api/v2.2/attempts/<id>/end/"] == 4
    assert {line.rule.id for line in report.lines} >= {"answer.kept", "end.score", "review.answers", "questions.key"}
    tree = told(to_json(report), "walk")
    assert set(tree["endpoints"]["PUT /api/v2.2/attempts/<id>/end/"]) == {"requests", "failed", "p50", "p95", "p99"}
    table = "\n".join(to_table(report))
    assert table.startswith(f"Server: {BASE}\n4 examinees took 4 attempts")
    assert PASSWORD not in table + to_json(report)


async def test_a_rule_that_breaks_under_load_is_named(own_institute: World, examinees: tuple[Account, ...]) -> None:
    beats = 0

    def busy(reply: object, memory: object) -> None:
        nonlocal beats
        beats += 1
        if beats > 2:
            status(500)(reply, memory)  # type: ignore[arg-type]  # as the server passes them

    report = await loaded(
        own_institute, examinees, lambda inner: WrongServer(inner, Deviation("", frozenset(), BEAT, busy))
    )
    assert [line.rule.id for line in report.broken] == ["heartbeat.running"]
    assert {times.endpoint: times.failed for times in report.times if times.failed} == {
        "PUT /api/v2.2/attempts/<id>/heartbeat/": 2
    }
    assert any(line.startswith("✗ broken heartbeat.running") for line in to_table(report))


async def test_a_known_deviation_does_not_break_under_load(
    own_institute: World, examinees: tuple[Account, ...]
) -> None:
    known = Expected(known=(KnownDeviation("heartbeat.running", "ticket 7"), KnownDeviation("end.score", "ticket 8")))
    wrong = Deviation("", frozenset(), BEAT, status(404))
    report = await loaded(own_institute, examinees[:2], lambda inner: WrongServer(inner, wrong), known)
    verdicts = {line.rule.id: line.verdict for line in report.lines}
    assert report.broken == ()
    assert (verdicts["heartbeat.running"], verdicts["end.score"]) == (Verdict.KNOWN, Verdict.HOLDS)


async def test_percentiles_that_others_change_meanwhile_break_no_rule(
    own_institute: World, examinees: tuple[Account, ...]
) -> None:
    change = each("percentile", 17.0)
    wrong = Deviation("", frozenset(), "PUT .*/end/$", change)
    report = await loaded(own_institute, examinees, lambda inner: WrongServer(inner, wrong))
    assert report.broken == ()


async def test_an_examinee_that_cannot_sign_in_stops_nobody_else(
    own_institute: World, examinees: tuple[Account, ...]
) -> None:
    report = await loaded(own_institute, (*examinees[:2], Account("nobody", "wrong")))
    assert report.attempts == 2
    assert [failure.partition(":")[0] for failure in report.failures] == ["nobody"]


def test_a_percentile_is_the_time_within_which_that_share_ended() -> None:
    times = Times("GET /me/", tuple(number / 100 for number in range(100, 0, -1)), 0)
    assert [times.percentile(share) for share in (0.5, 0.95, 0.99)] == [0.5, 0.95, 0.99]
    assert Times("GET /me/", (7.0,), 0).percentile(0.99) == 7.0


@pytest.mark.parametrize(
    ("arguments", "accounts", "words"),
    [
        (["--base-url", "https://lms.test"], "asha,a", "it is not on this computer"),
        (["--base-url", "http://127.0.0.1:1"], "asha,a", "--load 2 needs 2 accounts, and has 1."),
        (["--base-url", "http://127.0.0.1:1"], "asha,a\nasha,b", "--load 2 needs 2 accounts, and has 1."),
        (["--base-url", "http://127.0.0.1:1"], "asha,a\nravi", "accounts.csv, line 2: this is not a user name"),
        (["--read-only"], "", "--read-only creates nothing"),
        ([], "asha,a\nravi,b", "--accounts is given without a server."),
    ],
)
def test_a_load_that_must_not_run_is_refused(
    arguments: list[str], accounts: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "accounts.csv"
    file.write_text(accounts, "utf-8")
    given = [*arguments, *(["--accounts", str(file)] if accounts else [])]
    assert main(["walk", "--load", "2", *given]) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""


@pytest.mark.slow
def test_a_load_of_a_temporary_service_holds_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["walk", "--load", "3", "--load-seconds", "0.1", "--json"]) == 0
    tree = told(capsys.readouterr().out, "walk")
    assert (tree["examinees"], tree["attempts"], tree["failures"]) == (3, 3, [])
    assert {rule["verdict"] for rule in tree["rules"]} == {"holds"}
