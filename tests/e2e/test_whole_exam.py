"""The program as a person uses it: a real process in a real pty, a real service behind a real socket, kills and cuts.

Nothing here sleeps: every step waits for what the screen shows, with a limit.
"""

import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal

Start = Callable[..., Terminal]
PATIENCE = 60.0

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys and /proc are used as Linux has them")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start lms-tui in a terminal of 120x40 over the data directory of this test."""
    opened: list[Terminal] = []

    def begin(*arguments: str, columns: int = 120, rows: int = 40) -> Terminal:
        argv = [sys.executable, "-m", "lms_tui", *arguments, "--data-dir", str(tmp_path / "data")]
        terminal = Terminal(argv, columns, rows, {"XDG_CONFIG_HOME": str(tmp_path / "config")})
        opened.append(terminal)
        return terminal

    yield begin
    for terminal in opened:
        terminal.close()


def press(terminal: Terminal, keys: str) -> None:
    for key in keys.split():
        terminal.press(key)


def service_of(terminal: Terminal) -> int:
    children = terminal.family() - {terminal.pid}
    return next(pid for pid in children if b"serve" in Path(f"/proc/{pid}/cmdline").read_bytes())


def begin_the_sprint(terminal: Terminal, name: str) -> None:
    """Open an exam by its slug and start it."""
    terminal.wait(r"Available", PATIENCE)
    terminal.settle(1.0)
    press(terminal, "n")
    terminal.wait(r"Open an exam by its link name", PATIENCE)
    for char in name:
        terminal.press(char)
    press(terminal, "enter")
    terminal.wait(r"(?i)press enter to start", PATIENCE)
    press(terminal, "enter")
    terminal.wait(r"Question 1 of", PATIENCE)


def answered_in_database(folder: Path) -> int:
    database = sqlite3.connect(f"file:{next(folder.rglob('service.sqlite3'))}?mode=ro", uri=True)
    try:
        rows = database.execute(
            "SELECT count(*) FROM attempt_questions WHERE selected_answers != '[]' AND outcome IS NULL"
        )
        return int(rows.fetchone()[0])
    finally:
        database.close()


def test_an_exam_survives_a_kill_and_a_lost_network_until_its_review(start: Start, tmp_path: Path) -> None:
    terminal = start("demo")
    begin_the_sprint(terminal, "number-sense")
    press(terminal, "b n c n a n m n d")
    terminal.wait(r"saved 5 · sent 5", PATIENCE)
    os.kill(terminal.pid, signal.SIGKILL)

    terminal = start("demo")
    terminal.wait(r"Press enter to resume", PATIENCE)
    press(terminal, "enter")
    terminal.wait(r"Question 5 of", PATIENCE)
    terminal.wait(r"saved 5 · sent 5", PATIENCE)

    # The service stands still: the exam goes on, and everything arrives when it is back.
    service = service_of(terminal)
    os.kill(service, signal.SIGSTOP)
    press(terminal, "n a n b")
    terminal.wait(r"saved 7 · sent 5", PATIENCE)
    os.kill(service, signal.SIGCONT)
    terminal.wait(r"saved 7 · sent 7", PATIENCE)
    assert answered_in_database(tmp_path / "data") == 6

    terminal.write(b"\x05")
    terminal.wait(r"(?i)end the exam", PATIENCE)
    press(terminal, "tab enter")
    terminal.wait(r"(?s)time taken.*enter review", PATIENCE)
    press(terminal, "enter")
    terminal.wait(r"(?i)explanation", PATIENCE)
    press(terminal, "escape")
    terminal.wait(r"(?i)accuracy", PATIENCE)
    press(terminal, "escape")
    terminal.wait(r"Available", PATIENCE)
    press(terminal, "s")
    terminal.wait(r"(?i)videos", PATIENCE)
    terminal.write(b"\x11")
    assert terminal._gone(PATIENCE)
