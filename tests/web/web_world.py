"""A running host with the demo institute for browsers, and pages whose terminals are drawn by pyte."""

import base64
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lms_tui.qa.scenarios.emulator import Emulator
from tests.service.browser import Tab
from tests.waiting import children_of, command_of, process_status

PASSWORD = "practice"
PATIENCE = 120.0
KEYS = {"enter": ("Enter", "\r", 13), "escape": ("Escape", "", 27), "tab": ("Tab", "\t", 9)}


@dataclass(frozen=True, slots=True)
class WebHost:
    """`origin`: the address of the pages. `ssh`: the port for ssh, if there is one."""

    origin: str
    data: Path
    pid: int
    ssh: int

    @property
    def log(self) -> str:
        return (self.data / "logs" / "host.log").read_text()

    def sessions(self) -> list[int]:
        """Return the processes of the sessions."""
        return children_of(next(pid for pid in children_of(self.pid) if b"sessions.warm" in command_of(pid)))

    def memory(self) -> float:
        """Return the MiB that the host itself uses, without the sessions."""
        return process_status(self.pid, "RssAnon") / 1024


@contextmanager
def running(data: Path, *options: str, institute: str = "--demo") -> Iterator[WebHost]:
    """Start `lms-tui serve --web` on free ports, and end it as its terminal would."""
    user = [] if os.geteuid() else ["--session-user", "root"]  # Python may lie in a folder of root's
    command = [sys.executable, "-m", "lms_tui", "serve", institute, "--web", "0", "--data-dir", str(data)]
    process = subprocess.Popen([*command, *user, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline().startswith("Listening on http://127.0.0.1:")
            said = process.stdout.readline()
            ssh = re.match(r"SSH on \S+:(\d+),", said)
            found = re.search(r"https?://\S+", process.stdout.readline() if ssh else said)
            assert found
            yield WebHost(found[0], data, process.pid, int(ssh[1]) if ssh else 0)
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0


class Page:
    """The app on a page: what its terminal was sent is drawn by a terminal of our own, keys go in as keys."""

    def __init__(self, tab: Tab, address: str, size: tuple[int, int] = (1200, 800)) -> None:
        self.tab = tab
        self._emulator = Emulator(120, 40)
        tab.call("Network.enable")
        tab.call("Emulation.setFocusEmulationEnabled", enabled=True)
        tab.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        tab.open(address)

    def sign_in(self, username: str, password: str = PASSWORD) -> None:
        """Fill in the form with the keyboard alone, and wait for the next page."""
        self.type_into("username", username)
        self.press("tab")
        self.type_into("password", password)
        self.tab.events.clear()
        self.press("enter")
        self.tab.wait_for_page()

    def type_into(self, field: str, text: str) -> None:
        """Type text when the field has the focus. The browser moves it there after the page has been loaded."""
        self._until_true(f"document.activeElement.id === '{field}'")
        self.press(*text)

    def words(self) -> str:
        """Return the text of the page around the terminal."""
        return str(self.tab.evaluate("document.body.innerText"))

    def wait(self, pattern: str) -> None:
        """Let events of the browser pass until the pattern stands on the screen."""
        self._until(lambda: re.search(pattern, self.text()) is not None, f"/{pattern}/")

    def wait_for_end(self) -> None:
        """Let events of the browser pass until the page says that the session has ended."""
        self._until_true("document.body.classList.contains('-closed')")

    def _until_true(self, expression: str) -> None:
        self._until(lambda: bool(self.tab.evaluate(expression)), expression)

    def _until(self, holds: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"waited for {what}:\n{self.text()}\n{self.tab.complaints}"
            self.tab.evaluate("new Promise(done => setTimeout(done, 50))")

    def text(self) -> str:
        events, self.tab.events[:] = list(self.tab.events), []
        for event in events:
            self._happened(str(event.get("method")), event.get("params", {}))
        return self._emulator.text()

    def _happened(self, method: str, told: dict[str, Any]) -> None:
        """The page tells how large its terminal is when it opens the socket, and again when that changes."""
        if method == "Network.webSocketCreated":
            columns, rows = (int(number) for number in re.findall(r"(?:width|height)=(\d+)", told["url"]))
            self._emulator.resize(columns, rows)
        elif method == "Network.webSocketFrameSent" and told["response"]["opcode"] == 1:
            match json.loads(told["response"]["payloadData"]):
                case ["resize", {"width": columns, "height": rows}]:
                    self._emulator.resize(columns, rows)
        elif method == "Network.webSocketFrameReceived" and told["response"]["opcode"] == 2:
            self._emulator.feed(base64.b64decode(told["response"]["payloadData"]))

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

    def open_exam(self, title: str) -> None:
        """Choose an exam from the home screen, and begin it."""
        self.wait(r"All exams")
        self.press("e")
        self.wait(r"Number Sense")
        self.press("/")
        self.wait(r"Part of a title")
        self.press(*title, "enter")
        self.wait(f"“{title}”")
        self.press("enter")
        self.wait(r"(?i)press enter to start")
        self.press("enter")
        self.wait(r"Question 1 of")
