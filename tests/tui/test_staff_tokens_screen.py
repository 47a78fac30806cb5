"""Playback tokens: made, given on, and seen to expire."""

from pathlib import Path

import pytest
import segno

from lms_tui.tui.app import LmsApp
from lms_tui.tui.screens.staff_tokens import opening
from lms_tui.views.staff_tokens import code_rows
from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_tokens(run: Served) -> None:
    await run.press("m", "down", "down", "down", "enter", "n")
    await run.see("course ID")
    await run.type("1")
    await run.press("enter")
    await run.see("Reading a velocity")
    await run.press("t")
    await run.see("Press n to create one")


async def make(run: Served, life: str = "10 min") -> None:
    await run.press("n")
    await run.see("Valid for")
    run.app.screen.query_one("#time-to-live").value = life  # type: ignore[attr-defined]  # an Input
    await run.settle()
    await run.press("ctrl+s")


async def test_a_token_is_created_with_its_lifetime_and_shown_without_its_secret(world: World, tmp_path: Path) -> None:
    async with served(world, "staff", tmp_path) as run:
        await to_tokens(run)
        await make(run)
        told = await run.see("✓ active", "10 min left", "once", "http://lms.test/••••")
        world.clock.move(minutes=4)
        await run.press("r")
        await run.see("6 min left")
        world.clock.move(minutes=7)
        await run.press("r")
        await run.see("✗ expired", "This token no longer works. Press n to create another.")
        await run.press("o", "c", "y")
        assert run.notices.count("Select an active token") == 3
        assert told


@pytest.mark.parametrize(
    ("life", "words"), [("soon", "Write a duration such as"), ("31 days", "Choose 1 second to 30 days.")]
)
async def test_an_invalid_lifetime_is_reported_at_its_field(
    world: World, tmp_path: Path, life: str, words: str
) -> None:
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await to_tokens(run)
        await make(run, life)
        await run.see(words)
        assert run.screen == "FormScreen"


async def test_the_link_is_opened_copied_and_shown_as_a_code(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    copied: list[str] = []
    monkeypatch.setattr(LmsApp, "open_url", lambda _, url, *, new_tab=True: opened.append(url))
    monkeypatch.setattr(LmsApp, "copy_to_clipboard", lambda _, text: copied.append(text))
    monkeypatch.setattr(opening, "has_browser", lambda: True)
    async with served(world, "staff", tmp_path) as run:
        await to_tokens(run)
        await make(run, "")
        await run.see("✓ active", "no limit")
        await run.press("o", "y")
        assert opened == copied
        assert opened[0].startswith("http://lms.test/embed/")
        await run.press("c")
        assert "Scan this code to open the link" in run.text()
        assert opened[0] not in run.text()
        drawn = sum("▀" in row for row in run.rows())
        assert drawn > 15
        await run.press("escape")
        assert run.screen == "TokensScreen"


LINK = "https://lms.example.org/embed/6f1d1c9e-8f3b-4c9a-9f55-0d3a6f1f0a11/?access_token=abcDEF0123456789abcDEF0123456789abcd"


def test_the_qr_code_contains_the_link() -> None:
    rows = code_rows(LINK, 100, 60)
    modules: list[list[int]] = []
    for row in rows:
        cells = [span.colours for span in row if span.colours is not None]
        modules.append([int(upper == 0) for upper, _ in cells])
        modules.append([int(lower == 0) for _, lower in cells])
    wanted = [list(line) for line in segno.make_qr(LINK, error="l", boost_error=False).matrix_iter(border=2)]
    assert modules[: len(wanted)] == [[int(bool(m)) for m in line] for line in wanted]


def test_a_qr_code_without_room_says_how_much_it_needs() -> None:
    assert code_rows(LINK, 80, 22)
    (first, *_) = code_rows(LINK, 40, 10)
    assert "The QR code needs" in first[0].text
