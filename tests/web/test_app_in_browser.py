"""The app in a real browser: one short exam from the list to the review, and who is kept out."""

import base64
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyte
import pytest

from tests.service.browser import Tab, chromium, find_chromium

pytest.importorskip("textual_serve", reason="the extra `web` is not installed")
EXECUTABLE = find_chromium()
PATIENCE = 120.0
KEYS = {"enter": ("Enter", "\r", 13), "escape": ("Escape", "", 27), "tab": ("Tab", "\t", 9)}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address with its key."""
    process = subprocess.Popen(
        [sys.executable, "-m", "lms_tui", "serve", "--web", "--demo", "--data-dir", str(tmp_path / "data")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline().startswith("Listening on http://127.0.0.1:")
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found[0]
        process.terminate()
        assert process.wait(PATIENCE) == 0


class Page:
    """The app on a page: what its terminal was sent is drawn by a terminal of our own, keys go in as keys."""

    def __init__(self, tab: Tab, address: str) -> None:
        self.tab = tab
        tab.call("Network.enable")
        tab.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
        tab.open(address)
        self.screen = pyte.Screen(120, 40)
        self.stream = pyte.ByteStream(self.screen)

    def wait(self, pattern: str) -> None:
        """Let events of the browser pass until the pattern stands on the screen."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text()):
            assert time.monotonic() < end, f"waited for /{pattern}/:\n{self.text()}\n{self.tab.complaints}"
            self.tab.call("Runtime.evaluate", expression="new Promise(done => setTimeout(done, 50))", awaitPromise=True)
            events, self.tab._events[:] = list(self.tab._events), []
            for event in events:
                self._happened(str(event.get("method")), event.get("params", {}))

    def _happened(self, method: str, told: dict[str, Any]) -> None:
        """The page tells how large its terminal is when it opens the socket, and again when that changes."""
        if method == "Network.webSocketCreated":
            columns, rows = (int(number) for number in re.findall(r"(?:width|height)=(\d+)", told["url"]))
            self.screen.resize(rows, columns)
        elif method == "Network.webSocketFrameSent" and told["response"]["opcode"] == 1:
            match json.loads(told["response"]["payloadData"]):
                case ["resize", {"width": columns, "height": rows}]:
                    self.screen.resize(rows, columns)
        elif method == "Network.webSocketFrameReceived" and told["response"]["opcode"] == 2:
            self.stream.feed(base64.b64decode(told["response"]["payloadData"]))

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def press(self, *keys: str) -> None:
        for key in keys:
            if key in KEYS:
                name, text, code = KEYS[key]
                named = {"key": name, "code": name, "text": text, "windowsVirtualKeyCode": code}
                self.tab.call("Input.dispatchKeyEvent", type="keyDown", **named)
                self.tab.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name)
            elif key.startswith("ctrl+"):
                code = ord(key[-1].upper())
                control = {
                    "key": key[-1],
                    "modifiers": 2,
                    "windowsVirtualKeyCode": code,
                    "code": f"Key{key[-1].upper()}",
                }
                self.tab.call("Input.dispatchKeyEvent", type="rawKeyDown", **control)
                self.tab.call("Input.dispatchKeyEvent", type="keyUp", **control)
            else:
                self.tab.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
                self.tab.call("Input.dispatchKeyEvent", type="keyUp", key=key)


@pytest.mark.skipif(EXECUTABLE is None, reason="no Chromium is installed (Debian: apt install chromium)")
def test_a_short_exam_is_taken_in_a_browser(served: str, tmp_path: Path) -> None:
    assert EXECUTABLE is not None
    with chromium(EXECUTABLE, tmp_path / "profile") as tab:
        page = Page(tab, served)
        page.wait(r"All exams")
        page.press("e")
        page.wait(r"Number Sense")
        page.press("/")
        page.wait(r"Part of a title")
        page.press(*"Number", "enter")
        page.wait(r"“Number”")
        page.press("enter")
        page.wait(r"(?i)press enter to start")
        page.press("enter")
        page.wait(r"Question 1 of 8")
        page.press("b", "n", "a", "n", "c")
        page.wait(r"saved 3 · sent 3")
        page.press("ctrl+e")
        page.wait(r"(?i)end the exam")
        page.press("tab", "enter")
        page.wait(r"(?s)rank.*enter review")
        page.press("enter")
        page.wait(r"(?i)explanation")
        assert not [text for text in tab.complaints if "Content Security Policy" in text]
    database = sqlite3.connect(f"file:{next((tmp_path / 'data').rglob('service.sqlite3'))}?mode=ro", uri=True)
    newest = "SELECT max(attempt_id) FROM attempt_questions"
    given = f"SELECT count(*) FROM attempt_questions WHERE selected_answers != '[]' AND attempt_id = ({newest})"  # noqa: S608 - no text of a stranger
    assert database.execute(given).fetchone() == (3,)
    database.close()


def test_requests_of_other_sites_are_refused(served: str) -> None:
    origin = served.partition("://")[0] + "://" + served.partition("://")[2].partition("/")[0]
    socket = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with httpx.Client(trust_env=False) as client:
        assert client.get(served).status_code == 200
        assert "no-store" in client.get(served).headers["Cache-Control"]
        assert client.get(f"{origin}/").status_code == 404
        assert client.get(f"{origin}/guess/").status_code == 404
        assert client.get(f"{origin}/guess/ws", headers=socket | {"Origin": origin}).status_code == 404
        assert client.get(f"{served}ws", headers=socket | {"Origin": "https://evil.example"}).status_code == 403
        assert client.get(f"{served}ws", headers=socket).status_code == 403
        assert client.get(served, headers={"Host": "evil.example"}).status_code == 404
        assert client.get(f"{origin}/static/..%2f..%2f__init__.py").status_code in {403, 404}
        assert client.get(f"{origin}/download/guess").status_code == 404


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "example.org"])  # noqa: S104 - the address that is refused
def test_app_is_served_to_this_computer_only(host: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "lms_tui", "serve", "--web", "--host", host],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 1
    assert "to this computer only" in ended.stderr
