"""`lms-tui try` in a terminal, with other speeds, --resume, --keep and kills."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.terminal import Terminal
from lms_tui.banks.file_options import FileOptions
from lms_tui.cli import main
from lms_tui.runtime import bootstrap, practising

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks /proc for the processes of others"),
    # The child of the fork does nothing but become the program.
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]

PATIENCE = 90.0
EXAM = """\
title: Forces
duration: 10 min
questions:
  - question: Which is a force?
    options: [{right: Weight}, Mass, Speed]
  - question: Which is a length?
    options: [Second, {right: Metre}]
"""
Start = Callable[..., Terminal]


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    file = tmp_path / "forces.yaml"
    file.write_text(EXAM)
    return file


@pytest.fixture
def start(tmp_path: Path, exam: Path) -> Iterator[Start]:
    started: list[Terminal] = []

    def start(*words: str) -> Terminal:
        argv = [sys.executable, "-m", "lms_tui", "try", str(exam), "--data-dir", str(tmp_path / "data"), *words]
        started.append(Terminal(argv, environment={"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}))
        return started[-1]

    yield start
    for terminal in started:
        if not terminal.ended:
            terminal.close()


def runs(folder: Path) -> list[Path]:
    return [path for path in (folder / "data" / "dry-runs").iterdir() if path.is_dir()]


def ended(terminal: Terminal) -> None:
    while not terminal.ended:
        terminal.read(1.0)
    os.waitpid(terminal.pid, 0)


def begin(terminal: Terminal) -> None:
    terminal.wait("Press enter to start|Press enter to continue", PATIENCE)
    terminal.write(b"\r")
    terminal.wait(r"Which is a (force|length)\?", PATIENCE)


def leave(terminal: Terminal) -> None:
    terminal.write(b"\x11")
    terminal.wait("Leave", PATIENCE)
    terminal.write(b"\r")
    terminal.wait("lms-tui  Home", PATIENCE)
    terminal.write(b"\x11")
    ended(terminal)


def test_an_interrupted_dry_run_can_be_resumed_at_another_speed(start: Start, tmp_path: Path) -> None:
    terminal = start("--as", "ravi")
    terminal.wait("dry run", PATIENCE)
    begin(terminal)
    terminal.write(b"a")
    terminal.wait("sent 1", PATIENCE)
    leave(terminal)
    assert "--resume --as ravi" in terminal.text()
    assert len(runs(tmp_path)) == 1

    terminal = start("--resume", "--as", "ravi", "--speed", "200")
    terminal.wait("dry run ×200", PATIENCE)
    terminal.wait("Press enter to continue", PATIENCE)
    terminal.write(b"\r")
    terminal.wait("time taken +10 min of 10 min", PATIENCE)
    terminal.wait("1 of 2", PATIENCE)
    terminal.write(b"\x11")
    ended(terminal)
    assert runs(tmp_path) == []


def test_time_can_be_skipped_and_results_kept(start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept"
    terminal = start("--duration", "20 min", "--at", "0:00:59", "--keep", str(kept), "--as", "ravi")
    begin(terminal)
    terminal.wait(r"00:00:[0-5]\d", PATIENCE)
    terminal.write(b"a")
    terminal.wait("sent 1", PATIENCE)
    leave(terminal)
    assert not (tmp_path / "data" / "dry-runs").exists()
    assert main(["exam", "list", "--json", "--data-dir", str(kept)]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["slug"], row["title"], row["duration"]) == ("dry-run", "Forces", "0:20:00")


def test_a_killed_dry_run_is_removed_by_the_next_one(start: Start, tmp_path: Path) -> None:
    terminal = start()
    terminal.wait("Press enter to start", PATIENCE)
    (killed,) = runs(tmp_path)
    os.kill(terminal.pid, signal.SIGKILL)
    ended(terminal)
    assert killed.exists()
    terminal = start()
    terminal.wait("Press enter to start", PATIENCE)
    (fresh,) = runs(tmp_path)
    assert fresh.name != killed.name  # the service of the first one may not have ended yet
    assert (fresh / "service").exists()
    terminal.write(b"\x11")
    ended(terminal)
    assert runs(tmp_path) == []


def test_leaving_the_instructions_opens_the_list_of_exams(start: Start) -> None:
    terminal = start()
    terminal.wait("Press enter to start", PATIENCE)
    terminal.write(b"\x1b")
    terminal.wait("Available(.|\n)*Forces", PATIENCE)
    terminal.write(b"\r")
    terminal.wait("Press enter to start", PATIENCE)


@pytest.mark.parametrize(("command", "opens"), [("try", bootstrap.run_dry), ("practise", practising.run_practice)])
def test_an_encoding_columns_and_a_quiz_can_be_named(
    command: str, opens: Callable[..., int], exam: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def note(request: object, *_: object) -> int:
        asked.append(request)
        return 0

    monkeypatch.setattr(sys.modules[opens.__module__], opens.__name__, note)
    reading = ("--encoding", "shift_jis", "--columns", "question=A", "--quiz", "Unit 1", "--quiz", "Unit 2")
    assert main([command, str(exam), *reading]) == 0
    assert asked[0].reading == FileOptions("shift_jis", "question=A", ("Unit 1", "Unit 2"))
    assert asked[0].reading.words == reading
