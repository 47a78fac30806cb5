"""Cases 3, 13, 14 and 30 in a real pty: signals, lost terminals, sizes, a second window, a fault of the program's own.

Nothing here sleeps: every step waits for what the screen shows or for the end of the process, with a limit.
"""

import fcntl
import os
import signal
import socket
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from benchmarks.terminal import Terminal
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.banks.model import Exam, Question, TextKey
from lms_tui.common.settings import find_paths
from lms_tui.wire.question_types import QuestionType
from tests.proxy.institute import Institute
from tests.service.service_world import exam_of
from tests.waiting import PATIENCE, wait_until

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?7h", b"\x1b[?1000l")
"""The screen of before, the cursor, long lines that break, and a mouse that is nobody's."""
FAULTY = """
import sys
from lms_tui.tui.screens.runner.screen import RunnerScreen

def action_mark(self):
    secret_local = "canary-" + "local"
    raise RuntimeError("canary-" + "message " + secret_local)

RunnerScreen.action_mark = action_mark
from lms_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""

NO_AUTOSAVE = """
import sys
from lms_tui.runtime import bootstrap
from lms_tui.tui.screens.runner import autosave
autosave.PAUSE = autosave.LONGEST = 3600
bootstrap._LONGEST_END = 60
"""
"""Letters are saved only when the field or the program is left. On a busy machine that may take longer than 3 s."""
MAIN = """
from lms_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""
FAULTY_KEY = """
from lms_tui.tui.screens.runner.screen import RunnerScreen

def action_reconnect(self):
    raise RuntimeError("a fault")

RunnerScreen.action_reconnect = action_reconnect
"""
STUCK = """
import sys
import time
from lms_tui.tui.app import LmsApp

LmsApp.leave = lambda app, code: time.sleep(3600)
"""
"""A program that does not end by itself, as on a computer that is far too busy."""
FAST_HEARTBEAT = """
import sys
from lms_tui.attempt import outbox
outbox.HEARTBEAT = 0.5
"""

SMALL_BACKLOG = """
from lms_tui.tui.terminal import output
output.LARGEST_BACKLOG = 16384
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys and /proc are used as Linux has them")


def words() -> Exam:
    """An exam with one short text."""
    return exam_of(Question(QuestionType.SHORT, "capital", texts=(TextKey("Chennai"),)))


@pytest.fixture(scope="module")
def institute(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Institute]:
    papers = tuple(replace(words(), title=f"Words {number}") for number in range(1, 6))
    with Institute(tmp_path_factory.mktemp("service"), ("asha",), 9, papers) as running:
        yield running


class Relay:
    """Passes connections on to the service and counts the heartbeats in them."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._changed = threading.Condition()
        self.heartbeats = 0
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def wait_for_heartbeats(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.heartbeats >= count, PATIENCE)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                service = socket.create_connection(("127.0.0.1", self._target))
                for source, sink in ((client, service), (service, client)):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError), source:
            while data := source.recv(65536):
                with self._changed:
                    self.heartbeats += data.count(b"/heartbeat/ HTTP")
                    self._changed.notify_all()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)


