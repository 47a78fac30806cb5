"""The right border of a box is its scroll bar: its thumb is dragged, and a press beside the thumb scrolls a page."""

from pathlib import Path

import pytest
from textual.events import MouseDown, MouseMove, MouseScrollDown
from textual.widget import Widget

from lms_tui.common.settings import Appearance
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.tui.widgets.pane import Pane
from lms_tui.tui.widgets.question import QuestionView
from lms_tui.tui.widgets.row_list import RowList
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.lms import FakeLms
from tests.fakes.mouse import NO_BUTTON, RIGHT, Cell, drag, press, send
from tests.fakes.program import Program, program
from tests.fakes.sitting import Sitting, settings, sitting

PASSAGE = "<p>" + "A sentence of a long passage. " * 400 + "</p>"


def _bar(pane: Pane, row: int) -> Cell:
    """A cell of the scroll bar. The thumb begins in row 1 in a box that shows its first rows."""
    return pane.region.right - 1, pane.region.y + row


def _foot(pane: Pane, text: str) -> Cell:
    """The cell of a text in the lower border."""
    y = pane.size.height - 1
    return pane.region.x + pane.strip(y).text.index(text), pane.region.y + y


def _thumb(pane: Pane) -> int:
    return next(row for row in range(pane.size.height) if pane.has_thumb(row))


def _shown(run: Sitting | Program, kind: type[Pane], selector: str = "*") -> Pane:
    widgets: list[Widget] = list(run.app.screen.query(selector).results(kind))
    return next(widget for widget in widgets if isinstance(widget, Pane) and widget.display)


def _paper() -> AttemptInMemory:
    asked = question(1, "<p>What does the passage say?</p>", ["This " * 900, "That"], direction=PASSAGE)
    return AttemptInMemory([asked, *an_exam(3)[1:]])


@pytest.mark.parametrize(
    ("size", "kind"),
    [((80, 24), QuestionView), ((120, 40), QuestionView), ((120, 40), DocumentView), ((200, 60), DocumentView)],
)
async def test_the_thumb_is_dragged_to_the_end_and_back(size: Cell, kind: type[Pane]) -> None:
    async with sitting(_paper(), size=size) as sit:
        pane = _shown(sit, kind)
        end = pane.length - pane.window
        assert end > 0
        await drag(sit, _bar(pane, 1), _bar(pane, 3))
        assert 0 < pane.top < end
        await drag(sit, _bar(pane, _thumb(pane)), _bar(pane, pane.window + 5))
        assert pane.top == end
        await drag(sit, _bar(pane, _thumb(pane)), (2, 0))
        assert pane.top == 0
        assert sit.chosen(1) == ()


async def test_a_press_beside_the_thumb_scrolls_a_page_and_chooses_nothing() -> None:
    async with sitting(_paper()) as sit:
        pane = _shown(sit, QuestionView)
        await press(sit, _bar(pane, pane.window))
        page = pane.top
        assert 0 < page < pane.window
        await press(sit, _bar(pane, pane.window))
        assert page < pane.top <= 2 * page
        await press(sit, _bar(pane, 1))
        await press(sit, _bar(pane, 1))
        assert pane.top == 0
        assert sit.chosen(1) == ()


async def test_only_the_left_button_scrolls() -> None:
    async with sitting(_paper()) as sit:
        pane = _shown(sit, QuestionView)
        await press(sit, _bar(pane, pane.window), RIGHT)
        assert pane.top == 0


async def test_a_drag_that_ends_outside_the_window_is_over_when_the_mouse_comes_back() -> None:
    async with sitting(_paper()) as sit:
        pane = _shown(sit, QuestionView)
        await send(sit, MouseDown, _bar(pane, 1))
        await send(sit, MouseMove, _bar(pane, 4))
        top = pane.top
        assert top
        await send(sit, MouseMove, _bar(pane, 8), NO_BUTTON)
        await send(sit, MouseMove, _bar(pane, 9))
        assert pane.top == top
        await sit.click("n next")
        assert "Question 2 of 3" in sit.text()


