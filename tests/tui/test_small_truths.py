"""Small things that screens say and show: the help, ASCII mode, fields and check boxes."""

from pathlib import Path

import pytest
from textual.color import Color
from textual.widgets import Checkbox, Input, Label

from lms_tui.common.settings import Appearance
from lms_tui.tui.commands import Where, help_of
from lms_tui.tui.screens.runner.announcer import Announcer
from lms_tui.tui.widgets.form import Tick
from lms_tui.views.help import help_rows
from lms_tui.views.rows import plain
from tests.fakes.program import Program, program
from tests.tui.test_appearance import contrast


@pytest.mark.parametrize("room", [24, 30, 36, 44, 45, 60, 76, 120])
@pytest.mark.parametrize("where", list(Where))
def test_a_blank_stands_between_each_key_and_its_description(where: Where, room: int) -> None:
    groups = [(group.value, entries) for group, entries in help_of(where)]
    told = " ".join(" ".join(plain(line) for line in help_rows(groups, room)).split())
    for _, entries in groups:
        for keys, text in entries:
            assert f"{keys} {text.split()[0]}" in told


def test_the_help_does_not_give_a_command_the_key_of_the_list_of_commands() -> None:
    rows = {text: keys for _, entries in help_of(Where.ATTEMPTS) for keys, text in entries}
    assert "Sign out" not in rows
    assert rows["Sign out (by its name in the list of commands)"] == "ctrl+p"


def symbols(run: Program) -> set[str]:
    return {char for char in run.text() if not char.isascii() and not char.isalnum()}


async def test_no_part_of_the_library_draws_symbols_in_ascii_mode(tmp_path: Path) -> None:
    async with program(tmp_path, appearance=Appearance(ascii=True), size=(80, 24), signed_in=False) as run:
        await run.press("end", "enter")
        assert not symbols(run)
        await run.press("ctrl+p")
        await run.until(lambda: "Use a token instead" in run.text())
        assert not symbols(run)
        await run.press("escape", "tab", "tab", "tab", "space")
        assert run.app.screen.query_one("#keep", Checkbox).value
        assert not symbols(run)


async def test_only_the_label_of_the_field_with_the_focus_is_lit(tmp_path: Path) -> None:
    async with program(tmp_path, signed_in=False) as run:
        await run.press("end", "enter")
        for _ in range(4):
            lit = {
                str(label.render())
                for label in run.app.screen.query(".label").results(Label)
                if label.styles.color == Color.parse("#6cb6ff")
            }
            focused = run.app.focused
            named = {"server": {"Server"}, "username": {"User name"}, "password": {"Password"}}
            assert lit == (named.get(focused.id or "", set()) if isinstance(focused, Input) else set())
            await run.press("tab")


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
async def test_an_empty_check_box_can_be_seen(tmp_path: Path, theme: str) -> None:
    async with program(tmp_path, appearance=Appearance(theme=theme), signed_in=False) as run:
        await run.press("end", "enter")
        box = run.app.screen.query_one(Tick)
        row = run.app.screen._compositor.render_strips()[box.region.y]
        brackets = [segment for segment in row if set(segment.text) & {"[", "]"}]
        assert brackets
        for segment in brackets:
            assert segment.style is not None
            assert segment.style.color is not None
            assert segment.style.bgcolor is not None
            colours = Color.from_rich_color(segment.style.color), Color.from_rich_color(segment.style.bgcolor)
            assert contrast(*colours) >= 4.5


def test_a_message_is_drawn_when_it_begins_and_ends_and_an_important_one_leaves_the_keys() -> None:
    drawn: list[str | None] = []
    kept: list[str | None] = []
    announcer = Announcer(
        lambda notice: drawn.append(notice.text if notice else None),
        lambda notice: kept.append(notice.text if notice else None),
        1,
    )
    announcer.tick()
    announcer.say("5 minutes more", stays=True)
    announcer.say("Undone")
    for _ in range(29):
        announcer.tick()
    assert (drawn, kept) == (["Undone", None], ["5 minutes more"])
    announcer.tick()
    assert kept == ["5 minutes more", None]