class Seat:
    """The program in a pty, signed in, with what it wrote and how it ended."""

    def __init__(self, data: Path, *, program: tuple[str, ...] = ("-m", "lms_tui")) -> None:
        self.data = data
        argv = [sys.executable, *program, "--data-dir", str(data)]
        environment = {"XDG_CONFIG_HOME": str(data / "config"), "PYTHONPATH": os.pathsep.join(sys.path)}
        self.terminal = Terminal(argv, 80, 24, environment)
        self.status: int | None = None

    def open(self, slug: str) -> None:
        """Start an exam that nobody has started yet."""
        self.terminal.wait(r"lms-tui  Home(?s:.*)All exams", PATIENCE)
        self.terminal.press("n")
        self.terminal.wait(r"Open an exam by its link name", PATIENCE)
        self.terminal.write(f"{slug}\r".encode())
        self.terminal.wait(r"(?i)press enter to start", PATIENCE)
        self.terminal.write(b"\r")
        self.terminal.wait(r"Question 1 of", PATIENCE)

    def begin(self, number: int) -> None:
        """Start an exam, give two answers, and see them saved and sent."""
        self.open(f"trial-{number}")
        self.terminal.write(b"bnc")
        self.terminal.wait(r"saved 2 · sent 2", PATIENCE)

    def ended(self) -> tuple[int, bytes]:
        """The exit code, and all that was written meanwhile."""
        began, written = time.monotonic(), b""
        while time.monotonic() - began < PATIENCE:
            pid, status = os.waitpid(self.terminal.pid, os.WNOHANG)
            self.terminal.read(0.02)
            if self.terminal.ended:
                threading.Event().wait(0.02)
            written += b"".join(data for _, data in self.terminal._waiting)
            self.terminal._waiting.clear()
            if pid:
                return os.waitstatus_to_exitcode(status), written
        raise AssertionError("the program did not end")

    def saved(self) -> int:
        (path,) = find_paths(self.data).journals.glob("*/*/*.journal")
        return sum(1 for kept in read_snapshot(path).newest().values() if kept.entry.answer.selected)

    def written(self) -> list[str]:
        """Short texts in the journal."""
        (path,) = find_paths(self.data).journals.glob("*/*/*.journal")
        answers = [kept.entry.answer for kept in read_snapshot(path).newest().values()]
        return [answer.short_text for answer in answers if answer.short_text]

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.terminal._fd, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))


@pytest.fixture
def seat(institute: Institute, tmp_path: Path) -> Iterator[Callable[..., Seat]]:
    seats: list[Seat] = []

    def take(program: tuple[str, ...] = ("-m", "lms_tui"), port: int = institute.port) -> Seat:
        institute.sign_in("asha", tmp_path / "data", port)
        seats.append(Seat(tmp_path / "data", program=program))
        return seats[-1]

    yield take
    for taken in seats:
        with suppress(OSError):
            taken.terminal.close()


@pytest.mark.case(13)
@pytest.mark.parametrize(("number", "code", "exam"), [(signal.SIGTERM, 143, 1), (signal.SIGHUP, 129, 2)])
def test_a_signal_restores_the_terminal_and_keeps_every_answer(
    seat: Callable[..., Seat], number: int, code: int, exam: int
) -> None:
    sat = seat()
    sat.begin(exam)
    sat.terminal.write(b"na")
    sat.terminal.wait(r"saved 3", PATIENCE)
    os.kill(sat.terminal.pid, number)
    ended, written = sat.ended()
    assert ended == code
    assert [end for end in RESTORED if end not in written] == []
    flags = termios.tcgetattr(sat.terminal._fd)[3]
    assert flags & termios.ICANON
    assert flags & termios.ECHO
    assert sat.saved() == 3


