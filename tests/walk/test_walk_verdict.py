"""The verdict of a walk: it is about the named server, and a rule is broken only by a reply that breaks it."""

from collections.abc import Callable
from random import Random

import httpx
import pytest

from lms_tui.qa.walk.verdicts import RuleResult, Verdict
from lms_tui.qa.walk.walking import Report
from tests.service.service_world import World
from tests.walk.changes import any_password, each
from tests.walk.deviations import BEAT, END, REVIEW
from tests.walk.unreliable import Unreliable
from tests.walk.walk_world import walk_through
from tests.walk.wrong_server import Change, Deviation, Memory, Reply, WrongServer, answered


def wrong(at: str, change: Change) -> Callable[[httpx.AsyncBaseTransport], WrongServer]:
    return lambda inner: WrongServer(inner, Deviation("", frozenset(), at, change))


def by_rule(report: Report) -> dict[str, RuleResult]:
    return {line.rule.id: line for line in report.lines}


def accused(report: Report) -> set[str]:
    return {line.rule.id for line in report.lines if line.verdict in {Verdict.BROKEN, Verdict.DIFFERS}}


@pytest.mark.parametrize(
    ("field", "lie", "rule"),
    [
        ("score", lambda score: f"{float(score) + 1:.2f}", "end.score"),
        ("percentile", 17.0, "end.score"),
        ("correct_count", lambda count: count + 1, "end.counts"),
    ],
)
async def test_a_wrong_result_in_the_reply_of_end_alone_is_found(
    own_institute: World, field: str, lie: object, rule: str
) -> None:
    report = await walk_through(own_institute, wrong(END, each(field, lie)))
    assert accused(report) == {rule}


async def test_swapped_counts_in_the_reply_of_end_alone_are_found(own_institute: World) -> None:
    def swap(reply: Reply, _: Memory) -> None:
        if reply.status == 200:
            tree = reply.tree
            tree["correct_count"], tree["incorrect_count"] = tree["incorrect_count"], tree["correct_count"]

    assert accused(await walk_through(own_institute, wrong(END, swap))) == {"end.counts"}


async def test_marks_that_the_review_lost_are_not_blamed_on_the_late_answer(own_institute: World) -> None:
    def unmarked(reply: Reply, _: Memory) -> None:
        for row in reply.rows:
            row["review"] = False

    assert accused(await walk_through(own_institute, wrong(REVIEW, unmarked))) == {"review.answers"}


async def test_a_limit_on_requests_is_not_a_refused_password(own_institute: World) -> None:
    def limited(reply: Reply, _: Memory) -> None:
        if reply.status == 400:
            reply.refuse(429)

    rules = by_rule(await walk_through(own_institute, wrong("POST .*/auth-token/$", limited)))
    assert (rules["auth.wrong-password"].verdict, rules["auth.password"].verdict) == (Verdict.UNTESTED,) * 2
    assert "429" in rules["auth.password"].reason


async def test_a_server_that_accepts_a_wrong_password_is_named(own_institute: World) -> None:
    report = await walk_through(own_institute, wrong("POST .*/auth-token/$", any_password))
    assert accused(report) == {"auth.password", "auth.wrong-password"}


async def test_missing_endpoints_break_their_own_rules_only(own_institute: World) -> None:
    missing = wrong(f"/me/stats/$|{BEAT}", lambda reply, _: reply.refuse(404))
    report = await walk_through(own_institute, missing)
    assert not report.stopped
    assert accused(report) == {"stats.fields", "heartbeat.running"}
    rules = by_rule(report)
    for rule in ("stats.totals", "stats.running", "stats.completed", "stats.report", "heartbeat.remaining"):
        assert rules[rule].verdict is Verdict.UNTESTED, rule
        assert "answered 404 Not Found" in rules[rule].reason


async def test_a_refusal_of_a_missing_endpoint_proves_nothing(own_institute: World) -> None:
    report = await walk_through(own_institute, wrong(r"/review/", lambda reply, _: reply.refuse(404)))
    assert accused(report) == {"review.pages", "subjects.fields"}
    assert by_rule(report)["review.early"].verdict is Verdict.UNTESTED


@pytest.mark.parametrize("status", [429, 502, 503])
async def test_one_busy_reply_to_each_request_breaks_no_rule(own_institute: World, status: int) -> None:
    class OnceBusy(httpx.AsyncBaseTransport):
        def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
            self.inner = inner
            self.busy: set[tuple[str, httpx.URL]] = set()

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            self.busy ^= {(request.method, request.url)}
            if (request.method, request.url) in self.busy:
                return answered(status, b'{"detail": "busy"}')
            return await self.inner.handle_async_request(request)

    report = await walk_through(own_institute, OnceBusy)
    assert (accused(report), report.stopped) == (set(), "")
    assert report.repeated > 100


async def test_heartbeats_that_always_fail_are_named(own_institute: World) -> None:
    report = await walk_through(own_institute, wrong(BEAT, lambda reply, _: reply.refuse(503)))
    assert accused(report) == {"heartbeat.running"}


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_dropped_connections_break_no_rule_and_end_no_walk(own_institute: World, seed: int) -> None:
    report = await walk_through(own_institute, lambda inner: Unreliable(inner, Random(seed), share=0.05))
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
