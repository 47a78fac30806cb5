"""An exam with every type of question, from the keyboard of a real terminal, killed while an essay is being typed."""

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.terminal import Terminal

Start = Callable[[], Terminal]
PATIENCE = 60.0
SLUG = "every-type-of-question"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ptys and /proc are used as Linux has them")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    opened: list[Terminal] = []

    def begin() -> Terminal:
        argv = [sys.executable, "-m", "lms_tui", "demo", "--data-dir", str(tmp_path / "data")]
        terminal = Terminal(argv, 120, 40, {"XDG_CONFIG_HOME": str(tmp_path / "config")})
        opened.append(terminal)
        return terminal

    yield begin
    for terminal in opened:
        terminal.close()


def type_in(terminal: Terminal, text: str) -> None:
    for char in text:
        terminal.press(char)


def open_the_exam(terminal: Terminal) -> None:
    terminal.wait(r"Available", PATIENCE)
    terminal.settle(1.0)
    terminal.press("n")
    terminal.wait(r"Open an exam by its link name", PATIENCE)
    type_in(terminal, SLUG)
    terminal.press("enter")
    terminal.wait(r"(?i)press enter to start", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Question 1 of 8", PATIENCE)


def on_to(terminal: Terminal, number: int) -> None:
    terminal.write(b"\x1b[C")  # the right arrow: at a question of words, n would be text
    terminal.wait(rf"Question {number} of 8", PATIENCE)


def answers_of(folder: Path) -> dict[str, dict[str, Any]]:
    """What the service's database holds of the newest attempt, by type of question."""
    database = sqlite3.connect(f"file:{next(folder.rglob('service.sqlite3'))}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        rows = database.execute(
            "SELECT q.kind, a.selected_answers, a.short_text, a.essay_text, a.essay_topic, a.gap_fill_responses"
            " FROM attempt_questions a JOIN questions q ON q.id = a.question_id"
            " WHERE a.attempt_id = (SELECT max(id) FROM attempts)"
        )
        return {row["kind"]: dict(row) for row in rows}
    finally:
        database.close()


def filled(given: dict[str, Any]) -> dict[str, str]:
    return {gap["order"]: gap["answer"] for gap in json.loads(given["gap_fill_responses"])}


def answer_until_the_kill(terminal: Terminal) -> None:
    """Answer the first five, the last of them an essay that is being typed when the program is killed."""
    open_the_exam(terminal)
    terminal.press("b")
    on_to(terminal, 2)
    type_in(terminal, "ac")
    on_to(terminal, 3)
    type_in(terminal, "Gangtok")
    terminal.press("enter")
    terminal.wait(r"saved 3", PATIENCE)
    on_to(terminal, 4)
    type_in(terminal, "60")
    terminal.press("enter")
    terminal.wait(r"saved 4", PATIENCE)
    on_to(terminal, 5)
    terminal.press("2")
    type_in(terminal, "npm rain")
    terminal.wait(r"2 words, 8 characters · saved ", PATIENCE)
    os.kill(terminal.pid, signal.SIGKILL)


def answer_the_rest(terminal: Terminal, report: Path) -> None:
    terminal.wait(r"Press enter to resume", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"Question 5 of 8", PATIENCE)
    terminal.wait(r"npm rain", PATIENCE)
    terminal.wait(r"saved 5 · sent 5", PATIENCE)
    on_to(terminal, 6)
    type_in(terminal, "dioxide")
    terminal.press("enter")
    terminal.wait(r"Gap 2 of 2", PATIENCE)
    type_in(terminal, "oxygen")
    terminal.press("enter")
    terminal.wait(r"saved 6", PATIENCE)
    on_to(terminal, 7)
    type_in(terminal, "bad")
    terminal.wait(r"saved 7 · sent 7", PATIENCE)
    on_to(terminal, 8)
    terminal.wait(r"At most 2 files", PATIENCE)
    terminal.write(f"\x1b[200~{report}\x1b[201~".encode())  # a file is dropped on the terminal
    terminal.wait(r"Files of question 8", PATIENCE)
    terminal.press("enter")
    terminal.wait(r"1  my report\.pdf · 3 MB · sent", PATIENCE)
    terminal.write(b"\x1b")
    terminal.wait(r"saved 8 · sent 8", PATIENCE)


def content_of(folder: Path) -> bytes:
    """The content of the file that the service's database holds."""
    database = sqlite3.connect(f"file:{next(folder.rglob('service.sqlite3'))}?mode=ro", uri=True)
    try:
        return b"".join(part for (part,) in database.execute("SELECT content FROM attempt_file_parts ORDER BY offset"))
    finally:
        database.close()


def test_every_type_is_answered_from_the_keyboard_and_survives_a_kill_while_typing(
    start: Start, tmp_path: Path
) -> None:
    report = tmp_path / "my report.pdf"
    report.write_bytes(os.urandom(3_000_000))
    answer_until_the_kill(start())
    terminal = start()
    answer_the_rest(terminal, report)

    given = answers_of(tmp_path / "data")
    assert [len(json.loads(given[kind]["selected_answers"])) for kind in "RC"] == [1, 2]
    assert (given["S"]["short_text"], given["N"]["short_text"]) == ("Gangtok", "60")
    assert (given["E"]["essay_text"], given["E"]["essay_topic"]) == ("npm rain", "What a town can do with its rain")
    assert filled(given["G"]) == {"1": "dioxide", "2": "oxygen"}
    assert filled(given["M"]) == {"1": "pressure of the air", "2": "electric current", "3": "temperature"}

    assert filled(given["F"])["1"].endswith(" 3000000 my report.pdf")
    assert content_of(tmp_path / "data") == report.read_bytes()
    assert list((tmp_path / "data").rglob("*.files/*"))

    terminal.write(b"\x05")
    terminal.wait(r"8 +answered", PATIENCE)
    terminal.press("tab")
    terminal.press("enter")
    terminal.wait(r"(?i)accuracy", PATIENCE)
    assert not list((tmp_path / "data").rglob("*.files/*"))


def test_commands_that_arrive_together_with_letters_type_nothing_into_an_answer(start: Start, tmp_path: Path) -> None:
    terminal = start()
    open_the_exam(terminal)
    on_to(terminal, 2)
    on_to(terminal, 3)
    # A slow line delivers all of this in one piece: alt+m, alt+p and alt+n while a text is written.
    terminal.write(b"Gangtok\x1bm\x1bp\x1bn")
    terminal.wait(r"saved 1 · sent 1", PATIENCE)
    given = answers_of(tmp_path / "data")
    assert given["S"]["short_text"] == "Gangtok"
