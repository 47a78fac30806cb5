"""The student's tutorial: its commands run, and its keys show what it says, in a terminal of 100 by 30."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.terminal import KEYS, Terminal
from lms_tui.cli import main
from tests.fakes.tutorials import Section, file, sections

pytestmark = pytest.mark.slow

PAGE = "tutorial-student.md"
PATIENCE = 90.0


class Screen:
    """The program in a terminal."""

    def __init__(self, command: list[str]) -> None:
        self.terminal = Terminal([sys.executable, "-m", "lms_tui", *command], 100, 30)

    def press(self, section: Section) -> None:
        for key, seen in section.keys:
            if key:
                self.terminal.settle(5)
                sent = bytes([ord(key[-1]) & 0x1F]) if key.startswith("ctrl+") else KEYS.get(key, key.encode())
                self.terminal.write(sent)
            for text in seen:
                self.terminal.wait(re.escape(text).replace("\\ ", r"\s+"), PATIENCE)

    def kill(self) -> None:
        os.kill(self.terminal.pid, signal.SIGKILL)
        self.ended()

    def ended(self) -> None:
        while not self.terminal.ended:
            self.terminal.read(1)
        os.waitpid(self.terminal.pid, 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LMS_TUI_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LMS_TUI_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    return tmp_path


def test_the_tutorial_works_from_the_first_start_to_the_receipt(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened, answered, lost, ended, receipts, plain, practised = sections(PAGE)

    first = Screen(opened.commands[0])
    first.press(opened)
    first.press(answered)
    first.kill()

    second = Screen(lost.commands[0])
    second.press(lost)
    second.press(ended)
    second.ended()

    listed, exported, verified = receipts.commands
    assert main(listed) == 0
    (number,) = re.findall(r"^\s*(\d+)\b", capsys.readouterr().out, re.MULTILINE)
    assert main([number if word == "ATTEMPT" else word for word in exported]) == 0
    assert main(verified) == 0

    said = subprocess.run(
        [sys.executable, "-m", "lms_tui", *plain.commands[0]],
        input="1\nquit\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0
    assert "to quit:" in said.stdout

    Path("sums.gift").write_text(file(PAGE, "gift"), encoding="utf-8")
    check, practise, cards = practised.commands
    assert main(check) == 0
    third = Screen(practise)
    third.press(practised)
    third.terminal.write(b"\x11")
    third.ended()
    capsys.readouterr()
    assert main(cards) == 0
    assert "What is 17 + 25?" in capsys.readouterr().out
