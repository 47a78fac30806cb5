"""The program is killed and started again while its server is stopped: real processes, a real pty, a real socket.

Nothing here sleeps: every step waits for what the screen shows, with a limit.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal
from lms_tui.common.settings import find_paths
from tests.proxy.institute import Institute

PATIENCE = 60.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them")

Start = Callable[[], Terminal]


@pytest.fixture
def institute(tmp_path: Path) -> Iterator[Institute]:
    with Institute(tmp_path / "service", ("asha", "ravi"), 1) as running:
        yield running


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the program in a terminal of 80x24 over the data directory of this test."""
    opened: list[Terminal] = []

    def begin() -> Terminal:
        argv = [sys.executable, "-m", "lms_tui", "--data-dir", str(tmp_path / "data")]
        environment = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "PYTHONPATH": os.pathsep.join(sys.path)}
        opened.append(Terminal(argv, 80, 24, environment))
        return opened[-1]

    yield begin
    for terminal in opened:
        with suppress(OSError):
            terminal.close()


def killed_with_two_answers(terminal: Terminal) -> None:
    """Start the exam, give two answers, and kill the program."""
    terminal.wait(r"lms-tui  Home(?s:.*)Trial 1", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"(?i)press enter to start", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Question 1 of", PATIENCE)
    terminal.write(b"bnc")
    terminal.wait(r"saved 2 · sent 2", PATIENCE)
    os.kill(terminal.pid, signal.SIGKILL)


def continued_without_the_server(terminal: Terminal) -> None:
    """Resume the exam from the list, which says that the server is away, and give a third answer."""
    terminal.wait(r"The server cannot be reached(?s:.*)▶ Trial 1", PATIENCE)
    assert "Available" not in terminal.text()
    terminal.press("enter")
    terminal.wait(r"Continue without the server", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Question 2 of(?s:.*)saved 2|saved 2(?s:.*)Question 2 of", PATIENCE)
    terminal.write(b"na")
    terminal.wait(r"saved 3 · sent 2", PATIENCE)


def test_an_exam_is_resumed_after_a_start_without_the_server_and_its_answers_arrive(
    institute: Institute, start: Start, tmp_path: Path
) -> None:
    institute.sign_in("asha", tmp_path / "data", institute.port)
    killed_with_two_answers(start())
    institute.stop()
    terminal = start()
    continued_without_the_server(terminal)

    # Killed once more, with an answer that the server has never had.
    os.kill(terminal.pid, signal.SIGKILL)
    terminal = start()
    terminal.wait(r"The server cannot be reached(?s:.*)▶ Trial 1", PATIENCE)
    terminal.wait(r"1 unsent", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Continue without the server", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"saved 3 · sent 2", PATIENCE)

    institute.start_again()
    terminal.wait(r"saved 3 · sent 3", PATIENCE)
    held, states = institute.held("trial-1")
    assert [question.chosen for question in held[:3]] == [(1,), (2,), (0,)]
    assert states == {"Running"}

    # The list is the usual one again.
    terminal.press("ctrl+q")
    terminal.wait(r"Leave the exam", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Resume .*time left(?s:.*)▶ Trial 1 .* 2\d:\d\d", PATIENCE)
    assert "cannot be reached" not in terminal.text()
    log = find_paths(tmp_path / "data").log
    (token,) = (find_paths(tmp_path / "data").secrets).glob("*.token")
    assert token.read_text() not in log.read_text()


def test_the_exams_of_the_last_user_are_not_offered_to_another_one_without_the_server(
    institute: Institute, start: Start, tmp_path: Path
) -> None:
    institute.sign_in("asha", tmp_path / "data", institute.port)
    killed_with_two_answers(start())
    institute.sign_in("ravi", tmp_path / "data", institute.port)
    terminal = start()
    terminal.wait(r"lms-tui  Home(?s:.*)Trial 1", PATIENCE)
    os.kill(terminal.pid, signal.SIGKILL)
    institute.stop()
    terminal = start()
    terminal.wait(r"No exam on this computer can be resumed", PATIENCE)
    terminal.wait("ravi", PATIENCE)
    assert "Trial 1" not in terminal.text()
    institute.start_again()
