"""Every entry of the last line is a button."""

import re
from pathlib import Path

import pytest

from lms_tui.attempt.values import Phase
from lms_tui.tui.screens.picture.long_text import LongTextScreen
from lms_tui.tui.screens.staff_tokens.screen import CodeScreen
from lms_tui.wire.attempts import AttemptQuestion
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.fakes.sitting import Sitting, sitting
from tests.tui.test_pictures_on_screen import uri
from tests.tui.test_runner_writing import GAPS, MATCH, RIGHTS, answer, asked, exam_of


async def click(sit: Sitting, entry: str) -> None:
    """Click an entry of the last line."""
    column = sit.rows()[-1].index(entry)
    await sit.pilot.click(offset=(column + len(entry) - 1, sit.app.size.height - 1))
    for _ in range(5):
        await sit.pilot.pause()


async def test_a_whole_exam_is_taken_by_mouse_at_80_by_24() -> None:
    async with sitting(AttemptInMemory(an_exam(3)), size=(80, 24)) as sit:
        await sit.pilot.click(offset=sit.place_of("C ( )"))
        await click(sit, "m mark")
        await click(sit, "n next")
        await click(sit, "n next")
        assert "Question 3 of 3" in sit.text()
        await click(sit, "p previous")
        assert "Question 2 of 3" in sit.text()
        assert (sit.chosen(1), answer(sit).marked) == ((13,), True)
        await click(sit, "ctrl+e end")
        await sit.pilot.click("#yes")
        await sit.pilot.pause()
        assert sit.keeper.session.phase is Phase.ENDING


async def test_words_are_written_and_left_by_mouse_at_80_by_24() -> None:
    async with sitting(exam_of(asked("E", options=["Rain", "A town"])), size=(80, 24)) as sit:
        await click(sit, "letters write")
        assert sit.app.runner.query_one("#area").has_focus
        await sit.press("x")
        await click(sit, "esc back to the question")
        assert answer(sit).essay_text == "x"
        await click(sit, "enter write")
        await sit.press("y")
        await click(sit, "alt+n next")
        assert "Question 2 of 3" in sit.text()
        assert answer(sit).essay_text == "xy"
        await click(sit, "p previous")
        await click(sit, "→ next")
        await click(sit, "p previous")
        await click(sit, "esc commands")
        await click(sit, "n next")
        assert "Question 2 of 3" in sit.text()


async def test_the_keys_of_gaps_and_matches_are_buttons() -> None:
    async with sitting(exam_of(asked("G", GAPS))) as sit:
        await sit.press("a")
        await click(sit, "enter next gap")
        await sit.press("b")
        await click(sit, "enter done")
        assert dict(answer(sit).gaps) == {"1": "a", "2": "b"}
    async with sitting(exam_of(asked("M", MATCH, RIGHTS))) as sit:
        await click(sit, "enter all letters")
        await click(sit, "←→ cycle")
        await click(sit, "↑↓ row")
        await sit.press("c")
        assert [text for _, text in answer(sit).gaps] == ["electric current", "speed"]
        await click(sit, "space clear")
        await click(sit, "esc done")
        assert "enter all letters" in sit.rows()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["R", "E"])
async def test_every_entry_of_the_last_line_does_something(kind: str) -> None:
    first = asked(kind, "<p>Q</p>", RIGHTS)
    if kind == "R":
        first = question(1, "<p>Q</p>", RIGHTS, kind=kind)
    paper = [first.model_copy(update={"id": number}) for number in (1, 2, 3)]
    async with sitting(AttemptInMemory(paper), size=(220, 40)) as sit:
        await sit.press("right")
        entries = re.findall(r"\S+(?: \S+)+?(?=  |\s*$)", sit.rows()[-1])
        assert len(entries) >= 10
    for entry in entries:
        if "help" in entry:
            continue  # a command of the program, which is not here
        async with sitting(AttemptInMemory(paper), size=(220, 40)) as sit:
            await sit.press("right")
            before = sit.text()
            await click(sit, entry)
            assert sit.text() != before, entry


