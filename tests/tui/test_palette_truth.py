"""The palette shows the state of each question, whatever has been drawn again."""

import random
import re

import pytest

from lms_tui.attempt.events import Foreign
from lms_tui.attempt.values import Answer
from lms_tui.tui.screens.runner.overview import Overview
from lms_tui.tui.widgets.palette import PaletteView
from lms_tui.views.glyphs import UNICODE
from lms_tui.views.runner import Filter, mark_of
from tests.fakes.attempts import AttemptInMemory, an_exam, two_sections
from tests.fakes.sitting import Sitting, sitting

SIZES = ((100, 30), (120, 40), (132, 20), (101, 19), (160, 50))
NARROW = (80, 24)
"""Too narrow for the palette, which is hidden then."""
KEYS = ("w", "w", "f", "h", "v", "b", "b", "m", "backspace", "u", "n", "n", "p")


def shown(palette: PaletteView) -> dict[int, str]:
    """The number of each question in the palette, with its sign."""
    rows = "\n".join(palette.strip(y).text for y in range(1, palette.window + 1))
    return {int(number): sign for number, sign in re.findall(r"(\d+)([●○◆◈·])", rows)}


def arrangement(palette: PaletteView) -> list[str]:
    """The rows of the palette without the signs of the questions."""
    return [re.sub("[●○◆◈·]", " ", palette.strip(y).text) for y in range(1, palette.window + 1)]


def true_signs(sit: Sitting, chosen: Filter = Filter.ALL) -> dict[int, str]:
    items = [item for item in sit.keeper.session.items if chosen.passes(item)]
    return {item.number: getattr(UNICODE, mark_of(item).value) for item in items}


def chosen_filter(palette: PaletteView) -> Filter:
    """The filter that the title of the palette names."""
    return next((each for each in Filter if f"Only {each} " in palette.strip(0).text), Filter.ALL)


async def test_the_pace_line_leaves_the_palette_as_it_is() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(100, 30)) as sit:
        await sit.press("n", "b", "m", "w")
        palette = sit.app.runner.query_one(PaletteView)
        assert shown(palette) == true_signs(sit)


async def test_the_palette_shows_every_question_after_it_was_hidden() -> None:
    async with sitting(AttemptInMemory(an_exam(12), sections=two_sections(timed=False)), size=SIZES[1]) as sit:
        palette = sit.app.runner.query_one(PaletteView)
        before = arrangement(palette)
        await sit.pilot.resize_terminal(*NARROW)
        await sit.press(*"nbnnnnnnnnnn")
        await sit.pilot.resize_terminal(*SIZES[1])
        await sit.pilot.pause()
        assert shown(palette) == true_signs(sit)
        assert arrangement(palette) == before


@pytest.mark.parametrize("sections", [False, True])
@pytest.mark.parametrize("seed", range(4))
async def test_any_order_of_sizes_toggles_and_answers_leaves_the_palette_true(seed: int, sections: bool) -> None:
    chance = random.Random(seed)
    service = AttemptInMemory(an_exam(12), sections=two_sections(timed=False) if sections else ())
    async with sitting(service, size=SIZES[0]) as sit:
        palette = sit.app.runner.query_one(PaletteView)
        steps: list[tuple[int, int] | str] = []
        for _ in range(25):
            if chance.random() < 0.25:
                steps.append(size := chance.choice(SIZES))
                await sit.pilot.resize_terminal(*size)
                await sit.pilot.pause()
            else:
                steps.append(key := chance.choice(KEYS))
                await sit.press(key)
            assert shown(palette) == true_signs(sit, chosen_filter(palette)), steps


async def test_the_open_overview_shows_an_answer_of_the_other_device() -> None:
    async with sitting(AttemptInMemory(an_exam(12)), size=(80, 24)) as sit:
        await sit.press("o")
        sit.keeper._live.apply(Foreign(4, Answer((43,), review=False), taken=True))
        await sit.pilot.pause()
        assert isinstance(sit.app.screen, Overview)
        assert shown(sit.app.screen.query_one(PaletteView)) == true_signs(sit)
        assert "1 of 12 answered" in sit.text()
