"""Which mouse buttons click, and what the right one does in an exam."""

from pathlib import Path

import pytest
from textual.events import MouseDown, MouseUp

from tests.fakes.attempts import AttemptInMemory, an_exam
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.fakes.sitting import Sitting, sitting

_MIDDLE, _RIGHT = 2, 3


def mouse(kind: type[MouseDown | MouseUp], at: tuple[int, int], button: int) -> MouseDown | MouseUp:
    return kind(None, *at, 0, 0, button, shift=False, meta=False, ctrl=False, screen_x=at[0], screen_y=at[1])


async def press(sit: Sitting, text: str, button: int) -> None:
    """Press and release a button as a terminal tells it. The pilot makes a click of every button by itself."""
    for kind in (MouseDown, MouseUp):
        sit.app.post_message(mouse(kind, sit.place_of(text), button))
    for _ in range(5):
        await sit.pilot.pause()


async def test_only_the_left_button_changes_an_answer() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.click("B ( )")
        for button in (_MIDDLE, _RIGHT):
            await press(sit, "C ( )", button)
            assert "chosen B" in sit.text()


async def test_only_the_left_button_presses_a_button_of_the_last_line() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await press(sit, "n next", _MIDDLE)
        await press(sit, "n next", _RIGHT)
        assert "Question 1 of 3" in sit.text()


async def test_the_right_button_strikes_an_option_out_and_restores_it() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.click("B ( )")
        await press(sit, "C ( )", _RIGHT)
        assert "C ( )" not in sit.text()
        assert "chosen B" in sit.text()
        await press(sit, "C  ✗", _RIGHT)
        assert "C ( )" in sit.text()


async def test_the_right_button_on_a_chosen_option_says_why_it_stays() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await sit.click("B ( )")
        await press(sit, "B (", _RIGHT)
        assert "A chosen option cannot be struck out." in sit.text()
        assert "chosen B" in sit.text()


@pytest.mark.parametrize("moves", [True, False], ids=["another row", "the row of the cursor"])
async def test_a_double_click_opens_a_row_once(tmp_path: Path, *, moves: bool) -> None:
    async with program(tmp_path, FakeLms(), home=True) as run:
        if not moves:
            await run.press("down")
        at = (10, next(y for y, row in enumerate(run.rows()) if "○" in row))
        for kind in (MouseDown, MouseUp) * 2:
            run.app.post_message(mouse(kind, at, 1))
        await run.settle()
        assert run.screen == "InstructionsScreen"
        await run.press("escape")
        assert run.screen == "HomeScreen"


async def test_the_second_click_of_a_pair_does_nothing_on_the_screen_that_the_first_one_opened() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await press(sit, "ctrl+p more", 1)
        await sit.until(lambda: "Search for commands" in sit.text())
        await press(sit, "ctrl+p more", 1)
        assert "Search for commands" in sit.text()


async def test_two_clicks_on_one_screen_are_two_clicks() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        await press(sit, "n next", 1)
        await press(sit, "n next", 1)
        assert "Question 3 of 3" in sit.text()
