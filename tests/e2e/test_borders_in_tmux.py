"""Borders stand where they belong in a real tmux, whatever script is beside them.

What tmux holds is captured, then each row is written again, up to every border, in a second pane of the same tmux,
which is asked where its cursor is: the columns are the terminal's own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.terminal import KEYS, Failed, Terminal

COLUMNS, ROWS, PATIENCE = 120, 36, 60.0
_CORNERS, _EDGES = "╭╮╰╯", "│┃╭╮╰╯"
_ROWS = {
    "Hindi": "हिन्दी में प्रश्न: किसकी गति सबसे अधिक है?",
    "Tamil": "தமிழ் வினா: எது மிகப் பெரியது?",
    "Urdu": "اردو میں سوال: پانی کا درجۂ حرارت",
    "emoji": "ok 👍🏽 👩‍👩‍👧 ☀️ 🇮🇳 🫠 end",
    "young emoji": "shaking 🫨 and 🫩 end",
    "CJK": "漢字かな交じり文と한국어",
}
_MEASURE = r"""
import json, os, re, sys, termios, tty
tty.setraw(0)
rows, columns = json.load(open(sys.argv[1])), []
for row in rows:
    columns.append([])
    for at, char in enumerate(row):
        if char in sys.argv[3]:
            os.write(1, b"\x1b[2;1H\x1b[K" + row[:at].encode() + b"\x1b[6n")
            answer = b""
            while not answer.endswith(b"R"):
                answer += os.read(0, 64)
            columns[-1].append(int(re.search(rb";(\d+)R", answer)[1]) - 1)
json.dump(columns, open(sys.argv[2], "w"))
"""

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them"),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., "Tmux"]


class Tmux:
    """lms-tui in a tmux of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._folder = folder
        self._tmux = ["tmux", "-S", str(folder / "socket"), "-f", os.devnull]
        (folder / "measure.py").write_text(_MEASURE)
        program = [sys.executable, "-m", "lms_tui", *arguments, "--data-dir", str(folder / "data")]
        begin = ["new-session", "-s", "program", *program]
        self.terminal = Terminal(
            [*self._tmux, "set", "-g", "status", "off", ";", *begin],
            COLUMNS,
            ROWS,
            {"XDG_CONFIG_HOME": str(folder / "config"), "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": str(folder)},
        )

    def run(self, *arguments: str) -> str:
        """What tmux says; nothing while it is starting."""
        return subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=False).stdout

    def see(self, pattern: str) -> None:
        """Wait for what tmux holds; the emulator of the terminal around it is never asked about foreign scripts."""
        wanted, end = re.compile(pattern), time.monotonic() + PATIENCE
        while not wanted.search("\n".join(self.rows())):
            if time.monotonic() > end or self.terminal.ended:
                raise Failed(f"waited for /{pattern}/\n" + "\n".join(self.rows()))
            self.terminal.read(0.05)
        self.terminal.settle(1.0)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.terminal.write(KEYS.get(key, key.encode()))
            self.terminal.read(0.5)
            self.terminal.settle(0.5)

    def rows(self) -> list[str]:
        return self.run("capture-pane", "-p", "-t", "program").split("\n")[:ROWS]

    def columns(self, rows: list[str]) -> list[list[int]]:
        """Where tmux itself puts each border of each row."""
        asked, told = self._folder / "rows.json", self._folder / "columns.json"
        asked.write_text(json.dumps(rows))
        words = f"{sys.executable} {self._folder / 'measure.py'} {asked} {told} {_EDGES}; tmux wait-for -S measured"
        self.run("new-session", "-d", "-x", "300", "-y", "4", words)
        self.run("wait-for", "measured")
        columns: list[list[int]] = json.loads(told.read_text())
        return columns

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False)
        self.terminal.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    opened: list[Tmux] = []

    def begin(*arguments: str) -> Tmux:
        opened.append(Tmux(tmp_path, *arguments))
        return opened[-1]

    yield begin
    for each in opened:
        each.close()


def broken(tmux: Tmux) -> list[str]:
    """Rows in which an edge of a box is missing, when the screen has been painted to its end."""
    end = time.monotonic() + PATIENCE
    while True:
        rows = tmux.rows()
        wrong = broken_rows(rows, tmux.columns(rows))
        if not wrong or (rows == tmux.rows() and time.monotonic() > end):
            return wrong
        tmux.terminal.read(0.2)


def broken_rows(rows: list[str], columns: list[list[int]]) -> list[str]:
    """Every corner's column must be an edge down to the corner below."""
    wrong: list[str] = []
    edges: set[int] = set()
    for row, places in zip(rows, columns, strict=True):
        signs = [char for char in row if char in _EDGES]
        corners = {place for sign, place in zip(signs, places, strict=True) if sign in _CORNERS}
        if not edges - corners <= set(places):
            wrong.append(row)
        for sign, place in zip(signs, places, strict=True):
            if sign in "╭╮":
                edges.add(place)
            elif sign in "╰╯":
                edges.discard(place)
    return [*wrong, *(["a box has no lower edge"] if edges else [])]


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    file = tmp_path / "scripts.yaml"
    sections = "".join(
        f"  - name: {text.split(':')[0].split(' end')[0]}\n    questions:\n"
        f"      - question: {json.dumps(f'{name}. {text} {text}', ensure_ascii=False)}\n"
        f"        passage: {json.dumps(text * 3, ensure_ascii=False)}\n"
        f"        options:\n          - right: {json.dumps(text, ensure_ascii=False)}\n          - plain\n"
        f"        explanation: {json.dumps(text, ensure_ascii=False)}\n"
        for name, text in _ROWS.items()
    )
    file.write_text(f"title: हिन्दी தமிழ் اردو 漢字 ☀️ 🫨\nduration: 20 min\nsections:\n{sections}", encoding="utf-8")
    return file


def test_the_exam_list_keeps_its_borders_beside_hindi_and_tamil(start: Start) -> None:
    tmux = start("demo")
    tmux.see("Available")
    tmux.press("e")
    tmux.see("Done")
    tmux.press("down", "down", "down")
    tmux.terminal.settle(1.0)
    assert any("हिन्दी" in row for row in tmux.rows())
    assert broken(tmux) == []


def test_questions_sections_and_review_keep_their_borders_in_every_script(start: Start, exam: Path) -> None:
    tmux = start("try", str(exam))
    tmux.see("(?i)press enter to start")
    assert broken(tmux) == []
    tmux.press("enter")
    for number, name in enumerate(_ROWS, 1):
        tmux.see(f"Question {number} of")
        assert broken(tmux) == [], name
        tmux.press("a")
        assert broken(tmux) == [], name
        tmux.press("n")
    tmux.terminal.write(b"\x05")
    tmux.see("(?i)end the exam")
    tmux.press("tab", "enter")
    tmux.see("(?i)accuracy")
    assert broken(tmux) == [], "result"
    tmux.press("enter")
    for name in _ROWS:
        tmux.see("(?i)explanation")
        assert broken(tmux) == [], name
        tmux.press("n")
