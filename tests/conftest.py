"""A line for each folder of tests, and the counts of the proofs at the end of a run."""

import gc
import logging
import os
import sys
from collections.abc import Callable
from functools import cache
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest

from lms_tui import cli
from tests.areas import Areas
from tests.record import Told
from tests.temporary import use_memory

# Without bytecode each process rewrites the assertions of all tests again: half of the time until the first test.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

use_memory()

# Tests never judge by the clock: machines are busy. Hypothesis would fail an example of more than 200 ms.
# Each run tries the same examples, so that a run fails for what was changed. LMS_TUI_EXAMPLES=new looks for others.
hypothesis.settings.register_profile(
    "steady",
    deadline=None,
    derandomize=os.environ.get("LMS_TUI_EXAMPLES") != "new",
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("steady")

# Folders and files whose tests start programs, browsers or servers, or repeat a proof many times.
_SLOW: Final = frozenset(
    {
        "crash",
        "e2e",
        "failover",
        "mutants",
        "proxy",
        "simulation",
        "banks/test_large_files.py",
        "ssh/test_ssh_attacks.py",
        "ssh/test_ssh_exam_room.py",
        "ssh/test_ssh_refusals.py",
        "ssh/test_ssh_sessions.py",
        "packaging",
        "ssh/test_ssh_two_hosts.py",
        "web/test_app_in_browser.py",
        "web/test_web_attacks.py",
        "web/test_web_behind_proxy.py",
        "cli/test_practice_process.py",
        "cli/test_program.py",
        "cli/test_shell_use.py",
        "cli/test_try.py",
        "cli/test_try_types.py",
        "cli/test_videos.py",
        "client/test_client_document.py",
        "content/test_content_fuzz.py",
        "plain/test_plain_program.py",
        "service/test_service_abuse.py",
        "service/test_service_embed_browser.py",
        "service/test_service_move.py",
        "service/test_service_operations.py",
        "service/test_service_process.py",
        "service/test_service_several_hosts.py",
        "service/test_service_totals.py",
        "service/test_service_workers.py",
        "tui/test_every_screen.py",
        "tui/test_exam_looks.py",
        "tui/test_institute_looks.py",
        "walk/test_recording.py",
        "walk/test_walk_command.py",
        "walk/test_walk_faults.py",
        "walk/test_walk_scenarios.py",
    }
)

# A process runs all tests of a file. These files take longest, and their tests would otherwise be among the last ones:
# one process would run them while the others have nothing left to do.
_FIRST: Final = ("walk/test_walk_faulty_line.py", "walk/test_walk_lies.py", "web/test_app_in_browser.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests: those of the list, and each test's run on PostgreSQL. Put the longest files first."""
    for item in items:
        parts = _file_of(item).split("/")
        if parts[0] in _SLOW or _file_of(item) in _SLOW or "[postgresql" in item.name:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: _file_of(item) not in _FIRST)


def _file_of(item: pytest.Item) -> str:
    return item.path.relative_to(Path(__file__).parent).as_posix()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Leave out slow tests where neither files nor marks are named; print folders in place of dots."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.markexpr:
        config.option.markexpr = "not slow"
    terminal = config.pluginmanager.getplugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput") and config.get_verbosity() < 0:
        config.pluginmanager.register(Areas(terminal), "areas")


def pytest_collection_finish() -> None:
    """Leave the imported modules and the collected tests out of all later garbage collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    # The program freezes the objects of its start. Here they would be those of a test, which must be collected.
    pytest.MonkeyPatch().setattr(gc, "freeze", lambda: None)
    # A process of the program makes its parser once, in 20 ms. Here it runs hundreds of commands.
    pytest.MonkeyPatch().setattr(cli, "_parser_of", cache(cli._parser_of))


def pytest_runtest_teardown() -> None:
    """Take back what the program changes in its process at its start: it turns collection off, and logs to a file."""
    gc.enable()
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, RotatingFileHandler)]:
        root.removeHandler(handler)
        handler.close()


@pytest.fixture
def told(record_property: Callable[[str, object], None]) -> Told:
    """Return a function that records lines, which are printed at the end of the run."""

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
