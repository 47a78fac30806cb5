"""What a run of all tests leaves on record: the counts of its proofs, however many processes ran them."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.record import Told


@pytest.fixture
def told(record_property: Callable[[str, object], None]) -> Told:
    """Put lines into the record of the run; they are printed at its end."""

    def tell(*lines: object) -> None:
        for line in lines:
            record_property("told", str(line))

    return tell


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [report for name in ("passed", "failed") for report in terminalreporter.stats.get(name, ())]
    lines = [(report.nodeid, text) for report in reports for name, text in report.user_properties if name == "told"]
    if lines:
        terminalreporter.section("counts of the proofs")
    before = ""
    for test, text in lines:
        if test != before:
            terminalreporter.write_line(test)
        before = test
        terminalreporter.write_line(f"  {text}")
