"""Settings are changed in place, written to the file, and used."""

from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.common.settings import Paths, load
from lms_tui.tui.commands.conflicts import conflicts
from lms_tui.tui.screens.settings.screen import SettingsScreen
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.views.settings import all_settings
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.mouse import press
from tests.fakes.program import Program, program


async def at(run: Program, key: str) -> None:
    """Open the settings with the cursor at an entry."""
    await run.app.run_action("settings")
    await run.settle()
    run.app.screen.query_one(RowList).go_to(key)
    await run.settle()


def written(folder: Path) -> str:
    return (folder / "config" / "settings.toml").read_text()


@pytest.mark.parametrize("size", SIZES)
async def test_every_setting_stands_with_its_value_meaning_and_default(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        for setting in all_settings(run.app.settings)[:3]:
            await at(run, setting.name)
            assert setting.name.replace("_", " ") in run.words
            assert setting.words.split()[0] in run.words
            assert "Default" in run.words
            await run.press("escape")


async def test_the_smallest_window_names_the_key_that_changes_a_setting(tmp_path: Path) -> None:
    async with program(tmp_path, size=(40, 12)) as run:
        await at(run, "theme")
        assert run.rows()[-1].split("  ")[:4] == [" enter edit", "esc back", "f7 more", "? help"]


async def test_a_change_is_written_and_used(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await at(run, "reduced_motion")
        await run.press("space")
        assert written(tmp_path) == "[appearance]\nreduced_motion = true\n"
        assert run.app.animation_level == "none"
        await run.press("d")
        assert not load(run.app.settings.paths, {}).appearance.reduced_motion
        await at(run, "timeout")
        await run.press("enter")
        await run.press("backspace", "backspace", "0", "enter")
        assert "1 to 300" in run.words
        await run.press("backspace", "5", "enter")
        assert load(run.app.settings.paths, {}).network.timeout == 5


async def test_a_theme_is_searched_seen_and_kept_or_given_back(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await run.app.run_action("choose_theme")
        await run.until(lambda: run.app.screen.is_modal)
        await run.press("n", "o", "r", "d")
        assert run.app.theme == "nord"
        assert run.app.screen.styles.background.a == 0  # what is below shows the colours as they are
        await run.press("escape")
        assert run.app.theme == "dark"
        await run.app.run_action("choose_theme")
        await run.until(lambda: run.app.screen.is_modal)
        await run.press("down", "enter")
        await run.until(lambda: run.app.settings.appearance.theme == "light")
        assert 'theme = "light"' in written(tmp_path)


async def test_the_theme_that_is_clicked_is_kept_and_a_click_beside_the_list_keeps_the_one_before(
    tmp_path: Path,
) -> None:
    async with program(tmp_path) as run:
        await run.app.run_action("choose_theme")
        await run.settle()
        await press(run, (2, 5))
        assert run.screen == "AttemptsScreen"
        await run.app.run_action("choose_theme")
        await run.settle()
        await press(run, next((row.index("light") + 1, y) for y, row in enumerate(run.rows()) if "│light" in row))
        await run.until(lambda: run.app.settings.appearance.theme == "light")
        assert 'theme = "light"' in written(tmp_path)


@pytest.mark.parametrize("word", ["theme", "colour", "settings"])
async def test_the_list_of_commands_finds_the_theme_and_the_settings(tmp_path: Path, word: str) -> None:
    async with program(tmp_path) as run:
        await run.press("ctrl+p")
        await run.type(word)
        await run.until(lambda: ("Settings" if word == "settings" else "Theme and colours") in run.words)


async def test_a_key_is_given_to_a_command_and_a_taken_one_is_named(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await at(run, "keys:statistics")
        await run.press("enter")
        await run.press("backspace", "m", "enter")
        assert "m is “statistics” and “more” (home)" in run.words
        await run.press("backspace", "f", "9", "enter")
        assert written(tmp_path) == '[keys]\nstatistics = "f9"\n'
        await run.press("escape", "f9")
        assert run.screen == "StatsScreen"


async def test_a_taken_key_is_told_with_the_names_of_the_list(tmp_path: Path) -> None:
    async with program(tmp_path) as run:
        await at(run, "keys:next_question")
        await run.press("enter", "m", "enter")
        assert "m is “next” and “mark” (exam)" in run.words


async def test_a_value_from_outside_cannot_be_changed_here(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "config", tmp_path)
    settings = load(paths, {"LMS_TUI_ASCII": "no"}, {"theme": "light"})
    assert settings.fixed == {"ascii": "LMS_TUI_ASCII", "theme": "--theme"}
    async with program(tmp_path) as run:
        run.app.settings = settings
        await at(run, "ascii")
        assert "LMS_TUI_ASCII sets this value" in run.words
        await run.press("enter", "d")
        assert not paths.settings.exists()


async def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.toml").write_text("runner.pace_line = false\n")
    async with program(tmp_path) as run:
        await at(run, "pace_line")
        await run.press("enter")
        assert "only an editor can change" in run.notices
        assert isinstance(run.app.screen, SettingsScreen)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 40), (200, 60)])
async def test_a_setting_is_found_as_one_types_and_changed(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        await run.app.run_action("settings")
        await run.settle()
        await run.press("slash", *"pace")
        await run.settle()
        assert "pace line" in run.words
        assert "theme" not in run.words
        await run.press("down", "enter")
        await run.settle()
        assert written(tmp_path) == "[runner]\npace_line = true\n"
        await run.press("slash", *"xyz", "enter")
        await run.settle()
        assert "No setting contains" in run.words
        await run.press("escape")
        await run.settle()
        assert "theme" in run.words
        await run.press("escape")
        assert not isinstance(run.app.screen, SettingsScreen)


def test_conflicts_are_those_of_the_settings() -> None:
    assert conflicts({}) == ()
    assert [found.words for found in conflicts({"mark": "question_mark"})] == ["? is “mark” and “help” (exam)"]
    assert [found.second for found in conflicts({"choose.1": "n"})] == ["next_question", "check"]
    assert conflicts({"mark": "]"})


@pytest.mark.parametrize("size", SIZES)
async def test_the_settings_and_the_themes_look_as_in_their_snapshots(tmp_path: Path, size: tuple[int, int]) -> None:
    async with program(tmp_path, size=size) as run:
        elsewhere = Paths(Path("/data"), Path("/settings"), Path("/downloads"))
        run.app.settings = replace(run.app.settings, paths=elsewhere)
        await at(run, "theme")
        assert await looks_as_kept(run, "settings")
        await run.press("enter")
        await run.until(lambda: run.app.screen.is_modal)
        assert await looks_as_kept(run, "themes")
