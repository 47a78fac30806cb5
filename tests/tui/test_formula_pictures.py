"""Formulas and SVG drawn beside the program: never waited for, and text where they cannot be drawn."""

import base64
import re
from pathlib import Path

import pytest
from textual.events import Ready
from textual.screen import Screen

from lms_tui.common.settings import Appearance, Drawing
from lms_tui.common.settings import Maths as Setting
from lms_tui.content.images import following, showing
from lms_tui.content.model import Maths, MathsStyle
from lms_tui.tui import pictures as room
from lms_tui.tui.pictures import PictureLoader
from lms_tui.wire.attempts import ReviewQuestion
from tests.fakes import institute
from tests.fakes.lms import FakeLms
from tests.fakes.pictures import FakePictures
from tests.fakes.program import program

_RUNGS = (MathsStyle.TWO_DIMENSIONAL, MathsStyle.LINE)
_RED = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'><rect width='64' height='64' fill='red'/></svg>"


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions in review ask for a formula and show a drawing."""
    plain = institute.reviewed
    image = f"<img src='data:image/svg+xml;base64,{base64.b64encode(_RED.encode()).decode()}' alt='a red field'>"

    def reviewed(number: int) -> ReviewQuestion:
        asked = plain(number)
        html = f"<p>Take \\(v^2 = u^2 + 2as\\), then</p><p>{image}</p>"
        return asked.model_copy(update={"question": asked.question.model_copy(update={"question_html": html})})

    monkeypatch.setattr(institute, "reviewed", reviewed)


def backgrounds(screen: Screen[object]) -> set[tuple[int, int, int] | None]:
    """The background colours of all cells of the screen."""
    strips = screen._compositor.render_strips()
    styles = [each.style for strip in strips for each in strip if each.style and each.style.bgcolor]
    return {style.bgcolor.triplet for style in styles if style.bgcolor}


@pytest.mark.usefixtures("asking")
@pytest.mark.parametrize(("drawing", "drawn"), [(Drawing.SIXEL, "\x1bP0;0;0q"), (Drawing.KITTY, "\x1b_Ga=p")])
async def test_the_terminal_draws_a_formula_over_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawing: Drawing, drawn: str
) -> None:
    pytest.importorskip("typst")
    appearance = Appearance(pictures=drawing, maths=Setting.PICTURE)
    async with program(tmp_path, FakeLms(), appearance=appearance) as run:
        written: list[str] = []
        driver = run.app._driver
        assert driver is not None
        monkeypatch.setattr(driver, "write", written.append)
        await run.press("down", "down", "down", "down", "enter", "enter")
        await run.until(lambda: any(len(re.findall(re.escape(drawn), text)) > 1 for text in written))
        await run.until(lambda: "Take v² = u² + 2as" in run.text())
        await run.until(lambda: "[image: a red field, 64×64]" in run.text())
        await run.press("v")
        await run.until(lambda: "Take v² = u² + 2as, then" in run.text())


async def test_the_terminal_draws_pictures_also_after_a_sign_in_before_the_first_paint(tmp_path: Path) -> None:
    async with program(tmp_path, FakeLms(), appearance=Appearance(pictures=Drawing.KITTY)) as run:
        pictures = run.app.pictures
        assert pictures is not None
        pictures.graphics = False  # as where the sign-in comes first
        run.app.post_message(Ready())
        await run.until(lambda: pictures.graphics)


@pytest.mark.usefixtures("asking")
async def test_formulas_are_two_dimensional_if_pictures_cannot_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "is_installed", lambda: False)
    appearance = Appearance(pictures=Drawing.KITTY, maths=Setting.PICTURE)
    async with program(tmp_path, FakeLms(), appearance=appearance) as run:
        await run.press("down", "down", "down", "down", "enter", "enter")
        await run.until(lambda: "Take v² = u² + 2as, then" in run.text())
        await run.until(lambda: "[image: a red field" in run.text())
        await run.until(lambda: "needs lms-tui[pictures]" in run.words)


@pytest.mark.usefixtures("asking")
async def test_svg_is_drawn_as_half_blocks_without_terminal_graphics(tmp_path: Path) -> None:
    pytest.importorskip("typst")
    async with program(tmp_path, FakeLms(), appearance=Appearance(pictures=Drawing.BLOCKS)) as run:
        await run.press("down", "down", "down", "down", "enter", "enter")
        await run.until(lambda: "[image: a red field, 64×64]" in run.text())
        # The words are there before the drawing, which another process makes.
        await run.until(lambda: (255, 0, 0) in backgrounds(run.app.screen))


def test_the_picture_style_is_offered_only_if_formulas_can_be_drawn() -> None:
    loader = PictureLoader(FakePictures({}), None, lambda work: work.close(), lambda: None)
    loader.graphics = True
    with showing(loader):
        assert not loader.formulas
        assert following(MathsStyle.LINE, _RUNGS) is MathsStyle.TWO_DIMENSIONAL
        assert following(MathsStyle.PICTURE, _RUNGS) is MathsStyle.LINE
        assert loader.formula(Maths("x")) is None

    class Able(PictureLoader):
        formulas = True

    with showing(Able(FakePictures({}), None, lambda work: work.close(), lambda: None)):
        assert following(MathsStyle.LINE, _RUNGS) is MathsStyle.PICTURE
        assert following(MathsStyle.PICTURE, _RUNGS) is MathsStyle.TWO_DIMENSIONAL
