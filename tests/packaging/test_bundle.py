"""The bundle takes an exam without Python. `make bundle` makes it and runs this test.

LMS_TUI_BUNDLE names the program. Without it, the newest bundle in dist/ is tested.
"""

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from lms_tui import __version__

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bundle() -> Path:
    found = sorted(ROOT.glob("dist/lms-tui-*/lms-tui"), key=lambda path: path.stat().st_mtime)
    program = Path(os.environ.get("LMS_TUI_BUNDLE") or (found[-1] if found else ""))
    if not program.is_file():
        pytest.skip("there is no bundle: make bundle")
    return program


class Running:
    """A program without a Python on its path, and what it has said so far."""

    def __init__(self, *command: str | Path) -> None:
        environment = {"PATH": "/nowhere", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        self.said = ""

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def wait(self, text: str) -> str:
        """Return everything before this text, which must come."""
        assert self.process.stdout is not None
        while text not in self.said:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            data = os.read(self.process.stdout.fileno(), 65_536) if ready else b""
            assert data, f"waited for {text!r}; it said:\n{self.said}"
            self.said += data.decode()
        before, _, self.said = self.said.partition(text)
        return before


@pytest.fixture
def start(bundle: Path, tmp_path: Path) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def begin(*words: str) -> Running:
        started.append(Running(bundle, *words, "--data-dir", tmp_path / "data"))
        return started[-1]

    yield begin
    for running in started:
        running.process.kill()
        running.process.wait()
        for stream in (running.process.stdin, running.process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


def test_the_bundle_tells_its_version_and_reads_its_pages(bundle: Path) -> None:
    for words, told in ((["--version"], f"lms-tui {__version__}"), (["help", "student"], "exam")):
        said = subprocess.run([bundle, *words], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        assert told in said


def test_an_exam_survives_a_kill_and_ends_with_a_result(start: Callable[..., Running]) -> None:
    exam = start("demo", "--plain")
    line = next(line for line in exam.wait("to quit:").splitlines() if "Number Sense" in line)
    exam.type(line.partition(".")[0], "start", "b", "n", "a", "saved")
    exam.wait("saved here")
    exam.process.send_signal(signal.SIGKILL)

    exam = start("demo", "--plain")
    line = next(line for line in exam.wait("to quit:").splitlines() if "To resume: Number Sense" in line)
    exam.type(line.partition(".")[0])
    exam.wait("2 answered")
    exam.type("end", "yes")
    exam.wait("The exam has ended. Every answer is on the server.")
    exam.type("back", "q")
    assert exam.process.wait(PATIENCE) == 0


def test_a_walk_holds_every_rule(start: Callable[..., Running]) -> None:
    walk = start("walk", "--quiet")
    assert walk.process.wait(300) == 0, walk.wait("never")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the libraries of a Linux program")
def test_no_library_of_another_python_is_needed(bundle: Path) -> None:
    libraries = [path.name for path in (bundle.parent / "_internal").glob("libpython*")]
    assert len(libraries) == 1
    assert re.fullmatch(r"libpython3\.\d+\.so\.1\.0", libraries[0])
