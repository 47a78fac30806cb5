"""The bundle takes an exam without Python. `make bundle` makes it and runs this test.

LMS_TUI_BUNDLE names the program. Without it, the newest bundle in dist/ is tested.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from lms_tui import __version__
from tests.fakes.dialogue import PATIENCE, Dialogue

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bundle() -> Path:
    found = sorted(ROOT.glob("dist/lms-tui-*/lms-tui"), key=lambda path: path.stat().st_mtime)
    program = Path(os.environ.get("LMS_TUI_BUNDLE") or (found[-1] if found else ""))
    if not program.is_file():
        pytest.skip("there is no bundle: make bundle")
    return program


@pytest.fixture
def start(bundle: Path, tmp_path: Path) -> Iterator[Callable[..., Dialogue]]:
    """Start the bundle without a Python on its path."""
    environment = {"PATH": "/nowhere", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
    with ExitStack() as started:

        def begin(*words: str) -> Dialogue:
            dialogue = Dialogue([bundle, *words, "--data-dir", tmp_path / "data"], environment)
            started.callback(dialogue.close)
            return dialogue

        yield begin


def test_the_bundle_tells_its_version_and_reads_its_pages(bundle: Path) -> None:
    for words, told in ((["--version"], f"lms-tui {__version__}"), (["help", "student"], "exam")):
        said = subprocess.run([bundle, *words], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        assert told in said


def test_an_exam_survives_a_kill_and_ends_with_a_result(start: Callable[..., Dialogue]) -> None:
    exam = start("demo", "--plain")
    exam.choose("Number Sense")
    exam.type("start", "b", "n", "a", "saved")
    exam.wait("saved here")
    exam.process.send_signal(signal.SIGKILL)

    exam = start("demo", "--plain")
    exam.choose("To resume: Number Sense")
    exam.wait("2 answered")
    exam.type("end", "yes")
    exam.wait("The exam has ended. Every answer is on the server.")
    exam.type("back", "q")
    assert exam.process.wait(PATIENCE) == 0


def test_a_walk_holds_every_rule(start: Callable[..., Dialogue]) -> None:
    walk = start("walk", "--quiet")
    assert walk.process.wait(300) == 0, walk.wait("never")


@pytest.mark.skipif(sys.platform != "linux", reason="reads the libraries of a Linux program")
def test_no_library_of_another_python_is_needed(bundle: Path) -> None:
    libraries = [path.name for path in (bundle.parent / "_internal").glob("libpython*")]
    assert len(libraries) == 1
    assert re.fullmatch(r"libpython3\.\d+\.so\.1\.0", libraries[0])
