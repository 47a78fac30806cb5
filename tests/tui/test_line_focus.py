"""The line focus: rows that stand out while the others are faded."""

import pytest

from lms_tui.common.settings import Appearance
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.sitting import Sitting, settings, sitting

TEXT = "<p>" + "First sentence of a long passage. " * 30 + "</p><p>Second paragraph of it.</p>"


def _paper() -> AttemptInMemory:
    asked = question(1, "<p>What does the passage say?</p>", ["This", "That"], direction=TEXT)
    return AttemptInMemory([asked, *an_exam(3)[1:]])


def _outstanding(sit: Sitting, sign: str = "▸") -> list[str]:
    """The rows with the sign of the line focus in their left border."""
    widgets = sit.app.runner._widgets
    panes = [pane for pane in (widgets._passage, widgets._question) if pane.display]
    rows = [pane.strip(y).text for pane in panes for y in range(1, pane.size.height - 1)]
    return [row[1:-1].strip() for row in rows if row.startswith(sign)]


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_a_key_fades_all_but_one_row_then_all_but_three_then_none(size: tuple[int, int]) -> None:
    async with sitting(_paper(), size=size) as sit:
        await sit.press("L")
        assert len(_outstanding(sit)) == 1
        await sit.press("shift+down", "L")
        assert len(_outstanding(sit)) == 3
        await sit.press("L")
        assert _outstanding(sit) == []
        assert "The line focus is off." in sit.text()


async def test_it_moves_through_the_passage_and_into_the_question_and_back() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("L")
        seen = _outstanding(sit)
        for _ in range(60):
            await sit.press("shift+down")
            seen += _outstanding(sit)
        assert seen[0].startswith("First sentence")
        assert any(row.startswith("Second paragraph") for row in seen)
        assert any(row.startswith("What does the passage") for row in seen)
        assert seen[-1].startswith("B ( ) That")
        assert all(seen)
        await sit.press("shift+up", "shift+up")
        assert _outstanding(sit)[0].startswith("What does the passage")
        assert sit.chosen(1) == ()


async def test_the_other_rows_are_faded_and_answers_still_work() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("L")
        widgets = sit.app.runner._widgets
        faded = widgets._question.looks["faded"].color
        assert {segment.style.color for segment in widgets._question.strip(1) if segment.style} == {faded}
        assert faded not in {segment.style.color for segment in widgets._passage.strip(1) if segment.style}
        await sit.press("b")
        assert sit.chosen(1) == (12,)


async def test_another_question_begins_at_its_first_row_and_a_smaller_window_keeps_the_row_in_sight() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("L", *["shift+down"] * 5, "n")
        assert [row.startswith("Question number 2") for row in _outstanding(sit)] == [True]
        await sit.press("p", *["shift+down"] * 20)
        await sit.pilot.resize_terminal(60, 18)
        await sit.until(lambda: len(_outstanding(sit)) == 1)


async def test_a_passage_is_not_faded_when_the_focus_was_turned_off_at_a_question_without_one() -> None:
    async with sitting(_paper(), size=(200, 60)) as sit:
        await sit.press("L", "n", "L", "L", "p")
        passage = sit.app.runner._widgets._passage
        assert passage.display
        faded = passage.looks["faded"].color
        assert faded not in {segment.style.color for segment in passage.strip(2) if segment.style}


async def test_the_mouse_moves_it() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("L")
        await sit.pilot.hover(offset=sit.place_of("Second paragraph"))
        await sit.pilot.pause()
        assert _outstanding(sit)[0].startswith("Second paragraph")


async def test_its_size_is_kept_with_the_attempt() -> None:
    async with sitting(_paper()) as sit:
        await sit.press("L", "L")
        assert sit.keeper.desk.text("line focus") == "3"


async def test_it_can_be_seen_in_ascii() -> None:
    async with sitting(_paper(), chosen=settings(Appearance(ascii=True))) as sit:
        await sit.press("L")
        assert len(_outstanding(sit, ">")) == 1