async def test_a_drag_of_the_bar_marks_no_words_and_a_click_after_it_chooses() -> None:
    async with sitting(_paper()) as sit:
        pane = _shown(sit, DocumentView)
        await drag(sit, _bar(pane, 1), (pane.region.x + 9, pane.region.y + 9))
        assert pane.top
        assert isinstance(pane, DocumentView)
        assert pane.spans == ()
        await sit.click("A ( )")
        assert len(sit.chosen(1)) == 1


async def test_the_palette_scrolls_and_the_question_stays() -> None:
    async with sitting(AttemptInMemory(an_exam(400)), size=(120, 24)) as sit:
        pane = _shown(sit, PaletteView)
        await drag(sit, _bar(pane, 1), _bar(pane, pane.window))
        assert pane.top == pane.length - pane.window
        await press(sit, _bar(pane, 1))
        assert pane.top < pane.length - pane.window
        assert "Question 1 of 400" in sit.text()


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40)])
async def test_a_press_on_the_number_of_hidden_rows_scrolls_a_page(size: Cell, *, plain: bool) -> None:
    async with sitting(_paper(), size=size, chosen=settings(Appearance(ascii=plain))) as sit:
        pane = _shown(sit, QuestionView)
        await press(sit, _foot(pane, " more "))
        page = pane.top
        assert 0 < page < pane.window
        await press(sit, _foot(pane, " more "))
        assert page < pane.top <= 2 * page
        await press(sit, _foot(pane, " above "))
        assert pane.top == page
        assert sit.chosen(1) == ()


async def test_a_wide_table_is_moved_sideways_by_mouse() -> None:
    cells = "".join(f"<td>column {number}</td>" for number in range(1, 31))
    wide = question(1, f"<table><tr>{cells}</tr></table>", ["This", "That"])
    async with sitting(AttemptInMemory([wide, *an_exam(3)[1:]]), size=(80, 24)) as sit:
        pane = _shown(sit, QuestionView)
        x, y = _foot(pane, "< >")
        await press(sit, (x + 2, y))
        aside = pane.aside
        assert aside > 0
        await press(sit, (x, y))
        assert pane.aside == 0
        sit.app.post_message(MouseScrollDown(None, 5, 5, 0, 0, 0, True, False, False, 5, 5))
        await sit.press()
        assert pane.aside == aside
        assert pane.top == 0


async def test_a_list_scrolls_and_opens_nothing(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms(), home=True, size=(80, 12)) as run:
        pane = _shown(run, RowList)
        assert isinstance(pane, RowList)
        key = pane.key
        await press(run, _bar(pane, pane.window))
        await press(run, _bar(pane, pane.window))
        assert pane.top
        assert (run.screen, pane.key) == ("HomeScreen", key)
        await drag(run, _bar(pane, _thumb(pane)), _bar(pane, 0))
        assert pane.top == 0
        assert (run.screen, pane.key) == ("HomeScreen", key)


async def test_the_border_of_a_box_that_shows_all_its_rows_is_no_scroll_bar() -> None:
    async with sitting(AttemptInMemory(an_exam(3))) as sit:
        pane = _shown(sit, QuestionView)
        await press(sit, _bar(pane, pane.window))
        assert pane.top == 0


async def test_the_scroll_thumb_goes_with_a_long_question() -> None:
    long = question(1, "<p>" + "A long text. " * 200 + "</p>")
    async with sitting(AttemptInMemory((long, question(2), long.model_copy(update={"id": 3}))), size=(60, 24)) as sit:
        assert "┃" in sit.text()
        assert sit.app.runner.query_one(QuestionView).has_thumb(1)
        await sit.press("n")
        assert "Question 2 of 3" in sit.text()
        assert "┃" not in sit.text()
        await sit.press("n")
        assert "┃" in sit.text()
