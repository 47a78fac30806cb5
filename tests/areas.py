"""One line for each folder of tests when its last test has ended, in place of a dot for each test."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest


class Areas:
    """Count the tests of each folder and print a line when a folder is done, also with several processes."""

    def __init__(self, terminal: Any) -> None:
        self._terminal = terminal
        self._left: Counter[str] = Counter()
        self._passed: Counter[str] = Counter()
        self._other: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._began = time.monotonic()

    def expect(self, node_ids: Iterable[str]) -> None:
        """Take the tests that will run; each process of pytest-xdist collects the same ones."""
        self._left = Counter(_area(node_id) for node_id in node_ids)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if session.items:
            self.expect(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        del node
        if not self._left:
            self.expect(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        area = _area(report.nodeid)
        self._seconds[area] += report.duration
        if report.when == "teardown":
            self._left[area] -= 1
            if self._left[area] == 0:
                self._print(area)
        elif report.outcome != "passed":
            self._other[f"{area} {report.outcome}"] += 1
        elif report.when == "call":
            self._passed[area] += 1

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Print no letter for a test that passed or was skipped, which the line counts; failures keep theirs."""
        if report.passed and report.when == "call":
            return ("passed", "", "")
        return ("skipped", "", "") if report.skipped and not hasattr(report, "wasxfail") else None

    def _print(self, area: str) -> None:
        others = "".join(
            f", {self._other[f'{area} {outcome}']} {outcome}"
            for outcome in ("failed", "skipped")
            if self._other[f"{area} {outcome}"]
        )
        since = time.monotonic() - self._began
        line = f"{area:<14} {self._passed[area]:>5} passed{others} in {self._seconds[area]:.0f} s"
        self._terminal.ensure_newline()
        self._terminal.write_line(f"{line:<60} {since:>5.0f} s since the start")


def _area(node_id: str) -> str:
    """Return the folder below `tests` that a test lies in."""
    parts = node_id.split("::", 1)[0].split("/")
    return parts[1] if len(parts) > 2 else parts[-1]
