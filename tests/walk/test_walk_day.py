"""What a tester uses around a walk: its progress, an example of each rule, and the difference between two walks."""

import asyncio
import io
import json
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.cli import main
from lms_tui.client.recording import Exchange
from lms_tui.commands.walk_progress import Progress, watching
from lms_tui.qa.walk.endpoints import endpoint, endpoint_of
from lms_tui.qa.walk.examples import curl_of, request_of
from lms_tui.qa.walk.pace import Pace
from lms_tui.qa.walk.report import to_json, to_table
from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.verdicts import Watcher
from tests.walk.changes import each, status
from tests.walk.deviations import BEAT
from tests.walk.walk_world import replayed
from tests.walk.wrong_server import Answering, Change, Deviation, Heard, WrongServer


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Noting(Watcher):
    """Notes at which endpoints each rule was judged."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = {}

    def judged(self, rule: str, exchanges: Sequence[Exchange], _: Sequence[str]) -> None:
        self.seen.setdefault(rule, set()).update(map(endpoint, exchanges))


async def test_the_progress_names_area_rule_counts_and_seconds(heard: list[Heard]) -> None:
    terminal = Terminal()
    report = await replayed(Answering(heard), watcher=Progress(terminal, lambda: 7.0))
    drawn = terminal.getvalue().split("\r\x1b[K")
    assert len(drawn) > len(report.exchanges)
    assert drawn[-1].endswith(f"81 of 81 rules, {len(report.exchanges)} requests, 0 s")
    assert any(line.startswith("review: review.key, ") for line in drawn)
    assert max(map(len, drawn)) < 80


@pytest.mark.parametrize(("out", "quiet"), [(io.StringIO(), False), (Terminal(), True)])
async def test_nothing_is_drawn_in_a_pipe_or_if_quiet(out: io.StringIO, *, quiet: bool, heard: list[Heard]) -> None:
    async with watching(out, quiet=quiet) as watcher:
        await replayed(Answering(heard), watcher=watcher)
    assert out.getvalue() == ""


async def test_the_line_of_the_progress_is_erased_at_the_end(heard: list[Heard]) -> None:
    terminal = Terminal()
    async with watching(terminal, quiet=False) as watcher:
        await replayed(Answering(heard), watcher=watcher)
    assert terminal.getvalue().endswith("\r\x1b[K")


async def test_a_quiet_table_lists_only_the_rules_that_do_not_hold(heard: list[Heard]) -> None:
    server = WrongServer(Answering(heard), Deviation("", frozenset(), BEAT, status(404)))
    lines = list(to_table(await replayed(server), quiet=True))
    assert [line.split()[2] for line in lines if line[:1] in "✓✗~-" and line] == ["heartbeat.running"]
    assert lines[0].startswith("Server: ")
    assert lines[-1].startswith("Server: ")


async def test_each_rule_has_a_request_at_an_endpoint_where_it_is_judged(heard: list[Heard]) -> None:
    noting = Noting()
    await replayed(Answering(heard), watcher=noting)
    wrong = []
    for rule in load_rules():
        method, path, body = request_of(rule)
        json.loads(body.replace("OPTION", "3") or "{}")
        for name, value in (("ATTEMPT", "1"), ("QUESTION", "2")):
            path = path.replace(name, value)
        if endpoint_of(method, path) not in noting.seen[rule.id]:
            wrong.append(f"{rule.id}: {method} {path}")
    assert wrong == []


def test_an_example_is_a_command_of_a_shell() -> None:
    rules = {rule.id: rule for rule in load_rules()}
    words = shlex.split(curl_of(rules["answer.text"]))
    assert words[:4] == ["curl", "-X", "PUT", "$LMS_URL/api/v2.2/attempts/ATTEMPT/questions/QUESTION"]
    assert "Authorization: JWT $LMS_TOKEN" in words
    assert words[-1] == '{"short_text": "42"}'
    assert "LMS_TOKEN" not in curl_of(rules["auth.token"])


def test_a_rule_is_shown_with_sentence_and_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["walk", "rule", "end.start"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("end.start: start fails")
    assert lines[1].strip() == "“rejected: an ended attempt cannot be started again”"
    assert lines[2].strip() == "- the document, Exam attempt `state`"
    assert lines[3].strip().startswith('curl -X PUT "$LMS_URL/api/v2.2/attempts/ATTEMPT/start/"')


def output(heard: list[Heard], file: Path, at: str = "^$", change: Change | None = None) -> Path:
    server = WrongServer(Answering(heard), Deviation("", frozenset(), at, change or status(404)))
    report = replace(asyncio.run(replayed(server)), server=f"server of {file.stem}")
    file.write_text(to_json(report), "utf-8")
    return file


def test_two_equal_walks_differ_in_nothing(
    heard: list[Heard], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = output(heard, tmp_path / "a.json"), output(heard, tmp_path / "b.json")
    assert main(["walk", "diff", str(first), str(second)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["A: server of a, as asha", "B: server of b, as asha"]
    assert lines[-1] == "0 rules differ, 0 differences in the shapes of replies."


def test_a_difference_is_named_by_rule_and_by_shape(
    heard: list[Heard], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = output(heard, tmp_path / "a.json")
    second = output(heard, tmp_path / "b.json", BEAT, each("rank", 1.5))
    third = output(heard, tmp_path / "c.json", BEAT, each("rank", None))
    fourth = output(heard, tmp_path / "d.json", BEAT, status(404))
    changed = []
    for file in (second, third, fourth):
        assert main(["walk", "diff", str(first), str(file)]) == 1
        changed.append(capsys.readouterr().out)
    assert "attempt.fields: holds → broken (rank is 1.5, not" in changed[0]
    assert "PUT attempts/<id>/heartbeat 200: rank string → number" in changed[0]
    assert "PUT attempts/<id>/heartbeat 200: rank string → missing" in changed[1]
    assert "PUT attempts/<id>/heartbeat 404: only in B" in changed[2]
    assert "heartbeat.running: holds → broken (answered 404 Not Found)" in changed[2]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"rules": 7}', "\x00"])
def test_a_file_that_is_no_walk_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    file.write_text(content, "utf-8")
    assert main(["walk", "diff", str(file), str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines()[0] == "lms-tui: a.json is not the output of a walk."


async def test_at_most_the_given_number_of_requests_is_sent_in_a_second() -> None:
    waited: list[float] = []
    now = 100.0

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    pace = Pace(4, lambda: now, sleep)
    for _ in range(3):
        await pace.wait()
    now = 200.0
    await pace.wait()
    assert waited == [0.25, 0.5]
