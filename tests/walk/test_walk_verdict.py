"""The verdict of a walk: it is about the named server, and a rule is broken only by a reply that breaks it."""

from random import Random

import httpx
import pytest

from lms_tui.qa.walk.verdicts import RuleResult, Verdict
from lms_tui.qa.walk.walking import Report
from tests.service.service_world import World
from tests.walk.changes import any_password, each, status
from tests.walk.deviations import BEAT, END, REVIEW
from tests.walk.unreliable import Unreliable
from tests.walk.walk_world import accused, replayed, walk_through
from tests.walk.wrong_server import Answering, Change, Deviation, Heard, Memory, Reply, WrongServer, answered


def by_rule(report: Report) -> dict[str, RuleResult]:
    return {line.rule.id: line for line in report.lines}


async def lied(heard: list[Heard], at: str, change: Change) -> Report:
    """Walk through the replies of a right server, some of them changed."""
    return await replayed(WrongServer(Answering(heard), Deviation("", frozenset(), at, change)))


@pytest.mark.parametrize(
    ("field", "lie", "rule"),
    [
        ("score", lambda score: f"{float(score) + 1:.2f}", "end.score"),
        ("percentile", 17.0, "end.score"),
        ("correct_count", lambda count: count + 1, "end.counts"),
    ],
)
async def test_a_wrong_result_in_the_reply_of_end_alone_is_found(
    heard: list[Heard], field: str, lie: object, rule: str
) -> None:
    report = await lied(heard, END, each(field, lie))
    assert accused(report) == {rule}


async def test_swapped_counts_in_the_reply_of_end_alone_are_found(heard: list[Heard]) -> None:
    def swap(reply: Reply, _: Memory) -> None:
        if reply.status == 200:
            tree = reply.tree
            tree["correct_count"], tree["incorrect_count"] = tree["incorrect_count"], tree["correct_count"]

    assert accused(await lied(heard, END, swap)) == {"end.counts"}


async def test_marks_that_the_review_lost_are_not_blamed_on_the_late_answer(heard: list[Heard]) -> None:
    def unmarked(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            row["review"] = False

    assert accused(await lied(heard, REVIEW, unmarked)) == {"review.answers"}


async def test_a_limit_on_requests_is_not_a_refused_password(heard: list[Heard]) -> None:
    def limited(reply: Reply, _: Memory) -> None:
        if reply.status == 400:
            reply.refuse(429)

    rules = by_rule(await lied(heard, "POST .*/auth-token/$", limited))
    assert (rules["auth.wrong-password"].verdict, rules["auth.password"].verdict) == (Verdict.UNTESTED,) * 2
    assert "429" in rules["auth.password"].reason


async def test_a_server_that_accepts_a_wrong_password_is_named(heard: list[Heard]) -> None:
    report = await lied(heard, "POST .*/auth-token/$", any_password)
    assert accused(report) == {"auth.password", "auth.wrong-password"}


async def test_missing_endpoints_break_their_own_rules_only(heard: list[Heard]) -> None:
    report = await lied(heard, f"/me/stats/$|{BEAT}", status(404))
    assert not report.stopped
    assert accused(report) == {"stats.fields", "heartbeat.running"}
    rules = by_rule(report)
    for rule in ("stats.totals", "stats.running", "stats.completed", "stats.report", "heartbeat.remaining"):
        assert rules[rule].verdict is Verdict.UNTESTED, rule
        assert "answered 404 Not Found" in rules[rule].reason


async def test_a_refusal_of_a_missing_endpoint_proves_nothing(heard: list[Heard]) -> None:
    report = await lied(heard, "/review/", status(404))
    assert accused(report) == {"review.pages", "subjects.fields"}
    assert by_rule(report)["review.early"].verdict is Verdict.UNTESTED


async def test_one_busy_reply_to_each_request_breaks_no_rule(own_institute: World) -> None:
    class OnceBusy(httpx.AsyncBaseTransport):
        def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
            self.inner = inner
            self.busy: set[tuple[str, httpx.URL]] = set()

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            self.busy ^= {(request.method, request.url)}
            if (request.method, request.url) in self.busy:
                return answered(503, b'{"detail": "busy"}')
            return await self.inner.handle_async_request(request)

    report = await walk_through(own_institute, OnceBusy)
    assert (accused(report), report.stopped) == (set(), "")
    assert report.repeated > 100


async def test_heartbeats_that_always_fail_are_named(own_institute: World) -> None:
    deviation = Deviation("", frozenset(), BEAT, status(503))
    report = await walk_through(own_institute, lambda inner: WrongServer(inner, deviation))
    assert accused(report) == {"heartbeat.running"}


async def test_dropped_connections_break_no_rule_and_end_no_walk(own_institute: World) -> None:
    report = await walk_through(own_institute, lambda inner: Unreliable(inner, Random(1), share=0.05))
    assert (accused(report), report.stopped) == (set(), "")
    assert {line.verdict for line in report.lines} == {Verdict.HOLDS}
    assert report.repeated


async def test_an_attempt_whose_creation_got_no_reply_is_found_and_ended(own_institute: World) -> None:
    class LosesFirstCreation(httpx.AsyncBaseTransport):
        def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
            self.inner = inner
            self.lost = False

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            response = await self.inner.handle_async_request(request)
            if request.method == "POST" and "attempts" in request.url.path and not self.lost:
                self.lost = True
                raise httpx.ReadError("lost")
            return response

    report = await walk_through(own_institute, LosesFirstCreation)
    assert (accused(report), report.stopped) == (set(), "")
    states = [row["state"] for row in (await own_institute.caller("asha").get("/api/v2.2/attempts/"))["results"]]
    assert set(states) == {"Completed"}


async def test_an_exam_with_a_running_attempt_is_not_taken(own_institute: World) -> None:
    """Its end would end the student's own attempt."""
    running = await own_institute.caller("asha").create("parts")
    report = await walk_through(own_institute)
    assert not report.stopped
    assert f"/api/v2.2/attempts/{running}/end/" not in {exchange.path for exchange in report.exchanges}
