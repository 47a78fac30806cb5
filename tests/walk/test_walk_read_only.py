"""`--read-only` judges what the account has, and creates and changes nothing."""

from dataclasses import replace

from lms_tui.qa.walk.verdicts import Verdict
from lms_tui.qa.walk.walking import Plan
from tests.service.service_world import World
from tests.walk.changes import each
from tests.walk.deviations import REVIEW
from tests.walk.walk_world import ASHA, BASE, RAVI, accused, walk_through
from tests.walk.wrong_server import Deviation, WrongServer

PLAN = Plan(BASE, ASHA, RAVI, only_reads=True)


async def test_a_walk_that_only_reads_sends_no_request_that_changes_something(own_institute: World) -> None:
    report = await walk_through(own_institute, plan=PLAN)
    sent = {(one.method, one.path) for one in report.exchanges if one.method != "GET"}
    assert sent == {("POST", "/api/v2.5/auth-token/")}
    assert (report.left, report.stopped, accused(report)) == ((), "", set())
    held = {line.rule.id for line in report.lines if line.verdict is Verdict.HOLDS}
    assert held >= {"auth.identity", "stats.completed", "attempts.list", "attempt.user", "end.score", "other.read"}
    assert held >= {"review.fields", "review.key", "review.counts", "subjects.sums", "exams.state", "attempts.title"}
    reasons = {line.rule.id: line.reason for line in report.lines if line.verdict is Verdict.UNTESTED}
    assert reasons["create.running"] == "--read-only creates nothing"
    assert reasons["review.answers"] == "--read-only creates nothing"
    assert reasons["auth.password"] == "--read-only sends no wrong password"


async def test_a_wrong_review_is_named_without_an_attempt_of_the_walk(own_institute: World) -> None:
    deviation = Deviation("", frozenset(), REVIEW, each("order", str))
    report = await walk_through(own_institute, lambda inner: WrongServer(inner, deviation), PLAN)
    assert accused(report) == {"review.fields"}


async def test_an_account_without_an_ended_attempt_is_no_error(own_institute: World) -> None:
    report = await walk_through(own_institute, plan=replace(PLAN, account=RAVI, second=None))
    assert (accused(report), report.stopped) == (set(), "")
    assert any(line.reason.endswith("no ended attempt to read") for line in report.lines)
