"""A headless Chromium, driven by its own protocol over a pipe: no driver, no port, no library."""

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds for an answer; starting on a busy machine takes several."""
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-component-update",
    "--disable-renderer-backgrounding",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,OptimizationHints",
    "--no-first-run",
    "--no-default-browser-check",
    "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-pipe",
)


def find_chromium() -> str | None:
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@dataclass
class Browser:
    """The pipe to a browser. Events are given to the tab that they belong to."""

    send_to: int
    read_from: int
    tabs: "dict[str, Tab]" = field(default_factory=dict)
    _number: int = 0
    _rest: bytes = b""

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result; raises AssertionError where the browser refuses it."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.send_to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def next(self) -> dict[str, Any]:
        """Wait for the next message. An event is kept by its tab."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self.read_from], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            piece = os.read(self.read_from, 65_536)
            assert piece, "the browser has ended"
            self._rest += piece
        raw, _, self._rest = self._rest.partition(b"\0")
        message = dict(json.loads(raw))
        tab = self.tabs.get(str(message.get("sessionId", "")))
        if tab is not None and "id" not in message:
            tab.happened(message)
        return message

    def new_person(self) -> str:
        """Return a context with cookies of its own."""
        return str(self.call("Target.createBrowserContext")["browserContextId"])

    def new_tab(self, person: str = "") -> "Tab":
        of_person = {"browserContextId": person} if person else {}
        target = self.call("Target.createTarget", url="about:blank", **of_person)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self.tabs[session] = Tab(self, target, session)
        tab.call("Page.enable")
        tab.call("Log.enable")
        return tab


@dataclass
class Tab:
    """One tab. `complaints`: what the browser wrote to the console, broken policies among it."""

    browser: Browser
    target: str
    session: str
    complaints: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.call(method, self.session, **params)

    def happened(self, event: dict[str, Any]) -> None:
        self.events.append(event)
        if event.get("method") == "Log.entryAdded":
            self.complaints.append(event["params"]["entry"]["text"])

    def open(self, url: str) -> None:
        """Go to a page and wait until it and its frames have loaded."""
        self.events.clear()
        answer = self.call("Page.navigate", url=url)
        assert "errorText" not in answer, answer
        self.wait_for_page()

    def wait_for_page(self) -> None:
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.browser.next()

    def close(self) -> None:
        self.browser.call("Target.closeTarget", targetId=self.target)
        del self.browser.tabs[self.session]

    def in_frame(self, expression: str) -> Any:
        """Evaluate an expression, which may be a promise, in the first frame of the page."""
        tree = self.call("Page.getFrameTree")["frameTree"]
        frame = tree["childFrames"][0]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        return self.evaluate(expression, contextId=world)

    def evaluate(self, expression: str, **where: Any) -> Any:
        """Evaluate an expression, which may be a promise, in the page."""
        answer = self.call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
            **where,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")


@contextmanager
def chromium(executable: str, profile: Path) -> Iterator[Tab]:
    """Start a browser with an empty profile and open one tab; the browser ends with the block."""
    commands, send_to = os.pipe()
    read_from, answers = os.pipe()
    # The browser reads commands from descriptor 3 and writes answers to 4.
    start = (
        f"import os, sys; os.dup2({commands}, 103); os.dup2({answers}, 104); os.dup2(103, 3); os.dup2(104, 4); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", start, executable, *_SWITCHES, f"--user-data-dir={profile}", "about:blank"],
        pass_fds=(commands, answers),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(profile)},
    )
    os.close(commands)
    os.close(answers)
    try:
        browser = Browser(send_to, read_from)
        yield browser.new_tab()
        browser.call("Browser.close")
        process.wait(PATIENCE)
    finally:
        os.close(send_to)
        os.close(read_from)
        process.kill()
        process.wait(PATIENCE)
