"""A profile tells the walk how somebody's server writes the API, what it lacks, and what is known to be wrong."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from lms_tui.cli import main
from lms_tui.qa.walk.address_style import AddressStyle, Slash
from lms_tui.qa.walk.expected import Expected, KnownDeviation
from lms_tui.qa.walk.report import summary, to_junit, to_table
from lms_tui.qa.walk.rules import named_rules
from lms_tui.qa.walk.verdicts import RuleResult, Verdict
from lms_tui.qa.walk.walking import Plan, Report
from tests.service.service_world import World
from tests.walk.changes import each, status
from tests.walk.deviations import BEAT
from tests.walk.other_server import serve
from tests.walk.walk_world import ALSO, ASHA, BASE, RAVI, accused, replayed, walk_through
from tests.walk.wrong_server import Answering, Change, Deviation, Heard, WrongServer, answered

_NUMBERED = re.compile(r"(/\d+)/$")
"""The document writes these paths without a slash."""
START = "/lms/v2.3"
PLAN = Plan(BASE, ASHA, RAVI, also=ALSO)


class Restyled(httpx.AsyncBaseTransport):
    """The right server with other paths: `/lms/v2.3/…` with a slash at every end. Others are answered 404."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.headers: list[httpx.Headers] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.headers.append(request.headers)
        path = request.url.path
        if not path.startswith(START) or not path.endswith("/"):
            return answered(404, b"{}")
        if request.content == b"{}":
            return answered(400, b'{"username": ["This field is required."]}')
        newer = "v2.5" if re.search("/me/stats/|/auth-token/", path) else "v2.2"
        plain = _NUMBERED.sub(r"\1", f"/api/{newer}{path.removeprefix(START)}")
        token = request.headers.get("X-Auth", request.headers.get("authorization", ""))
        inner = httpx.Request(
            request.method,
            request.url.copy_with(path=plain),
            headers={"authorization": token} if token else {},
            content=request.content,
        )
        response = await self._inner.handle_async_request(inner)
        content = (await response.aread()).replace(b"/api/v2.2/", f"{START}/".encode())
        return answered(response.status_code, content)


def by_rule(report: Report) -> dict[str, RuleResult]:
    return {line.rule.id: line for line in report.lines}


async def lied(heard: list[Heard], at: str, change: Change, expected: Expected) -> Report:
    server = WrongServer(Answering(heard), Deviation("", frozenset(), at, change))
    return await replayed(server, replace(PLAN, expected=expected))


async def test_paths_of_another_start_version_and_slash_are_walked(heard: list[Heard]) -> None:
    style = AddressStyle("/lms", Slash.ALWAYS, "v2.3")
    report = await replayed(Restyled(Answering(heard)), replace(PLAN, style=style))
    assert not report.stopped
    assert {line.verdict for line in report.lines} == {Verdict.HOLDS}


async def test_the_versions_of_a_server_are_found(own_institute: World) -> None:
    style = AddressStyle("/lms", Slash.ALWAYS)
    report = await walk_through(own_institute, Restyled, replace(PLAN, style=style, probes=True))
    assert (report.stopped, accused(report)) == ("", set())
    assert {version for _, version in report.versions} == {"v2.3"}
    assert {name for name, _ in report.versions} == {"auth-token", "me", "me/stats", "attempts", "exams"}
    assert any("attempts v2.3" in line for line in to_table(report))


async def test_a_token_goes_in_the_header_of_the_profile_and_into_no_record(heard: list[Heard]) -> None:
    server = Restyled(Answering(heard))
    plan = replace(PLAN, style=AddressStyle("/lms", Slash.ALWAYS, "v2.3"))
    report = await replayed(server, plan, auth_header="X-Auth", auth_scheme="", user_agent="our walk")
    assert accused(report) == set()
    assert not any("authorization" in headers for headers in server.headers)
    assert {headers["user-agent"] for headers in server.headers} == {"our walk"}
    sent = {value for one in report.exchanges for name, value in one.request_headers if name.lower() == "x-auth"}
    assert sent == {"…"}


@pytest.mark.parametrize(
    ("style", "path", "written"),
    [
        (AddressStyle(), "/api/v2.2/me/", "/api/v2.2/me/"),
        (AddressStyle(""), "/api/v2.2/me/", "/v2.2/me/"),
        (AddressStyle(slash=Slash.NEVER), "/api/v2.2/me/", "/api/v2.2/me"),
        (AddressStyle(slash=Slash.ALWAYS), "/api/v2.2/attempts/7", "/api/v2.2/attempts/7/"),
        (AddressStyle(version="v2.5"), "/api/v2.2/attempts/7", "/api/v2.5/attempts/7"),
        (AddressStyle(version="v2.5", versions={"me": "v2.3"}), "/api/v2.2/me/", "/api/v2.3/me/"),
        (AddressStyle("/lms", Slash.NEVER), "/api/v2.2/attempts/?page=2", "/api/v2.2/attempts/?page=2"),
        (AddressStyle("/lms", Slash.NEVER), "http://lms.test/api/v2.2/me/", "http://lms.test/api/v2.2/me/"),
    ],
)
def test_a_path_is_written_as_the_server_wants_it(style: AddressStyle, path: str, written: str) -> None:
    assert style.path(path) == written


async def test_a_known_deviation_is_no_failure_and_keeps_its_reason(heard: list[Heard]) -> None:
    expected = Expected(known=(KnownDeviation("heartbeat.running", "ticket 7"),))
    report = await lied(heard, BEAT, status(404), expected)
    assert report.holds(strict=True)
    assert by_rule(report)["heartbeat.running"].verdict is Verdict.KNOWN
    assert any("known: ticket 7" in line for line in to_table(report))
    assert "1 known" in summary(report)
    assert b'message="known: ticket 7"' in to_junit(report)


