"""The program itself, without a screen: a real process over the real service, through pipes and a pty."""

import asyncio
import os
import pty
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import StringIO
from pathlib import Path

import pytest

from lms_tui.plain.line_io import Console, InputEndedError
from tests.fakes.dialogue import PATIENCE, Dialogue


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Dialogue]]:
    command = [sys.executable, "-m", "lms_tui", "demo", "--plain", "--data-dir", str(tmp_path / "data")]
    with ExitStack() as started:

        def begin() -> Dialogue:
            dialogue = Dialogue(command)
            started.callback(dialogue.close)
            return dialogue

        yield begin


def test_a_plain_exam_survives_a_kill_and_is_reviewed(start: Callable[[], Dialogue], tmp_path: Path) -> None:
    dialogue = start()
    dialogue.choose("Number Sense")
    dialogue.type("start", "b", "n", "a", "n", "c", "m")
    dialogue.wait("Chosen: C. Marked for review. Saved.")
    dialogue.process.send_signal(signal.SIGKILL)

    dialogue = start()
    dialogue.choose("To resume: Number Sense")
    dialogue.wait("3 answered")
    dialogue.type("l")
    dialogue.wait("Answered: 3. 1 to 3")
    dialogue.type("end", "yes")
    dialogue.wait("The exam has ended. Every answer is on the server.")
    dialogue.wait("unanswered.")
    dialogue.type("v")
    dialogue.wait("Explanation:")
    dialogue.type("back", "", "s")
    dialogue.wait("exams attempted.")
    dialogue.type("q")
    assert dialogue.process.wait(PATIENCE) == 0
    database = sqlite3.connect(f"file:{next(tmp_path.rglob('service.sqlite3'))}?mode=ro", uri=True)
    newest = "SELECT max(attempt_id) FROM attempt_questions"
    given = f"SELECT count(*) FROM attempt_questions WHERE selected_answers != '[]' AND attempt_id = ({newest})"  # noqa: S608 - no text of a stranger
    assert database.execute(given).fetchone() == (3,)
    database.close()


def test_a_closed_pipe_and_a_signal_end_the_program_cleanly(start: Callable[[], Dialogue]) -> None:
    dialogue = start()
    dialogue.wait("to quit:")
    assert dialogue.process.stdin is not None
    dialogue.process.stdin.close()
    dialogue.wait("Goodbye.")
    assert dialogue.process.wait(PATIENCE) == 0
    dialogue = start()
    dialogue.wait("to quit:")
    dialogue.process.send_signal(signal.SIGTERM)
    assert dialogue.process.wait(PATIENCE) == 128 + signal.SIGTERM


async def ends(console: Console) -> None:
    """Wait until the input is read to its end. Its file may be closed then, and another one may get its number."""
    with pytest.raises(InputEndedError):
        await asyncio.wait_for(console.ask(""), PATIENCE)


async def test_a_password_is_not_echoed_and_the_terminal_is_restored() -> None:
    ours, theirs = pty.openpty()
    target = StringIO()
    console = Console(theirs, target)
    asked = asyncio.create_task(console.ask("Password: ", secret=True))
    await asyncio.sleep(0)  # the question is asked as soon as it has its turn
    os.write(ours, b"practice\n")
    assert await asyncio.wait_for(asked, PATIENCE) == "practice"
    plain = asyncio.create_task(console.ask("Name: "))
    await asyncio.sleep(0)  # the question is asked as soon as it has its turn
    os.write(ours, b"  A\x1bsha\n")
    assert await asyncio.wait_for(plain, PATIENCE) == "A␛sha"
    echoed = os.read(ours, 1000)
    assert b"practice" not in echoed
    assert b"sha" in echoed
    os.close(ours)
    await ends(console)
    os.close(theirs)


async def test_what_follows_an_abandoned_question_has_its_own_line() -> None:
    source, end = os.pipe()
    target = StringIO()
    console = Console(source, target)
    asked = asyncio.create_task(console.ask("1> "))
    await asyncio.sleep(0)  # the question is asked as soon as it has its turn
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    console.say("The exam is over.")
    assert target.getvalue() == "1> \nThe exam is over.\n"
    os.close(end)
    await ends(console)
    os.close(source)


async def test_lines_of_a_file_are_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_bytes("one\r\ntwo \u00fc\nlast".encode())
    with file.open("rb") as stream:
        console = Console(stream.fileno(), StringIO())
        assert [await console.ask("") for _ in range(3)] == ["one", "two ü", "last"]
        for _ in range(2):
            with pytest.raises(InputEndedError):
                await console.ask("")


async def test_only_an_indented_line_keeps_the_blanks_at_its_start(tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text("\tmid  \n  go 2 \n", "utf-8")
    with file.open("rb") as stream:
        console = Console(stream.fileno(), StringIO())
        assert await console.ask("", indented=True) == "    mid"
        assert await console.ask("") == "go 2"


async def test_a_notice_has_its_own_line() -> None:
    source, end = os.pipe()
    target = StringIO()
    console = Console(source, target)
    asked = asyncio.create_task(console.ask("1> "))
    await asyncio.sleep(0)  # the question is asked as soon as it has its turn
    console.say("10 minutes left.")
    assert target.getvalue() == "1> \n10 minutes left.\n1> "
    os.close(end)
    with pytest.raises(InputEndedError):
        await asyncio.wait_for(asked, PATIENCE)
    os.close(source)
