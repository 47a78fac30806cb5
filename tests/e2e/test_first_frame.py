"""The first frame stands before Textual is imported, and the terminal is as before whatever happens then."""

import os
import signal
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.terminal import Failed, Terminal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them")

PATIENCE = 60.0
WAITING = """
import os, signal, sys

# A shell lets what it starts in the background ignore this signal.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Wait:
    # Holds the import of Textual until the test writes a byte.
    def find_spec(self, name, path=None, target=None):
        if name == "textual":
            sys.meta_path.remove(self)
            os.write(int(os.environ["TOLD"]), b".")
            if os.read(int(os.environ["HOLD"]), 1) == b"x":
                raise ImportError("planted")

sys.meta_path.insert(0, Wait())
from lms_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""


SIGNALLED = """
import os, signal, sys

write = os.write

def signalled(file, data):
    written = write(file, data)
    if b"Opening the program" in data:
        os.kill(os.getpid(), signal.SIGHUP)
    return written

os.write = signalled
from lms_tui.cli import main
sys.exit(main(sys.argv[1:]))
"""
"""The signal comes as soon as the frame is on the screen."""


@dataclass
class Held:
    """The program, held before Textual is imported."""

    terminal: Terminal
    _hold: int
    _told: int

    def wait(self) -> None:
        """Wait until Textual would be imported."""
        os.read(self._told, 1)

    def go(self, byte: bytes = b".") -> None:
        os.write(self._hold, byte)

    def code(self) -> int:
        """Wait for the end of the program. Raises Failed if it does not come."""
        end = time.monotonic() + PATIENCE
        while not self.terminal.ended:
            if time.monotonic() > end:
                raise Failed("The program did not end.")
            self.terminal.read(1)
        return os.waitstatus_to_exitcode(os.waitpid(self.terminal.pid, 0)[1])

    def modes(self) -> list[int]:
        attributes = termios.tcgetattr(self.terminal._fd)
        return [attributes[0], attributes[3]]


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    read, write = os.pipe()
    told, tell = os.pipe()
    for end in (read, tell):
        os.set_inheritable(end, True)
    argv = [sys.executable, "-c", WAITING, "--data-dir", str(tmp_path / "data")]
    terminal = Terminal(argv, environment={"HOLD": str(read), "TOLD": str(tell)})
    for end in (read, tell):
        os.close(end)
    yield Held(terminal, write, told)
    for end in (write, told):
        os.close(end)
    terminal.close()


def modes_of_new_terminal() -> list[int]:
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    os.close(master)
    os.close(slave)
    return [attributes[0], attributes[3]]


def test_the_frame_stands_before_textual_is_imported_and_keys_are_not_echoed(held: Held) -> None:
    held.terminal.wait("lms-tui")
    held.terminal.wait("Timed exams in the terminal")
    held.terminal.wait("Opening the program")
    held.terminal.write(b"zzz")
    held.go()
    held.terminal.wait("Practice on this computer")
    assert "zzz" not in held.terminal.text()


def test_keys_that_are_typed_before_textual_is_imported_reach_the_app_as_they_are(held: Held) -> None:
    held.terminal.wait("Opening the program")
    held.terminal.write(b"\x1b[B\r")
    held.go()
    held.terminal.wait("User name")


def test_the_app_paints_over_the_frame_without_clearing_it(held: Held) -> None:
    held.terminal.wait("Opening the program")
    held.go()
    held.terminal.wait("Practice on this computer")
    held.terminal.write(b"\x11")
    assert held.code() == 0
    assert held.modes() == modes_of_new_terminal()


@pytest.mark.parametrize("moment", ["after the first frame", "while Textual is imported"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_before_the_app_restores_the_terminal(held: Held, number: int, code: int, moment: str) -> None:
    held.terminal.wait("Opening the program")
    if moment == "while Textual is imported":
        held.wait()
    os.kill(held.terminal.pid, number)
    with suppress(BrokenPipeError):  # Python may have dropped its exception, and the program then ends after the import
        held.go()
    assert held.code() == code
    assert held.modes() == modes_of_new_terminal()


def test_a_signal_with_the_last_byte_of_the_frame_restores_the_terminal(tmp_path: Path) -> None:
    folder = str(tmp_path / "data")
    held = Held(Terminal([sys.executable, "-c", SIGNALLED, "--data-dir", folder]), -1, -1)
    try:
        assert held.code() == 129
        assert held.modes() == modes_of_new_terminal()
    finally:
        held.terminal.close()


def test_a_terminal_that_cannot_draw_screens_gets_the_lines(tmp_path: Path) -> None:
    folders = {f"LMS_TUI_{name}_DIR": str(tmp_path) for name in ("DATA", "CONFIG")}
    argv = [sys.executable, "-m", "lms_tui", "settings"]
    terminal = Terminal(argv, environment={**folders, "TERM": "dumb"})
    try:
        terminal.wait("theme: dark")
    finally:
        terminal.close()


def test_an_error_before_the_app_restores_the_terminal_and_is_told(held: Held) -> None:
    held.terminal.wait("Opening the program")
    held.go(b"x")
    assert held.code() == 1
    assert held.modes() == modes_of_new_terminal()
