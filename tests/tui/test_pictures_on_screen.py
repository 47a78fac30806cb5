"""Pictures of a question on the screen: visible, choosable, enlarged; wide tables scroll in their own box."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from rich.segment import Segment

from lms_tui.tui.screens.runner.exam_widgets import ExamWidgets
from lms_tui.wire.attempts import ReviewQuestion
from tests.fakes import institute
from tests.fakes.attempts import AttemptInMemory, an_exam, question
from tests.fakes.lms import FakeLms
from tests.fakes.program import Program, program
from tests.fakes.sitting import Sitting, sitting


def uri(colour: str, size: tuple[int, int] = (64, 64)) -> str:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"


def painted(run: Sitting | Program, red: int) -> int:
    """Cells on the screen that are of this red, without green and blue."""
    strips = run.app.screen._compositor.render_strips()
    return sum(len(each.text) for strip in strips for each in strip if _red_of(each) == (red, 0, 0))


def _red_of(segment: Segment) -> tuple[int, ...] | None:
    style = segment.style
    triplet = style.bgcolor.triplet if style is not None and style.bgcolor is not None else None
    return tuple(triplet) if triplet is not None else None


async def test_an_option_with_only_a_picture_can_be_chosen() -> None:
    options = [f"<img src='{uri(colour)}'>" for colour in ("#ff0000", "#880000")]
    async with sitting(AttemptInMemory([question(1, "<p>Which is dark?</p>", options)])) as sit:
        assert painted(sit, 255) == painted(sit, 0x88) == 8 * 4
        assert sit.text().count("[image, 64×64]") == 2
        await sit.press("b")
        assert sit.chosen(1) == (12,)
        assert painted(sit, 0x88) == 8 * 4


async def test_a_late_picture_changes_neither_scroll_position_nor_answer() -> None:
    text = "<p>line</p>" * 60
    async with sitting(AttemptInMemory([question(1, text, ["one", "two"])]), size=(80, 24)) as sit:
        await sit.press("pagedown", "b")
        before = sit.text()
        sit.app.runner.query_one(ExamWidgets).pictures_changed()
        await sit.pilot.pause()
        assert sit.text() == before
        assert sit.chosen(1) == (12,)


async def test_a_picture_can_be_enlarged_and_a_key_shows_the_next_one() -> None:
    text = f"<p>See <img alt='a red field' src='{uri('#ff0000')}'></p>"
    service = AttemptInMemory([question(1, text, [f"<img src='{uri('#880000')}'>", "none"]), *an_exam(2)[1:]])
    async with sitting(service, size=(100, 30)) as sit:
        small = painted(sit, 255)
        await sit.press("z")
        assert painted(sit, 255) > 20 * small
        assert "[image: a red field, 64×64]   1 of 2   n next   esc back" in sit.text()
        await sit.press("n")
        assert painted(sit, 0x88) > 20 * small
        await sit.press("z")
        assert painted(sit, 255) == small
        await sit.press("n", "z")
        assert "No picture to show" in sit.text()


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (200, 60)])
async def test_a_wide_table_scrolls_and_the_text_around_it_stays(size: tuple[int, int]) -> None:
    table = "<table><tr>" + "".join(f"<td>value{n:03}" for n in range(40)) + "</table>"
    async with sitting(AttemptInMemory([question(1, f"<p>Read it.</p>{table}")]), size=size) as sit:
        assert "value000" in sit.text()
        assert "value039" not in sit.text()
        for _ in range(80):
            await sit.press(">")
        assert "value000" not in sit.text()
        assert "value039 │" in sit.text()
        assert "│ Read it." in sit.text()


async def test_review_shows_pictures_and_scrolls_wide_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = institute.reviewed
    table = "<table><tr>" + "".join(f"<td>value{n:03}" for n in range(40)) + "</table>"

    def reviewed(number: int) -> ReviewQuestion:
        asked = plain(number)
        html = f"<p><img src='{uri('#ff0000')}'></p>{table}"
        return asked.model_copy(update={"question": asked.question.model_copy(update={"question_html": html})})

    monkeypatch.setattr(institute, "reviewed", reviewed)
    async with program(tmp_path, FakeLms()) as run:
        await run.press("down", "down", "down", "down", "enter", "enter")
        assert run.screen == "ReviewScreen"
        assert painted(run, 255) == 8 * 4
        for _ in range(80):
            await run.press("greater_than_sign")
        assert "value039 │" in run.text()
        await run.press("z")
        assert painted(run, 255) > 1000
