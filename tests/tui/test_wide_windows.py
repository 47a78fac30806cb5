"""Wide windows: a question of readable width, a palette that takes the rest, and aids that stand below it."""

import pytest

from lms_tui.content.cells import width
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.sitting import Sitting, sitting
from tests.tui.test_runner_writing import GAPS, asked, exam_of

LONG = "<p>" + "Every word of this question must be read. " * 12 + "</p>"


def _paper(*, passage: str | None = None) -> AttemptInMemory:
    return AttemptInMemory([question(1, LONG, ["This", "That"], direction=passage), *an_exam(75)[1:]])


def _boxes(sit: Sitting) -> list[str]:
    """The boxes side by side in the row of the first option."""
    row = next(row for row in sit.rows() if "( ) This" in row)
    return [box for box in row.split("│") if box]


@pytest.mark.parametrize("passage", [None, LONG])
@pytest.mark.parametrize("columns", [140, 200, 260])
async def test_lines_of_text_stay_readable_and_every_column_is_used(columns: int, passage: str | None) -> None:
    async with sitting(_paper(passage=passage), size=(columns, 60)) as sit:
        boxes = _boxes(sit)
        assert len(boxes) == (2 if passage is None else 3)
        assert all(width(box) <= 92 for box in boxes[:-1])
        assert sum(map(width, boxes)) + 2 * len(boxes) == columns


async def test_a_wide_palette_has_rows_of_ten_and_its_legend_below_them() -> None:
    async with sitting(_paper(), size=(200, 60)) as sit:
        rows = [row[95:-1] for row in sit.rows()]
        first = next(y for y, row in enumerate(rows) if row.split()[:1] == ["1○"])
        assert len(rows[first].split()) == 10
        last = next(y for y, row in enumerate(rows) if "75·" in row)
        assert "answered" in rows[last + 2]
        assert "answered 0 of 75" in rows[last + 4]
        await sit.press("b")
        assert "answered 1 of 75" in sit.rows()[last + 4]
        await sit.pilot.click(offset=(sit.rows()[first].index("9·"), first))
        assert "Question 9 of 75" in sit.text()


@pytest.mark.parametrize(
    ("size", "shown"), [((100, 30), True), ((120, 40), True), ((200, 60), True), ((100, 24), False)]
)
async def test_the_calculator_covers_the_palette_only_in_a_low_window(size: tuple[int, int], *, shown: bool) -> None:
    async with sitting(_paper(), size=size) as sit:
        await sit.press(*"=1+2", "enter")
        assert "= 3" in sit.text()
        assert ("Questions" in sit.text()) is shown
        await sit.press("escape")
        assert "Questions" in sit.text()


async def test_note_and_calculator_stand_together_in_a_high_window_and_part_in_a_smaller_one() -> None:
    async with sitting(_paper(), size=(200, 60)) as sit:
        await sit.press("i", *"ab", "escape", *"=1+2", "enter")
        assert all(title in sit.text() for title in ("Questions", "Calculator", "Note on question 1"))
        await sit.pilot.resize_terminal(80, 24)
        await sit.until(lambda: "Note on question 1" not in sit.text())
        assert "Calculator" in sit.text()
        await sit.press("escape")
        assert "( ) This" in sit.text()


@pytest.mark.parametrize(("kind", "text"), [("S", "<p>Q</p>"), ("N", "<p>Q</p>"), ("G", GAPS), ("F", "<p>Q</p>")])
@pytest.mark.parametrize(("rows", "near"), [(24, False), (30, True), (60, True)])
async def test_a_short_answer_stands_below_its_question_in_a_high_window(
    kind: str, text: str, rows: int, *, near: bool
) -> None:
    async with sitting(exam_of(asked(kind, text)), size=(120, rows)) as sit:
        columns = [row[:85] for row in sit.rows()]
        ends = [y for y, row in enumerate(columns) if row.startswith("╰")]
        assert (ends[0] < 8) is near
        assert columns[ends[0] + 1].startswith("╭")
        await sit.press("right")
        assert [y for y, row in enumerate(row[:85] for row in sit.rows()) if row.startswith("╰")] == [rows - 2]


async def test_the_box_of_a_question_grows_with_what_is_written_into_its_gaps() -> None:
    async with sitting(exam_of(asked("G", GAPS)), size=(120, 40)) as sit:
        first = sit.place_of("Gap 1 of 2")[1]
        await sit.press(*"long" * 20)
        assert sit.place_of("Gap 1 of 2")[1] > first
        assert "[ 2" in sit.text()
        await sit.press(*["backspace"] * 80)
        assert sit.place_of("Gap 1 of 2")[1] == first


async def test_the_numbers_below_the_palette_are_not_cut_in_an_exam_of_200_questions() -> None:
    given = {"selected_answers": (11,), "review": True}
    paper = AttemptInMemory([each.model_copy(update=given) for each in an_exam(200)])
    async with sitting(paper, size=(120, 40)) as sit:
        assert "200/200 answered · 200 marked" in sit.text()
