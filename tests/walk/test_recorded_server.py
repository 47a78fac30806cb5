"""A recorded session becomes a server, which refuses by name what was not recorded."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs  # comes with schemathesis
import pytest

from lms_tui.cli import main
from lms_tui.client.har import to_har, write_har
from lms_tui.client.recording import Exchange
from lms_tui.qa.replay import Replay, ReplayError, Reply, read_har
from tests.service.service_world import World
from tests.waiting import PATIENCE
from tests.walk.har_schema import HAR
from tests.walk.walk_world import BASE, accused, replayed, walk_through
from tests.walk.wrong_server import answered

SERVER = "https://learn.example.edu"
ME = Exchange(
    "GET",
    f"{SERVER}/api/v2.2/me/",
    (("Authorization", "JWT …"),),
    b"",
    datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
    0.1,
    200,
    (("content-type", "application/json"), ("set-cookie", "…"), ("x-server-epoch", "5"), ("content-encoding", "gzip")),
    json.dumps({"url": f"{SERVER}/api/v2.2/users/1"}).encode(),
    50,
)
ANSWER = replace(ME, method="PUT", url=f"{SERVER}/api/v2.2/attempts/5/questions/7", request_body=b'{"a": [1], "b": 2}')
SIGN_IN = replace(
    ME,
    method="POST",
    url=f"{SERVER}/api/v2.5/auth-token/",
    request_body=b'{"username": "asha", "password": "secret"}',
    body=b'{"token": "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2ln"}',
)


def recorded(folder: Path, *exchanges: Exchange) -> Path:
    file = folder / "session.har"
    write_har(file, [exchange.without_secrets() for exchange in exchanges])
    return file


def replay_of(folder: Path, *exchanges: Exchange) -> Replay:
    return Replay(read_har(recorded(folder, *exchanges)))


def asked(replay: Replay, method: str, target: str, body: Any = None) -> Reply:
    return replay.reply(method, target, b"" if body is None else json.dumps(body).encode(), BASE)


def numbered(number: int) -> Exchange:
    return replace(ME, body=b"%d" % number)


def test_replies_come_in_their_order_and_the_last_one_stays(tmp_path: Path) -> None:
    replay = replay_of(tmp_path, numbered(1), ANSWER, numbered(2))
    assert [asked(replay, "GET", "/api/v2.2/me/").body for _ in range(4)] == [b"1", b"2", b"2", b"2"]
    assert (replay.given, replay.missing) == (4, {})


@pytest.mark.parametrize("target", ["/api/v2.2/exams/?a=1&b=%C3%A9", "/api/v2.2/exams?b=%C3%A9&a=1"])
def test_a_request_is_the_same_with_another_order_of_its_query_and_without_its_last_slash(
    tmp_path: Path, target: str
) -> None:
    replay = replay_of(tmp_path, replace(ME, url=f"{SERVER}/api/v2.2/exams/?b=%C3%A9&a=1"))
    assert asked(replay, "GET", target).status == 200


def test_a_request_that_was_not_recorded_is_refused_by_its_name(tmp_path: Path) -> None:
    replay = replay_of(tmp_path, ME, ANSWER)
    assert asked(replay, "PUT", "/api/v2.2/attempts/5/questions/7", {"b": 2, "a": [1]}).status == 200
    names = ["DELETE /api/v2.2/me", "PUT /api/v2.2/attempts/5/questions/7 with this body", "GET /x?y=1"]
    refused = [
        asked(replay, "DELETE", "/api/v2.2/me/"),
        asked(replay, "PUT", "/api/v2.2/attempts/5/questions/7", {"a": [2]}),
        asked(replay, "GET", "/x?y=1"),
    ]
    assert [reply.status for reply in refused] == [404, 404, 404]
    assert [json.loads(reply.body) for reply in refused] == [
        {"detail": f"The recording has no {name}."} for name in names
    ]
    assert list(replay.missing) == names


def test_any_password_signs_in_and_gets_a_token_that_a_header_can_hold(tmp_path: Path) -> None:
    replay = replay_of(tmp_path, SIGN_IN)
    reply = asked(replay, "POST", "/api/v2.5/auth-token/", {"username": "asha", "password": "another"})
    assert json.loads(reply.body) == {"token": "replayed.replayed.replayed"}
    assert asked(replay, "POST", "/api/v2.5/auth-token/", {"username": "ravi", "password": "x"}).status == 404


def test_a_wrong_password_at_the_end_of_a_recording_does_not_stop_later_sign_ins(tmp_path: Path) -> None:
    wrong = replace(SIGN_IN, status=400, body=b'{"non_field_errors": ["No."]}')
    replay = replay_of(tmp_path, SIGN_IN, wrong)
    credentials = {"username": "asha", "password": "any"}
    statuses = [asked(replay, "POST", "/api/v2.5/auth-token/", credentials).status for _ in range(4)]
    assert statuses == [200, 400, 200, 200]


def test_addresses_lead_to_the_replay_and_headers_of_the_connection_are_left_out(tmp_path: Path) -> None:
    escaped = replace(ME, url=f"{SERVER}/api/b", body=rb'{"url": "https:\/\/learn.example.edu\/api\/b"}')
    replay = replay_of(tmp_path, ME, escaped)
    reply = asked(replay, "GET", "/api/v2.2/me/")
    assert json.loads(reply.body) == {"url": f"{BASE}/api/v2.2/users/1"}
    assert reply.headers == (("content-type", "application/json"), ("x-server-epoch", "5"))
    assert json.loads(asked(replay, "GET", "/api/b").body) == {"url": f"{BASE}/api/b"}


def test_a_picture_is_recorded_and_replayed_byte_for_byte(tmp_path: Path) -> None:
    picture = b"\x89PNG\r\n\x1a\n\x00\xff"
    file = recorded(tmp_path, replace(ME, body=picture, response_headers=(("content-type", "image/png"),)))
    jsonschema_rs.validate(HAR, json.loads(file.read_bytes()))
    assert asked(Replay(read_har(file)), "GET", "/api/v2.2/me/").body == picture


def test_what_a_browser_adds_to_a_recording_is_left_out(tmp_path: Path) -> None:
    tree = json.loads(to_har([ME]))
    (entry,) = tree["log"]["entries"]
    entry["request"]["headers"].append({"name": ":authority", "value": "learn.example.edu"})
    entry["response"]["headers"].append({"name": "x-bad", "value": "a\r\nset-cookie: b"})
    cached = json.loads(json.dumps(entry))
    cached["response"] |= {"status": 304, "content": {}}
    blocked = json.loads(json.dumps(entry))
    blocked["response"]["status"] = 0
    tree["log"]["entries"] = [cached, entry, blocked]
    file = tmp_path / "browser.har"
    file.write_text(json.dumps(tree), "utf-8")
    (found,) = read_har(file)
    names = [name for name, _ in asked(Replay([found]), "GET", "/api/v2.2/me/").headers]
    assert names == ["content-type", "x-server-epoch"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"log": {"entries": [5]}}', '{"log": {"entries": []}}', "[" * 100_000, "\udcff"]
)
def test_a_file_that_is_not_a_recording_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.har"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ReplayError) as refused:
        read_har(file)
    assert "--record" in refused.value.advice


class Replaying(httpx.AsyncBaseTransport):
    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        target = request.url.raw_path.decode()
        reply = self.replay.reply(request.method, target, await request.aread(), BASE)
        return answered(reply.status, reply.body)


async def test_a_recorded_walk_can_be_walked_again(own_institute: World, tmp_path: Path) -> None:
    report = await walk_through(own_institute)
    replay = Replay(read_har(recorded(tmp_path, *report.exchanges)))
    again = await replayed(Replaying(replay))
    assert replay.missing == {}
    assert accused(again) == set()
    assert sum(line.judged > 0 for line in again.lines) > 60


def test_the_program_serves_a_recording_and_reports_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = recorded(tmp_path, SIGN_IN, ME)
    command = [sys.executable, "-m", "lms_tui", "serve", "--replay", str(file)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        # communicate() reads the pipe itself. Lines that readline() has read ahead would be lost for it.
        base = process.stdout.readline().split()[-1]
        assert process.stdout.readline() == "2 recorded replies\n"
        user = ["--base-url", base, "--user", "asha", "--password", "any"]
        assert main(["api", "try", "GET", "/api/v2.2/me/", *user]) == 0
        assert json.loads(capsys.readouterr().out) == {"url": f"{base}/api/v2.2/users/1"}
        assert main(["api", "try", "PUT", "/api/v2.2/me/", "--data", "{}", *user]) == 1
        assert "The recording has no PUT /api/v2.2/me." in capsys.readouterr().out
        process.send_signal(signal.SIGTERM)
        told, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1
    assert told.splitlines() == [
        "not recorded: PUT /api/v2.2/me",
        "3 replies given, 1 requests not recorded",
        "not recorded: PUT /api/v2.2/me",
    ]


@pytest.mark.parametrize(
    "more",
    [
        ["--demo"],
        ["--fault", "503"],
        ["--host", "0.0.0.0"],  # noqa: S104 - refused
        ["--web"],
        ["--web", "0"],
        ["--ssh"],
    ],
)
def test_options_of_a_service_do_not_work_with_a_recording(
    tmp_path: Path, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--replay", str(recorded(tmp_path, ME)), *more]) == 1
    assert "recording" in capsys.readouterr().err
