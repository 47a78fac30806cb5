"""Cases 3, 13, 14 and 30 in a real pty: signals, lost terminals, sizes, a second window, a fault of the program's own.

Nothing here sleeps: every step waits for what the screen shows or for the end of the process, with a limit.
"""

import fcntl
import os
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.terminal import Terminal
from lms_tui.attempt.journal.store import read_snapshot
from lms_tui.common.settings import find_paths
from tests.proxy.institute import Institute

PATIENCE = 60.0
SLACK = 4.0
"""Seconds for an end that takes less than one on a quiet computer."""
RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")
"""The screen of before, the cursor, and a mouse that is nobody's."""
FAULTY = """
import sys
from lms_tui.tui.screens.runner.actions import ExamActions

def action_mark(self):
    secret_local = "canary-" + "local"
    raise RuntimeError("canary-" + "message " + secret_local)

ExamActions.action_mark = action_mark
from lms_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys and /proc are used as Linux has them")


@pytest.fixture(scope="module")
def institute(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Institute]:
    with Institute(tmp_path_factory.mktemp("service"), ("asha",), 8) as running:
        yield running


class Seat:
    """The program in a pty, signed in, with what it wrote and how it ended."""

    def __init__(self, data: Path, *, program: tuple[str, ...] = ("-m", "lms_tui")) -> None:
        self.data = data
        argv = [sys.executable, *program, "--data-dir", str(data)]
        environment = {"XDG_CONFIG_HOME": str(data / "config"), "PYTHONPATH": os.pathsep.join(sys.path)}
        self.terminal = Terminal(argv, 80, 24, environment)
        self.status: int | None = None

    def begin(self, number: int) -> None:
        """Sit an exam that nobody has sat yet, give two answers, and see them saved and sent."""
        self.terminal.wait(r"lms-tui  Exams(?s:.*)Trial 8", PATIENCE)
        self.terminal.press("n")
        self.terminal.wait(r"Start an exam by its name", PATIENCE)
        self.terminal.write(f"trial-{number}\r".encode())
        self.terminal.wait(r"(?i)press enter to start", PATIENCE)
        self.terminal.write(b"\r")
        self.terminal.wait(r"Question 1 of", PATIENCE)
        self.terminal.write(b"bnc")
        self.terminal.wait(r"saved 2 · sent 2", PATIENCE)

    def ended(self) -> tuple[int, float, bytes]:
        """The exit code, how many seconds it took from now, and all that was written meanwhile."""
        began, written = time.monotonic(), b""
        while time.monotonic() - began < PATIENCE:
            pid, status = os.waitpid(self.terminal.pid, os.WNOHANG)
            with suppress(OSError, ValueError):
                self.terminal.read(0.02)
            written += b"".join(data for _, data in self.terminal._waiting)
            self.terminal._waiting.clear()
            if pid:
                return os.waitstatus_to_exitcode(status), time.monotonic() - began, written
        raise AssertionError("the program did not end")

    def saved(self) -> int:
        (path,) = find_paths(self.data).journals.glob("*/*/*.journal")
        return sum(1 for kept in read_snapshot(path).newest().values() if kept.entry.answer.selected)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.terminal._fd, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))


@pytest.fixture
def seat(institute: Institute, tmp_path: Path) -> Iterator[Callable[..., Seat]]:
    seats: list[Seat] = []

    def take(**options: tuple[str, ...]) -> Seat:
        institute.sign_in("asha", tmp_path / "data", institute.port)
        seats.append(Seat(tmp_path / "data", **options))
        return seats[-1]

    yield take
    for taken in seats:
        with suppress(OSError):
            taken.terminal.close()


@pytest.mark.case(13)
@pytest.mark.parametrize(("number", "code", "exam"), [(signal.SIGTERM, 143, 1), (signal.SIGHUP, 129, 2)])
def test_a_signal_restores_the_terminal_and_ends_at_once_with_every_answer_kept(
    seat: Callable[..., Seat], number: int, code: int, exam: int
) -> None:
    sat = seat()
    sat.begin(exam)
    sat.terminal.write(b"na")
    sat.terminal.wait(r"saved 3", PATIENCE)
    os.kill(sat.terminal.pid, number)
    ended, seconds, written = sat.ended()
    assert ended == code
    assert seconds < 1 + SLACK
    assert [end for end in RESTORED if end not in written] == []
    flags = termios.tcgetattr(sat.terminal._fd)[3]
    assert flags & termios.ICANON
    assert flags & termios.ECHO
    assert sat.saved() == 3


@pytest.mark.case(13)
def test_a_terminal_that_goes_away_ends_the_program_at_once_with_every_answer_kept(seat: Callable[..., Seat]) -> None:
    sat = seat()
    sat.begin(3)
    os.close(sat.terminal._fd)
    ended, seconds, _ = sat.ended()
    assert ended == 129
    assert seconds < 1 + SLACK
    assert sat.saved() == 2


@pytest.mark.case(3)
@pytest.mark.case(30)
def test_a_stop_and_two_hundred_resizes_lose_nothing_and_the_exam_is_painted_whole_again(
    seat: Callable[..., Seat],
) -> None:
    sat = seat()
    sat.begin(4)
    for _ in range(200):
        sat.resize(20, 5)
        sat.terminal.read(0.001)
        sat.resize(80, 24)
        sat.terminal.read(0.001)
    sat.terminal.write(b"d")
    sat.terminal.wait(r"Question 2 of(?s:.*)", PATIENCE)
    os.kill(sat.terminal.pid, signal.SIGSTOP)
    sat.terminal.write(b"na")
    os.kill(sat.terminal.pid, signal.SIGCONT)
    sat.terminal.wait(r"Question 3 of", PATIENCE)
    sat.terminal.wait(r"saved 3 · sent 3", PATIENCE)
    os.kill(sat.terminal.pid, signal.SIGTERM)
    assert sat.ended()[0] == 143
    assert sat.saved() == 3


@pytest.mark.case(14)
def test_a_second_window_names_the_first_ones_process_and_shows_its_answers_without_touching_them(
    seat: Callable[..., Seat], institute: Institute
) -> None:
    first = seat()
    first.begin(6)
    second = seat()
    second.terminal.wait(r"Resume(?s:.*)Trial 6", PATIENCE)
    second.terminal.write(b"\x1b[H\r")
    second.terminal.wait(rf"process(?s:.*){first.terminal.pid}", PATIENCE)
    second.terminal.write(b"\r")
    second.terminal.wait(r"read-only(?s:.*)Question 2 of", PATIENCE)
    second.terminal.wait(r"saved 2", PATIENCE)
    second.terminal.write(b"dmd")
    first.terminal.write(b"na")
    first.terminal.wait(r"saved 3 · sent 3", PATIENCE)
    second.terminal.wait(r"saved 3", PATIENCE)
    held, _ = institute.held("trial-6")
    assert [question.chosen for question in held[:3]] == [(1,), (2,), (0,)]
    assert first.saved() == 3


def test_a_fault_of_the_program_tells_where_the_journal_is_and_nothing_that_it_held(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", FAULTY))
    sat.begin(5)
    sat.terminal.write(b"m")
    ended, _, written = sat.ended()
    words = " ".join(written.replace(b"\r\n", b" ").decode("utf-8", "replace").split())
    report = find_paths(sat.data).crash_report
    assert ended == 1
    assert "Answers that showed as saved are safe in the journal" in words
    # The terminal breaks a long path wherever its line ends.
    assert "journals" in words.partition("The journal of each attempt is kept in")[2].replace(" ", "")
    assert RESTORED[0] in written
    assert report.stat().st_mode & 0o077 == 0
    token = next(find_paths(sat.data).secrets.iterdir()).read_text("ascii")
    for told in (written.decode("utf-8", "replace"), report.read_text("utf-8")):
        assert "canary" not in told
        assert token not in told
        assert "Traceback" not in told
    assert sat.saved() == 2
