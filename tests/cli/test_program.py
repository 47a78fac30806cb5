"""Run the program in a terminal, and check its screen and the files that remain."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, children_of, is_running, wait_until

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks /proc for the processes of others"),
    # The child of the fork does nothing but become the program.
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]

ALTERNATE_SCREEN_LEFT = b"\x1b[?1049l"
GIFT = "::One::Which is a force? {=Weight ~Mass ~Speed}\n\n::Two::Which is a length? {~Second =Metre}\n"


def environment_of(folder: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "LMS_TUI_DATA_DIR": str(folder / "data"),
        "COLUMNS": "100",
        "LINES": "30",
    }


class Terminal:
    """A program in a pty of 100 columns and 30 lines."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.seen = b""
        self.status: int | None = None
        environment = environment_of(folder)
        self.pid, self._master = pty.fork()
        if not self.pid:
            os.chdir(folder)
            os.execve(sys.executable, [sys.executable, "-m", "lms_tui", *words], environment)  # noqa: S606 - the program itself

    def wait_for(self, text: str) -> None:
        """Read until the text, taken apart by escape sequences or not, has been written."""
        end = time.monotonic() + PATIENCE
        while text not in self.text():
            assert time.monotonic() < end, f"{text!r} never came: {self.text()[-2000:]}"
            assert self._read(0.2) or self.status is None, f"ended with {self.status}: {self.text()[-2000:]}"

    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;:?<>=]*[ -/]*[@-~]|\x1b[()]?.", "", self.seen.decode("utf-8", "replace"))

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    def hang_up(self) -> None:
        os.close(self._master)
        self._master = -1

    def end(self) -> tuple[int, float]:
        """Wait for the program. Return its exit code, negative for a signal, and the seconds that it took."""
        began = time.monotonic()
        while self.status is None:
            assert time.monotonic() < began + PATIENCE
            self._read(0.02)
        return self.status, time.monotonic() - began

    def children(self) -> list[int]:
        return children_of(self.pid)

    def close(self) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.end()
        if self._master >= 0:
            os.close(self._master)

    def _read(self, seconds: float) -> bool:
        ready = select.select([self._master], [], [], seconds)[0] if self._master >= 0 else []
        if ready:
            try:
                self.seen += os.read(self._master, 65536)
            except OSError:  # the other end has gone
                ready = []
        if not ready and self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return bool(ready)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    started: list[Terminal] = []

    def start(*words: str) -> Terminal:
        started.append(Terminal(tmp_path, *words))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close()


MOUSE_WANTED = b"\x1b[?1000h"


def test_the_mouse_can_be_left_to_the_terminal(start: Callable[..., Terminal], tmp_path: Path) -> None:
    shown = start()
    shown.wait_for("Sign in")
    assert MOUSE_WANTED in shown.seen
    settings = tmp_path / ".config" / "lms-tui" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[appearance]\nmouse = false\n")
    without = start()
    without.wait_for("Sign in")
    assert MOUSE_WANTED not in without.seen


def test_demo_opens_signed_in_and_leaves_no_process(start: Callable[..., Terminal]) -> None:
    terminal = start("demo")
    terminal.wait_for("Asha")
    (service,) = terminal.children()
    terminal.press(b"\x11")
    assert terminal.end()[0] == 0
    assert ALTERNATE_SCREEN_LEFT in terminal.seen
    assert not is_running(service)


def test_demo_opens_as_the_given_user(start: Callable[..., Terminal]) -> None:
    terminal = start("demo", "--as", "admin")
    terminal.wait_for("Sunita")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_restores_the_terminal_and_ends_the_service(
    start: Callable[..., Terminal], number: signal.Signals
) -> None:
    terminal = start("demo")
    terminal.wait_for("Asha")
    (service,) = terminal.children()
    os.kill(terminal.pid, number)
    code, seconds = terminal.end()
    assert code == 128 + number
    assert seconds < 20
    assert ALTERNATE_SCREEN_LEFT in terminal.seen
    wait_until(lambda: not is_running(service))


def test_closing_the_terminal_ends_program_and_service(start: Callable[..., Terminal]) -> None:
    terminal = start("demo")
    terminal.wait_for("Asha")
    (service,) = terminal.children()
    terminal.hang_up()
    terminal.end()
    wait_until(lambda: not is_running(service))


def test_a_terminal_that_goes_away_without_a_signal_ends_program_and_service(tmp_path: Path) -> None:
    """As in a container, or under a program that is no shell: the terminal does not control the program."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 30, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "lms_tui", "demo"],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment_of(tmp_path),
        cwd=tmp_path,
        start_new_session=True,
    )
    os.close(slave)
    seen = b""
    while b"Asha" not in seen:
        assert select.select([master], [], [], PATIENCE)[0]
        seen += os.read(master, 65536)
    (service,) = children_of(process.pid)
    os.close(master)
    assert process.wait(PATIENCE) == 128 + signal.SIGHUP
    wait_until(lambda: not is_running(service))


def test_a_dry_run_opens_at_the_instructions_and_is_deleted(start: Callable[..., Terminal], tmp_path: Path) -> None:
    (tmp_path / "forces.gift").write_text(GIFT)
    terminal = start("try", "forces.gift")
    terminal.wait_for("dry run")
    terminal.wait_for("2 questions")
    runs = tmp_path / "data/dry-runs"
    assert [path.is_dir() for path in runs.iterdir() if path.name != ".lock"] == [True]
    terminal.press(b"\x11")
    assert terminal.end()[0] == 0
    assert [path.name for path in runs.iterdir()] == [".lock"]
    assert not (tmp_path / "data/service").exists()
