"""Colours, motion and keys as people set them: what cannot be done is said, and nothing is told by colour alone."""

from pathlib import Path

import pytest
from textual.color import Color as TextualColor

from lms_tui.common.settings import Appearance
from lms_tui.tui import themes
from tests.fakes.program import Program, program


async def to_result(run: Program) -> None:
    await run.press("down", "down", "down", "down", "enter")
    await run.settle()


def colours(run: Program) -> set[tuple[int, int, int]]:
    """Every colour on the screen, of text and of what is behind it."""
    found = set()
    for strip in run.app.screen._compositor.render_strips():
        for segment in strip:
            for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                if colour is not None and colour.triplet is not None:
                    found.add(tuple(colour.triplet))
    return {(red, green, blue) for red, green, blue in found}


async def test_an_unknown_theme_is_reported_and_dark_is_used(tmp_path: Path) -> None:
    async with program(tmp_path, appearance=Appearance(theme="solarised")) as run:
        assert "Unknown theme “solarised” in the settings. Using dark." in run.notices
        assert "dark, light and high-contrast" in run.notices
        assert run.app.theme == "dark"


@pytest.mark.parametrize("theme", themes.NAMES)
async def test_every_theme_of_the_program_is_accepted(tmp_path: Path, theme: str) -> None:
    async with program(tmp_path, appearance=Appearance(theme=theme)) as run:
        assert run.app.theme == theme
        assert not run.notices


async def test_no_color_is_respected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with program(tmp_path) as run:
        await to_result(run)
        greys = colours(run)
        assert greys
        assert all(max(one) - min(one) <= 2 for one in greys)
        for told in ("✓ correct", "✗ incorrect", "· unanswered", "█", "▓", "░", "─ average", "• best"):
            assert told in run.text()


@pytest.mark.parametrize("theme", themes.NAMES)
async def test_text_has_enough_contrast(tmp_path: Path, theme: str) -> None:
    """Contrast of at least 4.5 to 1 for text (WCAG AA), 7 to 1 in the theme that is for it."""
    least = 7.0 if theme == "high-contrast" else 4.5
    async with program(tmp_path, appearance=Appearance(theme=theme)) as run:
        await to_result(run)
        for strip in run.app.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                if style is None or not any(char.isalnum() for char in segment.text):
                    continue
                assert style.color is not None
                assert style.bgcolor is not None
                front, back = TextualColor.from_rich_color(style.color), TextualColor.from_rich_color(style.bgcolor)
                assert contrast(front, back) >= least, segment


def contrast(one: TextualColor, other: TextualColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: TextualColor) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(part) for part in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


async def test_reduced_motion_turns_animations_off(tmp_path: Path) -> None:
    async with program(tmp_path, appearance=Appearance(reduced_motion=True)) as run:
        assert run.app.animation_level == "none"


async def test_keys_from_the_settings_work_and_are_shown_everywhere(tmp_path: Path) -> None:
    async with program(tmp_path, keys={"save_pdf": "f5", "later_time": "x", "refresh": "f9"}) as run:
        await to_result(run)
        assert "f5 pdf" in run.words
        await run.press("x", "x", "f5", "enter")
        await run.settle()
        assert "▲3" in run.text()
        assert "Saved as" in run.notices
        await run.press("question_mark")
        assert "f5" in run.words
        await run.press("escape", "ctrl+p")
        await run.type("pdf")
        await run.pilot.pause(0.3)
        assert "(f5)" in run.words


async def test_every_symbol_of_every_screen_has_an_ascii_replacement(tmp_path: Path) -> None:
    async with program(tmp_path, appearance=Appearance(ascii=True)) as run:
        await to_result(run)
        await run.press("right")
        seen = run.text()
        for _ in range(3):
            await run.press("pagedown")
            seen += run.text()
        await run.press("enter")
        await run.settle()
        seen += run.text()
        await run.press("escape", "escape", "s")
        await run.settle()
        seen += run.text()
        marks = {char for char in seen if not char.isascii() and not char.isalnum()}
        assert marks <= set("₂₄⁻³⁺²∫₀¹भौतिक विज्ञानध्य: ा ि")
