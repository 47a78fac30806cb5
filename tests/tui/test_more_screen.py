"""What lies beyond the exams, for everyone and for those who administer."""

from pathlib import Path

import pytest

from tests.fakes.served import Served, served
from tests.service.service_world import World


async def to_more(run: Served) -> None:
    await run.press("m")
    await run.see("Your details")


async def test_words_that_do_not_fit_are_cut_with_a_sign(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path, size=(40, 12)) as run:
        await to_more(run)
        await run.see("Your details your name, addres…")


@pytest.mark.parametrize("username", ["asha", "mentor", "staff"])
async def test_students_see_no_administrator_entries(world: World, tmp_path: Path, username: str) -> None:
    async with served(world, username, tmp_path) as run:
        await to_more(run)
        await run.settle()
        assert "Courses" in run.text()
        assert "For administrators" not in run.text()
        await run.press("?")
        assert "Users" not in run.text()


async def test_administrators_see_their_entries(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_more(run)
        told = await run.see("For administrators")
        for place in ("Posts", "Users", "Mentors", "Batches"):
            assert place in told


async def test_a_user_id_must_be_a_number(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_more(run)
        await run.press("down", "enter")
        await run.see("user ID")
        await run.type("-5")
        await run.press("enter")
        assert "Type a number, such as 12." in run.words
        await run.press("escape", "escape")
        assert run.screen == "AttemptsScreen"


async def test_lost_permissions_are_explained(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_more(run)
        await run.see("For administrators")
        with world.database.write() as session:
            session.connection().exec_driver_sql("UPDATE users SET role = 'student' WHERE username = 'admin'")
        await run.press("end", "up", "enter")
        told = await run.see("Only an administrator may do this.")
        assert "This list is for administrators of the institute." in told
        await run.press("escape")
        assert run.screen == "MoreScreen"
