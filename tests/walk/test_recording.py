"""Recorded requests have no secrets and a limited size, and the HAR file is complete at any time."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import jsonschema_rs  # comes with schemathesis
import pytest

from lms_tui.client.har import HarFile, to_curl, to_har, write_har
from lms_tui.client.recording import Exchange, Recording
from tests.service.service_world import World
from tests.walk.har_schema import HAR
from tests.walk.walk_world import walk_through

TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyX2lkIjoxfQ.c2lnbmF0dXJl"
SIGN_IN = Exchange(
    method="POST",
    url="https://lms.test/api/v2.5/auth-token/",
    request_headers=(("Content-Type", "application/json"), ("Cookie", "session=abcdef")),
    request_body=json.dumps({"username": "asha", "password": 'pa"ss\\word'}).encode(),
    began=datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
    seconds=0.25,
    status=200,
    response_headers=(("content-type", "application/json"), ("Set-Cookie", "session=abcdef; Path=/")),
    body=json.dumps({"token": TOKEN}).encode(),
    size=60,
)
BEAT = replace(
    SIGN_IN,
    method="PUT",
    url="https://lms.test/api/v2.2/attempts/5/heartbeat/?x=1",
    request_headers=(("Authorization", f"JWT {TOKEN}"), ("Accept", "application/json")),
    request_body=b"",
    body=b'{ "state":  "Running" }',
)
PLAYBACK = replace(BEAT, body=b'{"playback_url": "https://lms.test/embed/u/?access_token=s3cr3t", "code": "s3cr3t"}')
FAILED = replace(BEAT, status=0, response_headers=(), body=b"", failure="The server cannot be reached.")


@pytest.mark.parametrize("exchange", [SIGN_IN, BEAT, PLAYBACK, replace(BEAT, body=f"broken {TOKEN}".encode())])
def test_a_recorded_exchange_has_no_secret(exchange: Exchange) -> None:
    recording = Recording()
    recording.keep(exchange)
    (kept,) = recording.exchanges
    for secret in (TOKEN, "ss\\\\word", "abcdef", "s3cr3t"):
        assert secret not in repr(kept)


def test_text_without_secrets_is_recorded_unchanged() -> None:
    assert BEAT.without_secrets().body == BEAT.body


def test_a_full_recording_drops_the_oldest_exchanges() -> None:
    few, small = Recording(most=3), Recording(largest=5_000)
    for _ in range(10):
        few.keep(BEAT)
        small.keep(replace(BEAT, body=b"x" * 1_000))
    assert [number for number, _ in few.numbered] == [8, 9, 10]
    assert [number for number, _ in small.numbered] == [9, 10]


def test_a_listener_gets_each_exchange_until_it_is_removed() -> None:
    recording, heard = Recording(), list[Exchange]()
    leave = recording.listen(heard.append)
    recording.keep(SIGN_IN)
    leave()
    recording.keep(BEAT)
    assert heard == [SIGN_IN.without_secrets()]


def test_har_keeps_the_schema() -> None:
    content = to_har([one.without_secrets() for one in (SIGN_IN, BEAT, PLAYBACK, FAILED)])
    jsonschema_rs.validate(HAR, json.loads(content))
    assert TOKEN.encode() not in content


async def test_har_of_a_whole_walk_keeps_the_schema(own_institute: World) -> None:
    report = await walk_through(own_institute)
    jsonschema_rs.validate(HAR, json.loads(to_har(report.exchanges)))


def test_har_file_is_whole_after_each_exchange(tmp_path: Path) -> None:
    file = tmp_path / "recorded.har"
    file.write_text("what was there before")
    har = HarFile(file)
    for count, exchange in enumerate((SIGN_IN, BEAT, FAILED), start=1):
        har.append(exchange.without_secrets())
        tree = json.loads(file.read_bytes())
        jsonschema_rs.validate(HAR, tree)
        assert len(tree["log"]["entries"]) == count
    har.close()
    assert file.stat().st_mode & 0o077 == 0


def test_a_har_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    write_har(tmp_path / "walk.har", [BEAT.without_secrets()])
    assert (tmp_path / "walk.har").stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in tmp_path.iterdir()] == ["walk.har"]


def test_curl_sends_the_same_request_with_a_token_of_the_environment() -> None:
    answer = replace(
        BEAT, url="https://lms.test/a?b='c'", request_body=b'{"selected_answers": [1], "essay_text": "it\'s"}'
    )
    words = shlex.split(to_curl(answer.without_secrets()))
    assert words[:5] == ["curl", "-i", "-X", "PUT", "https://lms.test/a?b='c'"]
    assert "Authorization: JWT $LMS_TOKEN" in words
    assert words[-1] == '{"selected_answers": [1], "essay_text": "it\'s"}'


def test_program_records_its_requests_without_secrets(tmp_path: Path) -> None:
    file = tmp_path / "asked.har"
    arguments = ["demo", "--plain", "--record", str(file), "--data-dir", str(tmp_path / "data")]
    ended = subprocess.run(
        [sys.executable, "-m", "lms_tui", *arguments], input=b"\n", capture_output=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr
    tree = json.loads(file.read_bytes())
    jsonschema_rs.validate(HAR, tree)
    asked = [entry["request"]["url"].partition("/api/")[2] for entry in tree["log"]["entries"]]
    assert {"v2.5/auth-token/", "v2.2/me/"} <= set(asked)
    assert b"eyJ" not in file.read_bytes()
    assert b'practice\\"' not in file.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has such files")
def test_a_recording_never_replaces_a_device(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for write in (HarFile, partial(write_har, exchanges=())):
        with pytest.raises(FileExistsError, match="Not a file"):
            write(pipe)
    assert pipe.is_fifo()
