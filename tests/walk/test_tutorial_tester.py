"""The tester's tutorial: each command ends as it says, against one service with faults."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes.tutorials import ShellLine, file, sections

pytestmark = pytest.mark.slow

PAGE = "tutorial-tester.md"
LOCAL = "http://127.0.0.1:8000"


def run(line: ShellLine, address: str, folder: Path) -> str:
    """Run a command of the page in a folder, and return what it printed."""
    words = [address if word == LOCAL else word for word in line.words]
    given = (folder / line.given).read_text(encoding="utf-8") if line.given else ""
    ended = subprocess.run(
        [sys.executable, "-m", "lms_tui", *words], cwd=folder, env=environment(folder), input=given,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert ended.returncode == line.code, (words, ended.stdout, ended.stderr)
    if line.written:
        (folder / line.written).write_text(ended.stdout, encoding="utf-8")
    return ended.stdout


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "LMS_TUI_DATA_DIR": str(folder / "data")}


def test_every_command_of_the_tutorial_works(tmp_path: Path) -> None:
    started, tried, walked, failed, scenario, _ = (each.lines for each in sections(PAGE))
    (tmp_path / "password.txt").write_text("practice\n", encoding="utf-8")
    (tmp_path / "first.yaml").write_text(file(PAGE, "yaml"), encoding="utf-8")
    command = ["0" if word == "8000" else word for word in started[0].words]
    with subprocess.Popen(
        [sys.executable, "-m", "lms_tui", *command], cwd=tmp_path, env=environment(tmp_path),
        stdout=subprocess.PIPE, text=True,
    ) as service:  # fmt: skip
        try:
            assert service.stdout is not None
            address = service.stdout.readline().split()[-1]
            assert "number-sense" in run(tried[0], address, tmp_path)
            told = [run(line, address, tmp_path) for line in walked]
            assert "0 broken" in told[0]
            assert "the document" in told[2]
            _, listed, _, differs, report, _ = [run(line, address, tmp_path) for line in failed]
            assert "review/subjects" in listed
            assert "subjects" in differs
            assert "500" in report
            told = [run(line, address, tmp_path) for line in scenario]
            assert "[ ]  1." in told[2]
            assert (tmp_path / "first.xml").is_file()
        finally:
            service.terminate()