async def test_help_and_other_screens_close_by_mouse(tmp_path: Path) -> None:
    async with program(tmp_path, size=(80, 24)) as run:
        await run.app.push_screen(CodeScreen("https://lms.example.org/embed/6f1d1c9e/"))
        await run.settle()
        await run.pilot.click(offset=(40, 23))
        await run.settle()
        assert run.screen == "AttemptsScreen"
        await run.app.push_screen(LongTextScreen("<p>A stepwell is reached by <b>many steps</b>.</p>" * 2000))
        await run.settle()
        for entry, told in (("n next", "Part 2"), ("p previous", "Part 1"), ("n next", "Part 2")):
            await run.pilot.click(offset=(run.rows()[0].index(entry) + 3, 0))
            await run.settle()
            assert told in run.text()
        await run.pilot.click(offset=(run.rows()[0].index("esc back"), 0))
        await run.settle()
        assert run.screen == "AttemptsScreen"


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_the_review_is_left_by_mouse(tmp_path: Path, size: tuple[int, int]) -> None:
    """It has more commands than these windows have room for."""
    async with program(tmp_path, FakeLms(), size=size) as run:
        await run.press("end", "enter")
        await run.settle()
        await run.press("enter")
        await run.settle()
        assert run.screen == "ReviewScreen"
        assert run.rows()[-1].rstrip().endswith("? help")
        await run.pilot.click(offset=(run.rows()[-1].index("esc back"), size[1] - 1))
        await run.settle()
        assert run.screen == "ResultScreen"


async def test_a_picture_and_the_overview_close_by_mouse() -> None:
    paper = [question(1, "<p>Q</p>", [f"<img src='{uri(c)}'>" for c in ("#ff0000", "#880000")]), *an_exam(3)[1:]]
    async with sitting(AttemptInMemory(paper), size=(80, 24)) as sit:
        await sit.press("z")
        await click(sit, "n next")
        assert "2 of 2" in sit.rows()[-1]
        await click(sit, "esc back")
        assert sit.app.screen is sit.app.runner
        await click(sit, "o overview") if "o overview" in sit.rows()[-1] else await sit.press("o")
        await click(sit, "esc back")
        assert sit.app.screen is sit.app.runner


async def test_a_click_on_a_message_shows_the_keys_again() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.press("t")
        assert "3 hours left." in sit.rows()[-1]
        await click(sit, "left.")
        assert "n next" in sit.rows()[-1]


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24)])
@pytest.mark.parametrize(
    "first",
    [
        question(1, "<p>Q</p>", RIGHTS),
        asked("S"),
        asked("N"),
        asked("E", options=["Rain", "A town"]),
        asked("G", GAPS),
        asked("M", MATCH, RIGHTS),
    ],
    ids=["options", "text", "number", "essay", "gaps", "matching"],
)
async def test_the_mouse_reaches_the_next_question_and_every_command_at_every_size(
    first: AttemptQuestion, size: tuple[int, int]
) -> None:
    async with sitting(exam_of(first), size=size) as sit:
        last = sit.rows()[-1]
        if "esc commands" in last:
            await click(sit, "esc commands")
            last = sit.rows()[-1]
        assert " next" in last
        await click(sit, next(more for more in ("ctrl+p more", "f7 more") if more in last))
        assert "Search for commands" in sit.text()
        await sit.press("escape")
        await click(sit, " next")
        assert "Question 2 of 3" in sit.text()


async def test_the_second_gap_is_reached_by_mouse_at_40_by_12() -> None:
    async with sitting(exam_of(asked("G", GAPS)), size=(40, 12)) as sit:
        await sit.click("Type your answer")
        await click(sit, "enter next gap")
        assert "Gap 2 of 2" in sit.text()
        await click(sit, "esc back")
        assert sit.app.focused is None


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24)])
@pytest.mark.parametrize("home", [True, False])
async def test_the_mouse_reaches_every_command_of_home_and_the_exams_at_every_size(
    tmp_path: Path, size: tuple[int, int], *, home: bool
) -> None:
    async with program(tmp_path, size=size, home=home) as run:
        last = run.rows()[-1]
        assert "enter open" in last
        entry = next(more for more in ("ctrl+p commands", "f7 commands", "f7 more") if more in last)
        await run.pilot.click(offset=(last.index(entry) + 1, size[1] - 1))
        await run.settle()
        await run.type("sign out")
        await run.until(lambda: "Sign out" in run.text())


async def test_the_first_command_stays_where_there_is_no_room_for_the_list_of_commands(tmp_path: Path) -> None:
    async with program(tmp_path, size=(40, 12)) as run:
        await run.press("down", "enter")
        assert run.rows()[-1].rstrip() == " enter start the exam  esc back  ? help"


async def test_the_result_has_room_for_the_list_of_commands_at_40_by_12(tmp_path: Path) -> None:
    async with program(tmp_path, size=(40, 12)) as run:
        await run.press("end", "enter")
        assert run.rows()[-1].rstrip() == " enter review  esc back  f7 more  ? help"
