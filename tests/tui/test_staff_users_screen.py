"""Accounts as administrators keep them."""

from pathlib import Path

from tests.fakes.served import Served, served, signed_in
from tests.service.service_world import World


async def to_users(run: Served) -> None:
    await run.press("m")
    await run.see("For administrators")
    await run.press(*["down"] * 6, "enter")
    await run.see("Press / to find a user")


async def find(run: Served, text: str) -> None:
    await run.press("/")
    await run.type(text)
    await run.press("enter")


async def fill(run: Served, **texts: str) -> None:
    await run.see("User name", "Password")
    for name, text in texts.items():
        run.app.screen.query_one(f"#{name.replace('_', '-')}").value = text  # type: ignore[attr-defined]  # an Input
    await run.settle()


async def test_a_user_is_found_by_e_mail_or_user_id(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await find(run, "nobody@institute.example")
        await run.see("No user has this e-mail address or user ID.")
        await find(run, "asha@institute.example")
        await run.see("Asha Nair")
        async with signed_in(world, "ravi") as session:
            number = session.user.id
        await find(run, str(number))
        await run.see("Ravi Kumar", "Asha Nair", "Patna")


async def test_keys_never_reach_a_hidden_search_field(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path, size=(80, 24)) as run:
        await to_users(run)
        await find(run, "asha@institute.example")
        await run.see("Asha Nair")
        await run.press("enter")
        await run.see("asha@institute.example")
        await run.press("n")
        await run.see("User name")
        await run.press("escape")
        await run.gone("User name")
        await run.press("d")
        await run.see("type the user name")


async def test_a_user_is_created_with_batches(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await run.press("n", "ctrl+s")
        await run.see("! User name is required.", "! Password is required.")
        await fill(run, username="two words", password="new-password")
        await run.press("ctrl+s")
        await run.see("Use letters, digits and . @ + - _ only.")
        await fill(run, username="asha", birth_date="31/02/2009")
        await run.press("ctrl+s")
        await run.see("Write the date as DD/MM/YYYY.")
        await fill(run, birth_date="09/05/2009", state="Kerala", batches="Foundation Evening")
        await run.press("ctrl+s")
        await run.see("This user name is already taken.")
        await fill(run, username="asha2", first_name="Asha", last_name="Second")
        await run.press("ctrl+s")
        await run.see("Asha Second", "09/05/2009")
    async with signed_in(world, "admin") as session:
        await session.lms.close()
    caller = world.caller("asha2")
    me = await caller.get("/api/v2.2/me/")
    assert (me["batches"], me["state"]) == (["Foundation Evening"], "Kerala")


async def test_a_user_found_by_e_mail_can_be_changed(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await find(run, "asha@institute.example")
        await run.see("Asha Nair")
        await run.press("e")
        await fill(run, phone="+91 1234")
        await run.press("ctrl+s")
        await run.see("+91 1234", "Asha Nair")


async def test_a_user_is_deleted_after_the_name_is_typed(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await find(run, "ravi@institute.example")
        await run.see("Ravi Kumar")
        await run.press("d")
        await run.see("deletes the user with all attempts and answers")
        await run.type("asha")
        await run.press("enter")
        assert "Type ravi, or press esc to keep the user." in run.words
        run.app.screen.query_one("Input").value = "ravi"  # type: ignore[attr-defined]  # an Input
        await run.press("enter")
        await run.gone("Ravi Kumar")
        await find(run, "ravi@institute.example")
        await run.see("No user has this")


async def test_deleting_oneself_is_refused_with_a_reason(world: World, tmp_path: Path) -> None:
    async with signed_in(world, "admin") as session:
        number = session.user.id
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await find(run, str(number))
        await run.see("Sunita Menon")
        await run.press("d")
        await run.see("type the user name")
        await run.type("admin")
        await run.press("enter")
        await run.see("You cannot delete your own account.")


async def test_the_user_id_of_an_unknown_user_is_asked_for_and_must_match(world: World, tmp_path: Path) -> None:
    async with served(world, "admin", tmp_path) as run:
        await to_users(run)
        await find(run, "suresh@institute.example")
        await run.see("Suresh Mahato")
        await run.press("e")
        await run.see("User ID of suresh")
        await run.type("1")
        await run.press("enter")
        await run.see("User ID 1 belongs to admin, not suresh.")
