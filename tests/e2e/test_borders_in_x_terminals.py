"""Borders stand where they belong in real xterm and kitty, under Xvfb, whatever script is beside them.

A script inside the terminal asks it, as the program does, how wide it draws the probes, counts like it from then on,
lays hard questions out between two borders, writes each row up to its right border, and asks where the cursor is.
"""

import json
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.x_windows import open_window

PATIENCE = 120.0
CELLS = 60
_QUESTIONS = {
    "Hindi": "<p>हिन्दी में प्रश्न: किसकी गति \\(v^2 = u^2 + 2as\\) सबसे अधिक है? क्षमा, द्वितीय</p>",
    "Tamil": "<p>தமிழ் வினா: எது மிகப் பெரியது? \\(\\frac{1}{2}\\) எனில்</p>",
    "Urdu": "<p>پانی کا درجۂ حرارت \\(25^\\circ\\mathrm{C}\\) ہے، اور 3.5 کلو پانی (H<sub>2</sub>O)</p>",
    "Hebrew": "<table dir=rtl><tr><th>שם<th>גיל<tr><td>רון<td>17</table>",
    "emoji": "<p>ok 👍🏽 👩‍👩‍👧 ☀️ 🇮🇳 🫠 🫨 end</p>",
    "CJK": "<p>漢字かな交じり文と한국어、テスト</p>",
    "formula": r"\[x=\frac{-b\pm\sqrt{b^2-4ac}}{2a},\ \vec{a}\cdot\hat{b},\ \overline{z},\ \sum_{k=1}^{n}k^3\]",
    "combining": "<p>e\u0301 ñ Å q\u0303 Việt Nam ไทย สวัสดี</p>",
}
_TERMINALS = {
    "xterm": ["xterm", "-u8", "-geometry", "100x40", "-e"],
    "kitty": ["kitty", "-o", "confirm_os_window_close=0", "-o", "remember_window_size=no", "-o",
              "initial_window_width=100c", "-o", "initial_window_height=40c"],
}  # fmt: skip
_SCRIPT = r"""
import json, os, re, sys, tty
from lms_tui.content.cells import width
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.tui.terminal.cell_widths import PROBES, count_like, counts_of

tty.setraw(0)
def column(text):
    os.write(1, b"\x1b[8l\x1b[3;1H\x1b[K" + text.encode() + b"\x1b[6n")
    answer = b""
    while not (found := re.search(rb"\x1b\[\d+;(\d+)R", answer)):
        answer += os.read(0, 100)
    return int(found[1]) - 1

asked, told, cells = json.load(open(sys.argv[1])), sys.argv[2], int(sys.argv[3])
count_like(counts_of([column(probe) for probe in PROBES]))
rows = {}
for name, html in asked.items():
    rows[name] = []
    for line in layout(parse(html), cells):
        text = "│ " + line.text + " " * (cells - width(line.text)) + " "
        rows[name].append((line.text, column(text), cells + 3))
with open(told + ".new", "w") as file:
    json.dump(rows, file)
os.rename(told + ".new", told)
"""


@pytest.mark.parametrize("terminal", _TERMINALS)
def test_the_right_border_is_in_the_last_column_of_the_terminal(terminal: str, display: str, tmp_path: Path) -> None:
    asked, told = tmp_path / "asked.json", tmp_path / "told.json"
    asked.write_text(json.dumps(_QUESTIONS))
    window = open_window(display, tmp_path, _TERMINALS[terminal], _SCRIPT, str(asked), str(told), str(CELLS))
    with suppress(subprocess.TimeoutExpired):
        window.process.wait(PATIENCE)
    window.close()
    if not told.exists():
        pytest.skip(window.cannot_draw())
    rows: dict[str, list[tuple[str, int, int]]] = json.loads(told.read_text())
    assert set(rows) == set(_QUESTIONS)
    wrong = [(name, row, at, wanted) for name, lines in rows.items() for row, at, wanted in lines if at != wanted]
    assert wrong == []