async def test_a_known_deviation_that_has_vanished_is_red(heard: list[Heard]) -> None:
    expected = Expected(known=(KnownDeviation("heartbeat.running", "ticket 7"),))
    report = await replayed(Answering(heard), replace(PLAN, expected=expected))
    assert accused(report) == {"heartbeat.running"}
    assert "vanished" in by_rule(report)["heartbeat.running"].problems[0].words


@pytest.mark.parametrize(
    ("known", "problems"),
    [
        (("score is",), ["rank"]),
        (("score is", "rank is"), []),
        (("score is", "rank is", "speed"), ["vanished"]),
    ],
)
async def test_a_known_deviation_covers_only_what_it_names(
    heard: list[Heard], known: tuple[str, ...], problems: list[str]
) -> None:
    expected = Expected(known=tuple(KnownDeviation("attempt.fields", "ticket 7", found) for found in known))

    def two(reply: object, memory: object) -> None:
        each("score", [])(reply, memory)  # type: ignore[arg-type]  # as the server passes them
        each("rank", [])(reply, memory)  # type: ignore[arg-type]  # as the server passes them

    line = by_rule(await lied(heard, BEAT, two, expected))["attempt.fields"]
    assert len(line.problems) >= len(problems)
    assert all(word in " ".join(problem.words for problem in line.problems) for word in problems)
    assert line.verdict is (Verdict.BROKEN if problems else Verdict.KNOWN)


async def test_rules_that_are_not_there_are_counted_and_no_failure(heard: list[Heard]) -> None:
    expected = Expected(named_rules(["stats"]))
    report = await lied(heard, "/me/stats/", status(404), expected)
    assert report.holds(strict=True)
    assert summary(report).endswith(f"0 not tested, {len(expected.absent)} not there.")


async def test_a_server_that_creates_no_attempts_is_only_read(own_institute: World) -> None:
    expected = Expected(named_rules(["create"]))
    report = await walk_through(own_institute, plan=replace(PLAN, expected=expected))
    assert (report.stopped, accused(report)) == ("", set())
    assert not [one for one in report.exchanges if one.method == "POST" and "auth-token" not in one.path]


@pytest.fixture
def other_address() -> Iterator[str]:
    with serve() as (address, _):
        yield address


def test_a_subset_server_ends_with_0_from_its_profile(
    other_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WALK_PASSWORD", "open sesame")
    file = tmp_path / "walk.yaml"
    account = "{user: meena, password: $WALK_PASSWORD}"
    file.write_text(f"server: {other_address}\naccounts: {{first: {account}}}\nmissing: [stats, sections]\n", "utf-8")
    assert main(["walk", "--profile", str(file), "--read-only"]) == 0
    printed = capsys.readouterr().out
    assert f"Server: {other_address}, as meena" in printed
    assert "7 not there." in printed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("server: http://lms.test\nslsh: never", "line 2: “slsh” is unknown. Did you mean slash?"),
        ("server: http://lms.test\nslash: maybe", "line 2: “slash” cannot be “maybe”. Write 'document', 'always' or"),
        ("server: http://lms.test\nversion: v1", "line 2: “version” cannot be “v1”."),
        ("server: http://lms.test\nrate: fast", "line 2: “rate” needs a number, not “fast”."),
        ("server: http://lms.test\nrate: 0", "line 2: “rate” must be more than 0."),
        ("server: http://lms.test\nprefix: lms", "line 2: “prefix” needs a path such as /lms/api."),
        ("server: http://lms.test\nmissing: [stats, nothing]", "line 2: There is no rule or area “nothing”."),
        ("server: http://lms.test\nknown:\n  - rule: end\n    reason: x", "line 3: There is no rule “end”."),
        ("server: http://lms.test\nknown:\n  - rule: end.score", "line 3: “reason” is missing."),
        ("server: http://lms.test\nknown: end.score", "line 2: “known” needs a list."),
        ("server: [a, b]", "line 1: “server” needs a text."),
        ("server: http://lms.test\naccounts: asha", "line 2: “accounts” needs names and values."),
        (
            "server: http://lms.test\naccounts:\n  first:\n    user: asha\n    password: practice",
            "line 5: A password must not be in this file.",
        ),
        ("server: http://lms.test\ntoken: {header: 'X Auth'}", "line 2: This is not the name of a header"),
        ("server: 'http://lms.test", "line 1: The YAML is broken here"),
        ("just text", "line 1: this is not a list of names with values."),
        ("server: http://a.test\n---\nserver: http://b.test", "line 3: a second list of names begins here"),
        ("exam: algebra", "names no server."),
        (
            "server: http://lms.test\naccounts: {first: {user: asha, password: $LMS_NO_SUCH_VARIABLE}}",
            "The environment variable LMS_NO_SUCH_VARIABLE is not set.",
        ),
        (
            "server: http://lms.test\nslsh: a\nrat: b",
            "line 2: “slsh” is unknown. Did you mean slash? (1 more after it.)",
        ),
    ],
)
def test_a_wrong_profile_is_refused_with_its_line(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "walk.yaml"
    file.write_text(text, "utf-8")
    assert main(["walk", "--profile", str(file)]) == 2
    printed = capsys.readouterr()
    said, advice = printed.err.splitlines()
    assert words in said
    assert "walk.yaml" in said or "variable" in said
    assert advice.endswith(".")
    assert printed.out == ""