@pytest.mark.case(13)
def test_a_signal_restores_the_terminal_of_a_program_that_does_not_end_in_time(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", STUCK + MAIN))
    sat.begin(8)
    os.kill(sat.terminal.pid, signal.SIGTERM)
    ended, written = sat.ended()
    assert ended == 143
    assert [end for end in RESTORED if end not in written] == []
    flags = termios.tcgetattr(sat.terminal._fd)[3]
    assert flags & termios.ICANON
    assert flags & termios.ECHO
    assert sat.saved() == 2


@pytest.mark.case(13)
def test_closing_the_terminal_ends_the_program_and_keeps_every_answer(seat: Callable[..., Seat]) -> None:
    sat = seat()
    sat.begin(3)
    sat.terminal.hang_up()
    assert sat.ended()[0] == 129
    assert sat.saved() == 2


@pytest.mark.case(13)
@pytest.mark.parametrize(
    ("number", "exam"), [(signal.SIGTERM, 1), (signal.SIGHUP, 2), (signal.SIGINT, 3)], ids=["TERM", "HUP", "INT"]
)
def test_letters_typed_just_before_a_signal_are_saved(seat: Callable[..., Seat], number: int, exam: int) -> None:
    sat = seat(program=("-c", NO_AUTOSAVE + MAIN))
    sat.open(f"words-{exam}")
    sat.terminal.write(b"\r")
    sat.terminal.wait("back to the question", PATIENCE)
    sat.terminal.write(b"Chennai")
    os.kill(sat.terminal.pid, number)
    assert sat.ended()[0] == 128 + number
    assert sat.written() == ["Chennai"]
    again = seat()
    again.terminal.wait(rf"Resume(?s:.*)Words {exam}", PATIENCE)
    again.terminal.write(b"\x1b[H\r")
    again.terminal.wait(r"Question 1 of(?s:.*)Chennai", PATIENCE)


def test_letters_of_a_note_are_saved_at_a_signal_and_shown_again(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", NO_AUTOSAVE + MAIN))
    sat.begin(9)
    sat.terminal.write(b"i")
    sat.terminal.wait("Note on question 2", PATIENCE)
    sat.terminal.write(b"look again")
    sat.terminal.wait("look again", PATIENCE)
    os.kill(sat.terminal.pid, signal.SIGTERM)
    assert sat.ended()[0] == 128 + signal.SIGTERM
    again = seat()
    again.terminal.wait(r"Resume(?s:.*)Trial 9", PATIENCE)
    again.terminal.write(b"\x1b[H\r")
    again.terminal.wait(r"Question 2 of(?s:.*)note", PATIENCE)
    again.terminal.write(b"i")
    again.terminal.wait("look again", PATIENCE)


@pytest.mark.case(13)
def test_typed_letters_are_saved_when_the_terminal_is_closed(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", NO_AUTOSAVE + MAIN))
    sat.open("words-4")
    sat.terminal.write(b"\rChennai")
    sat.terminal.wait("Chennai", PATIENCE)
    sat.terminal.hang_up()
    assert sat.ended()[0] == 129
    assert sat.written() == ["Chennai"]


def test_typed_letters_are_saved_when_the_program_crashes(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", NO_AUTOSAVE + FAULTY_KEY + MAIN))
    sat.open("words-5")
    sat.terminal.write(b"\rChennai")
    sat.terminal.wait("Chennai", PATIENCE)
    sat.terminal.write(b"\x12")
    assert sat.ended()[0] == 1
    assert sat.written() == ["Chennai"]


def test_answers_and_heartbeats_are_sent_while_the_terminal_does_not_read(
    seat: Callable[..., Seat], institute: Institute
) -> None:
    with Relay(institute.port) as relay:
        sat = seat(program=("-c", FAST_HEARTBEAT + SMALL_BACKLOG + MAIN), port=relay.port)
        sat.begin(7)
        sat.terminal.write(b"np" * 40 + b"nd")
        relay.wait_for_heartbeats(relay.heartbeats + 5)
        wait_until(lambda: institute.held("trial-7")[0][2].chosen == (3,))
        sat.terminal.wait(r"Question 3 of(?s:.*)(?:[●◉]|\(●\))", PATIENCE)
        sat.terminal.wait(r"saved 3 · sent 3(?s:.*)Question 3 of(?s:.*)ctrl\+e", PATIENCE)


@pytest.mark.case(3)
@pytest.mark.case(30)
def test_a_stop_and_two_hundred_resizes_lose_nothing(
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
def test_a_second_window_shows_the_answers_of_the_first_read_only(
    seat: Callable[..., Seat], institute: Institute
) -> None:
    first = seat()
    first.begin(6)
    second = seat()
    second.terminal.wait(r"Resume(?s:.*)Trial 6", PATIENCE)
    second.terminal.write(b"\x1b[H\r")
    second.terminal.wait(rf"process(?s:.*){first.terminal.pid}(?s:.*)Waiting", PATIENCE)
    second.terminal.write(b"\x1b")
    second.terminal.wait(r"View", PATIENCE)
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


def test_a_crash_names_the_journal_and_shows_none_of_its_contents(seat: Callable[..., Seat]) -> None:
    sat = seat(program=("-c", FAULTY))
    sat.begin(5)
    sat.terminal.write(b"m")
    ended, written = sat.ended()
    words = " ".join(written.replace(b"\r\n", b" ").decode("utf-8", "replace").split())
    report = find_paths(sat.data).crash_report
    assert ended == 1
    assert "Answers that showed as saved are safe." in words
    # The terminal breaks a long path wherever its line ends.
    assert "journals" in words.partition("The answers are in")[2].replace(" ", "")
    assert RESTORED[0] in written
    assert report.stat().st_mode & 0o077 == 0
    token = next(find_paths(sat.data).secrets.iterdir()).read_text("ascii")
    for told in (written.decode("utf-8", "replace"), report.read_text("utf-8")):
        assert "canary" not in told
        assert token not in told
        assert "Traceback" not in told
    assert sat.saved() == 2
