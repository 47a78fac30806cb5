"""Requests as the program made them: seen, filtered, copied and saved, with no secret among them."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from lms_tui.client.recording import Exchange, Recording
from lms_tui.views.inspector import line_of, matches, rows_of
from lms_tui.views.rows import cells, plain
from tests.fakes.program import Program, program

BEAT = Exchange(
    method="PUT",
    url="https://lms.test/api/v2.2/attempts/5/heartbeat/",
    request_headers=(("Authorization", "JWT eyJh.eyJi.c2ln"), ("Accept", "application/json")),
    request_body=b"",
    began=datetime(2026, 3, 2, 9, 0, tzinfo=UTC),
    seconds=0.0123,
    status=200,
    response_headers=(("content-type", "application/json"),),
    body='{"state": "Running", "user": "आशा \\u202e"}'.encode(),
    size=2_100,
)
SIGN_IN = replace(
    BEAT,
    method="POST",
    url="https://lms.test/api/v2.5/auth-token/",
    request_body=b'{"username": "asha", "password": "practice"}',
    body=b'{"token": "eyJh.eyJi.c2ln"}',
)
REFUSED = replace(BEAT, url="https://lms.test/api/v2.2/attempts/5/end/", status=503, body=b"<h1>busy</h1>")
CUT = replace(BEAT, status=0, response_headers=(), body=b"", size=0, failure="The server cannot be reached.")


@pytest.fixture
def recording() -> Recording:
    recording = Recording()
    for exchange in (SIGN_IN, BEAT, REFUSED, CUT):
        recording.keep(exchange)
    return recording


def opened(run: Program, recording: Recording) -> None:
    run.app._dependencies = replace(run.app._dependencies, recording=recording)


def test_a_line_has_the_given_width_and_the_important_fields() -> None:
    for exchange in (SIGN_IN, BEAT, REFUSED, CUT):
        assert cells(line_of(exchange, 100)) == 100
    told = plain(line_of(BEAT, 100))
    for words in ("PUT", "/attempts/5/heartbeat/", "200", "12 ms", "2.1 kB"):
        assert words in told


async def test_the_page_keys_scroll_the_details_of_a_request(recording: Recording, tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 14)) as run:
        opened(run, recording)
        await run.press("f12", "up")
        before = run.text()
        await run.press("pagedown")
        assert "above" in run.text()
        await run.press("pageup")
        assert run.text() == before


@pytest.mark.parametrize(("room", "shown"), [(60, ("12 ms", "2.1 kB")), (50, ("12 ms",)), (36, ())])
def test_in_a_narrow_window_the_path_stays_and_size_and_time_give_way(room: int, shown: tuple[str, ...]) -> None:
    line = line_of(BEAT, room)
    assert cells(line) == room
    told = plain(line)
    assert "PUT" in told
    assert "/api/v2.2/at" in told
    assert "200" in told
    assert [words for words in ("12 ms", "2.1 kB") if words in told] == list(shown)


def test_the_filter_searches_path_status_and_bodies() -> None:
    assert matches(BEAT, "put running")
    assert matches(REFUSED, "503")
    assert not matches(BEAT, "running 503")


def test_details_have_no_control_characters() -> None:
    text = "\n".join(plain(row) for row in rows_of(BEAT.without_secrets()))
    assert "\u202e" not in text
    assert '"state": "Running",' in text


async def test_every_request_is_shown_without_its_secrets(tmp_path: Path, recording: Recording) -> None:
    async with program(tmp_path) as run:
        opened(run, recording)
        await run.press("f12")
        assert run.screen == "InspectorScreen"
        assert "The server cannot be reached." in run.words
        await run.press("home")
        assert "auth-token" in run.words
        assert "practice" not in run.text().replace("practice on", "")
        assert "eyJh" not in run.text()
        await run.press("escape")
        assert run.screen == "AttemptsScreen"


async def test_the_filter_shows_matches_and_escape_shows_all(tmp_path: Path, recording: Recording) -> None:
    async with program(tmp_path) as run:
        opened(run, recording)
        await run.press("f12", "/")
        await run.type("busy")
        await run.press("enter")
        assert "1 of 4" in run.words
        await run.press("escape")
        assert run.screen == "InspectorScreen"
        assert "1 of 4" not in run.words


async def test_a_new_request_appears_in_the_open_list(tmp_path: Path, recording: Recording) -> None:
    async with program(tmp_path) as run:
        opened(run, recording)
        await run.press("f12")
        recording.keep(replace(BEAT, url="https://lms.test/api/v2.2/attempts/77/"))
        await run.settle()
        assert "/attempts/77/" in run.text()


async def test_a_request_while_the_screen_closes_causes_no_error(tmp_path: Path, recording: Recording) -> None:
    async with program(tmp_path) as run:
        opened(run, recording)
        for turns in range(40):
            await run.press("f12")
            left = run.app.screen
            left.dismiss()
            for _ in range(turns):
                await asyncio.sleep(0)
            recording.keep(BEAT)
            await run.until(lambda left=left: not left.is_attached)  # type: ignore[misc]  # bound now
        assert run.screen == "AttemptsScreen"


async def test_request_is_copied_as_a_command_and_all_are_saved(tmp_path: Path, recording: Recording) -> None:
    async with program(tmp_path) as run:
        opened(run, recording)
        await run.press("f12", "home", "down", "y")
        assert run.app.clipboard.startswith("curl -i -X PUT https://lms.test/api/v2.2/attempts/5/heartbeat/")
        await run.press("w")
        (file,) = run.app.settings.paths.exports.glob("*.har")
        tree: Any = json.loads(file.read_bytes())
        assert len(tree["log"]["entries"]) == 4
        assert b"eyJh" not in file.read_bytes()
        assert str(file) in run.notices.replace("\n", "")
