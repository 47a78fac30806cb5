"""The page of a frame in a real browser: it plays once, then refuses; after its time it refuses."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket

import pytest
import uvicorn

from tests.service.browser import PATIENCE, Tab, chromium, find_chromium
from tests.service.service_world import World
from tests.service.shapes import person
from tests.service.video_world import add_course

EXECUTABLE = find_chromium()
pytestmark = pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium is installed (Debian: apt install chromium)")

PLAY = """
(async () => {
  const video = document.querySelector('video');
  video.muted = true;
  await video.play();
  const passed = (until) => new Promise((done, failed) => {
    video.onerror = () => failed(new Error('the video broke: ' + video.error.message));
    video.ontimeupdate = () => { if (video.currentTime > until) { done(); } };
  });
  await passed(0.2);
  const begun = video.currentTime;
  video.currentTime = 8;
  await passed(8.2);
  video.pause();
  return [begun, video.currentTime, video.duration, video.videoWidth, video.videoHeight];
})()
"""


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    assert EXECUTABLE is not None
    with chromium(EXECUTABLE, tmp_path / "profile") as opened:
        yield opened


@pytest.fixture
def served(world: World) -> Iterator[str]:
    """The service on a real socket, with the clock of the test."""
    listener = socket(AF_INET, SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    started = threading.Event()

    class Announcing(uvicorn.Server):
        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets)
            started.set()

    server = Announcing(uvicorn.Config(world.app, log_config=None, access_log=False, lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    assert started.wait(PATIENCE)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE)
    listener.close()


class Frontend:
    """A site of somebody else, whose page holds the video in a frame."""

    def __init__(self) -> None:
        self.frame = ""
        frontend = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = f"<!doctype html><title>Lesson</title><iframe src='{frontend.frame}'></iframe>".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the base class
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.address = f"http://localhost:{self.server.server_address[1]}/"


@pytest.fixture
def frontend() -> Iterator[Frontend]:
    made = Frontend()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join(PATIENCE)
    made.server.server_close()


async def test_a_video_plays_once_in_a_frame_and_not_after_its_time(
    world: World, served: str, frontend: Frontend, tab: Tab
) -> None:
    course = add_course(world)
    staff = person(world, "prakash", "moderator")
    annotations = [{"type": "dynamic", "text": "asha", "interval": 500, "skip": 100}]
    body = {"time_to_live": 600, "expires_after_first_usage": True, "annotations": annotations}

    once = await staff.post(course.tokens, body)
    frontend.frame = once["playback_url"].replace("http://lms.test", served)
    tab.open(frontend.address)
    begun, sought, duration, width, height = tab.in_frame(PLAY)
    assert begun > 0.2
    assert sought > 8.2, "seeking loads a range"
    assert (round(duration), width, height) == (10, 320, 180)
    assert tab.in_frame("getComputedStyle(document.querySelector('.annotation')).animationName") == "k0"
    assert tab.in_frame("document.cookie") == ""
    assert not [words for words in tab.complaints if "Content Security Policy" in words]

    tab.open(frontend.address)
    assert tab.in_frame("document.querySelector('video') === null") is True
    assert "link has expired" in tab.in_frame("document.body.innerText")

    late = await staff.post(course.tokens, {"time_to_live": 600})
    frontend.frame = late["playback_url"].replace("http://lms.test", served)
    world.clock.move(seconds=601)
    tab.open(frontend.address)
    assert "link has expired" in tab.in_frame("document.body.innerText")
