"""A walk reports why rules were not tested if an endpoint of the server is missing."""

import httpx
import pytest

from lms_tui.qa.walk.report import to_table
from lms_tui.qa.walk.verdicts import Verdict
from tests.service.service_world import World
from tests.walk.walk_world import walk_through


class Without(httpx.AsyncBaseTransport):
    """Answers with an error for one path."""

    def __init__(self, inner: httpx.AsyncBaseTransport, path: str, status: int = 404) -> None:
        self._inner = inner
        self._path = path
        self._status = status

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == self._path:
            stream = httpx.ByteStream(b'{"detail": "Not found."}')
            return httpx.Response(self._status, headers={"Content-Type": "application/json"}, stream=stream)
        return await self._inner.handle_async_request(request)


async def test_rules_after_a_failed_sign_in_are_reported_in_one_line(own_institute: World) -> None:
    report = await walk_through(own_institute, lambda inner: Without(inner, "/api/v2.5/auth-token/"))
    assert report.stopped
    untested = {line.reason for line in report.lines if line.verdict is Verdict.UNTESTED}
    assert untested == {"the walk stopped early"}
    told = [line for line in to_table(report) if "asha cannot sign in" in line]
    assert len(told) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "Check the user name, the password and --token-path."),
        (404, "Check --base-url, and --token-path, where the server issues tokens."),
        (200, "Check --base-url, and --token-path, where the server issues tokens."),
        (501, "The server failed. Look at its log, and check --base-url and --token-path."),
    ],
)
async def test_a_failed_sign_in_names_what_to_look_at(own_institute: World, status: int, advice: str) -> None:
    report = await walk_through(own_institute, lambda inner: Without(inner, "/api/v2.5/auth-token/", status))
    assert f"answered {status}" in report.stopped
    assert report.advice == advice


async def test_missing_statistics_are_not_compared(own_institute: World) -> None:
    report = await walk_through(own_institute, lambda inner: Without(inner, "/api/v2.5/me/stats/"))
    verdicts = {line.rule.id: line for line in report.lines if line.rule.id.startswith("stats.")}
    assert verdicts["stats.fields"].verdict is Verdict.BROKEN
    for rule in ("stats.running", "stats.completed", "stats.totals", "stats.report"):
        assert verdicts[rule].verdict is Verdict.UNTESTED, rule
        assert verdicts[rule].reason == "GET /api/v2.5/me/stats/ answered 404 Not Found"
