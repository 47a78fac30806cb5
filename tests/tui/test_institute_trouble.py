"""What goes wrong on the screens beyond exams: sign-ins that end, servers that go away, lists that break off."""

from pathlib import Path

import pytest
from textual.widgets import Input

from lms_tui.client.batches import HttpBatches
from lms_tui.client.users import HttpUsers
from lms_tui.wire.errors import ApiError, Offline, TimedOut
from tests.fakes.served import Served, served
from tests.service.service_world import PASSWORD, World


async def to_batches(run: Served) -> None:
    await run.press("m")
    await run.see("For administrators")
    await run.press("end", "up", "enter")


async def to_form(run: Served) -> None:
    await run.press("m", "enter")
    await run.see("No photo.")
    await run.press("e")
    await run.see("First name")
    run.app.screen.query_one("#city", Input).value = "Thrissur"
    await run.settle()


async def test_an_expired_sign_in_is_renewed_over_a_form_and_the_input_is_saved(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_form(run)
        world.clock.move(days=31)
        await run.press("ctrl+s")
        await run.see("Sign in again")
        await run.type(PASSWORD)
        await run.press("enter")
        await run.see("Thrissur, Kerala")


async def test_an_expired_sign_in_is_renewed_over_a_list(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_batches(run)
        await run.see("Foundation Morning")
        world.clock.move(days=31)
        await run.press("r")
        await run.see("Sign in again")
        await run.type(PASSWORD)
        await run.press("enter")
        await run.gone("Sign in again")
        await run.see("Foundation Morning")


async def test_a_lost_reply_keeps_the_form_and_says_that_the_result_is_unknown(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object) -> None:
        raise TimedOut("The server did not reply within 20 s.")

    async with served(world, "asha", tmp_path) as run:
        await to_form(run)
        with monkeypatch.context() as patched:
            patched.setattr(HttpUsers, "update_profile", silent)
            await run.press("ctrl+s")
            await run.see("It may have been saved. Press ctrl+s to send it again.")
            assert "Thrissur" in run.text()
        await run.press("ctrl+s")
        await run.see("Thrissur, Kerala")


async def test_a_list_that_fails_keeps_its_rows_and_can_be_continued(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[ApiError] = []
    page = HttpBatches.page

    async def failing(self: HttpBatches, number: int = 1, *, search: str = "") -> object:
        if errors:
            raise errors.pop()
        return await page(self, number, search=search)

    monkeypatch.setattr(HttpBatches, "page", failing)
    async with served(world, "admin", tmp_path, size=(80, 24)) as run:
        await to_batches(run)
        await run.see("Foundation Morning")
        errors.append(Offline("The server cannot be reached."))
        await run.press("r")
        told = await run.see("The server cannot be reached.", "Press r to try again.")
        assert "Foundation Morning" in told
        await run.press("r")
        await run.gone("The server cannot be reached.")
        assert "Foundation Morning" in run.text()
