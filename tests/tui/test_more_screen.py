"""What lies beyond the exams, for everyone and for those who administer."""

from pathlib import Path

import pytest

from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_more(run: Served) -> None:
    await run.press("m")
    await run.see("Your profile")


@pytest.mark.parametrize("username", ["asha", "mentor", "staff"])
async def test_who_does_not_administer_never_sees_what_administrators_do(
    world: World, tmp_path: Path, username: str
) -> None:
    async with served(world, username, tmp_path) as run:
        await to_more(run)
        await run.settle()
        assert "Courses" in run.text()
        assert "For administrators" not in run.text()
        await run.press("?")
        assert "ccount" not in run.text()


async def test_administrators_are_offered_what_they_keep(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_more(run)
        told = await run.see("For administrators")
        for place in ("Posts", "Accounts", "Mentors", "Batches"):
            assert place in told


async def test_what_is_asked_for_by_number_must_be_one(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_more(run)
        await run.press("down", "enter")
        await run.see("user ID")
        await run.type("-5")
        await run.press("enter")
        assert "Type a number, such as 12." in run.words
        await run.press("escape", "escape")
        assert run.screen == "AttemptsScreen"


async def test_rights_taken_away_meanwhile_are_explained(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_more(run)
        await run.see("For administrators")
        with world.database.write() as session:
            session.connection().exec_driver_sql("UPDATE users SET role = 'student' WHERE username = 'admin'")
        await run.press("end", "enter")
        told = await run.see("Only an administrator may do this.")
        assert "This list is for administrators of the institute." in told
        await run.press("escape")
        assert run.screen == "MoreScreen"
