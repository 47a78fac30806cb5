"""Videos that an institute puts into its courses by the command, read and played through a real service."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import lms_tui.service.demo
from tests.cli.test_administration import Shell, new_shell, shell
from tests.waiting import PATIENCE

__all__ = ["new_shell", "shell"]
FILM = Path(lms_tui.service.demo.__file__).with_name("media") / "velocity-time-graph.webm"
SIGN_IN = "/api/v2.5/auth-token/"
MP4 = b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41" + b"film" * 9


class Service:
    """A running `lms-tui serve`, and what somebody asks of it."""

    def __init__(self, base: str) -> None:
        self.base = base

    def fetch(self, path: str, body: object = None, token: str = "") -> tuple[int, Any, bytes]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data)  # noqa: S310  # our own service
        request.add_header("Content-Type", "application/json")
        if token:
            request.add_header("Authorization", f"JWT {token}")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310  # our own service
                return response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def ask(self, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        status, _, content = self.fetch(path, body, token)
        return status, json.loads(content)

    def token(self, username: str) -> str:
        return str(self.ask(SIGN_IN, {"username": username, "password": "a long secret"})[1]["token"])


Serve = Callable[..., Service]


@pytest.fixture
def serve(shell: Shell) -> Iterator[Serve]:
    started: list[subprocess.Popen[str]] = []

    def begin(*options: str) -> Service:
        command = [sys.executable, "-m", "lms_tui", "serve", "--data-dir", str(shell.folder), *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return Service(process.stdout.readline().split()[-1])

    yield begin
    for process in started:
        process.terminate()
        process.communicate(timeout=PATIENCE)


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    return folder


@pytest.fixture
def institute(shell: Shell) -> Shell:
    shell.ask("user", "add", "prakash", "--role", "moderator", "--password-stdin", typed="a long secret\n")
    shell.ask("user", "add", "asha", "--batch", "Morning", "--password-stdin", typed="a long secret\n")
    return shell


def added(shell: Shell, *more: str, file: Path = FILM) -> Any:
    (row,) = shell.ask("video", "add", str(file), "--course", "Physics", "--title", "Graphs", *more)
    return row


def test_an_added_video_is_read_and_plays_until_it_is_removed(institute: Shell, serve: Serve, media: Path) -> None:
    there = ("--media-dir", str(media))
    row = added(institute, "--chapter", "Motion", "--batch", "Morning", "--batch", "Morning", *there)
    assert (row["course"], row["chapter"], row["title"]) == ("Physics", "Motion", "Graphs")
    assert row["size"] == FILM.stat().st_size
    assert institute.ask("video", "list", "--course", "Physics", *there) == [row]
    assert institute.ask("video", "list", "--course", "Chemistry", *there) == []

    site = "https://learn.example.edu"
    service = serve(*there, "--embed-origin", site, "--embed-origin", "http://localhost:8080")
    asha, staff = service.token("asha"), service.token("prakash")
    status, listed = service.ask("/api/v3/courses/1/contents/?type=video", token=asha)
    (content,) = listed["results"]["contents"]
    assert (status, content["id"], content["title"]) == (200, row["content"], "Graphs")
    _, details = service.ask(f"/api/v2.4/contents/{row['content']}/", token=asha)
    assert (details["uuid"], details["video"]["title"]) == (row["uuid"], "Graphs")
    tokens = f"/api/v2.5/admin/videos/{row['uuid']}/access-tokens/"
    made = service.ask(tokens, {}, staff)[1]
    path = made["playback_url"].removeprefix(service.base)
    status, headers, page = service.fetch(path)
    assert status == 200
    assert headers["content-security-policy"].endswith(f"frame-ancestors {site} http://localhost:8080")
    source = re.search(r'<video src="([^"]+)"', page.decode())
    assert source is not None
    status, headers, film = service.fetch(source[1])
    assert (status, headers["content-type"], film) == (200, "video/webm", FILM.read_bytes())

    assert institute.ask("video", "remove", row["uuid"], *there) == [row]
    assert service.fetch(source[1])[0] == 403
    assert service.ask(tokens, {}, staff)[0] == 404
    assert list((media / "videos").iterdir()) == []
    assert "no video" in institute.refused("video", "remove", row["uuid"], *there)


def test_videos_without_embedding_have_no_tokens(institute: Shell, serve: Serve) -> None:
    row = added(institute)
    service = serve("--no-video-embedding")
    tokens = f"/api/v2.5/admin/videos/{row['uuid']}/access-tokens/"
    assert service.ask(tokens, {}, service.token("prakash"))[0] == 403


@pytest.mark.parametrize(
    ("content", "suffix"),
    [
        (MP4, ".mp4"),
        (FILM.read_bytes(), ".webm"),
        (b"\x00\x00\x00\x1cftypmp42\x00\x00\x00\x00mp42isom", ".mp4"),
        (b"\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00M4A mp42isom\x00\x00\x00\x00", None),
        (b"\x00\x00\x00\x1cftypheic\x00\x00\x00\x00mif1heicmiaf", None),
        (b"\x1a\x45\xdf\xa3\xa3\x42\x82\x88matroska", None),
        (b"<html><body>no film</body></html>", None),
        (b"\x00\x00\x00\x20ftyp", None),
        (b"", None),
    ],
)
def test_only_formats_that_browsers_play_become_videos(
    shell: Shell, tmp_path: Path, content: bytes, suffix: str | None
) -> None:
    file = tmp_path / "film.html"
    file.write_bytes(content)
    if suffix is None:
        what = shell.refused("video", "add", str(file), "--course", "Physics", "--title", "Graphs")
        assert "not a WebM or MP4 video" in what
        assert shell.ask("video", "list") == []
    else:
        row = added(shell, file=file)
        assert (row["file"], row["size"]) == (row["uuid"].replace("-", "") + suffix, len(content))
        assert (tmp_path / "service/media/videos" / row["file"]).read_bytes() == content


@pytest.mark.parametrize("wrong", [("--title", " "), ("--title", "x" * 301), ("--chapter", " "), ("--batch", "")])
def test_an_invalid_name_leaves_no_file(shell: Shell, tmp_path: Path, wrong: tuple[str, str]) -> None:
    shell.refused("video", "add", str(FILM), "--course", "Physics", "--title", "Graphs", *wrong)
    assert shell.ask("video", "list") == []
    assert list((tmp_path / "service").rglob("*.webm")) == []


def test_a_course_without_students_is_reported(shell: Shell) -> None:
    line = ("video", "add", str(FILM), "--course", "Physics", "--title", "Graphs")
    assert "No student can use the course" in shell.run(*line)[2]
    assert shell.run(*line, "--public")[2] == ""
    assert shell.run(*line)[2] == ""
    assert "cannot be read" in shell.refused("video", "add", "missing.webm", *line[3:])


@pytest.mark.parametrize("line", [("serve",), ("video", "list")])
def test_a_missing_media_folder_is_wrong_usage(shell: Shell, line: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        shell.run(*line, "--media-dir", str(tmp_path / "not mounted"))
    assert ended.value.code == 2
    assert "there is no folder" in shell.capsys.readouterr().err


@pytest.mark.parametrize(
    "origin",
    [
        "learn.example.edu",
        "https://learn.example.edu/",
        "https://a.example; script-src *",
        "https://a b",
        "*",
        "ftp://a",
    ],
)
def test_an_invalid_origin_is_wrong_usage(shell: Shell, origin: str) -> None:
    with pytest.raises(SystemExit) as ended:
        shell.run("serve", "--embed-origin", origin)
    assert ended.value.code == 2
    assert "is not an origin" in shell.capsys.readouterr().err
