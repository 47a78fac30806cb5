"""A user name is one name in any case."""

import pytest
from alembic import command
from sqlalchemy import text

from lms_tui.service.admin.administration import AdminError, Administration
from lms_tui.service.core.database.upgrade import configuration
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.principal import Role
from tests.service.service_world import PASSWORD, Caller, World

USERS = "/api/v2.5/admin/users/"
NEW = {"password": "a long secret"}


@pytest.fixture
def admin(world: World) -> Caller:
    world.add_user("head", role="admin")
    return world.caller("head")


async def number(caller: Caller) -> int:
    return int((await caller.get("/api/v2.2/me/"))["id"])


async def signed_in(world: World, username: str) -> str:
    """Sign in and return the user name of the account."""
    body = {"username": username, "password": PASSWORD}
    token = (await world.stranger.post("/api/v2.5/auth-token/", body, 200))["token"]
    return str((await Caller(world.http, {"Authorization": f"JWT {token}"}).get("/api/v2.2/me/"))["username"])


@pytest.mark.parametrize("taken", ["asha", "ASHA", "Asha"])
async def test_a_name_is_taken_in_every_case(world: World, admin: Caller, ravi: Caller, taken: str) -> None:
    for path in (USERS, "/api/v2.5/admin/mentors/"):
        assert set(await admin.post(path, {"username": taken, **NEW}, 400)) == {"username"}
    assert set(await admin.put(f"{USERS}{await number(ravi)}", {"username": taken}, 400)) == {"username"}
    shell = Administration(world.database, Passwords(), world.clock.now)
    with pytest.raises(AdminError, match="already taken"):
        shell.add_user(Role.STUDENT, {"username": taken, **NEW})


async def test_a_user_signs_in_with_the_name_in_any_case(world: World, asha: Caller) -> None:
    for spelling in ("asha", "ASHA", "aSHa"):
        assert await signed_in(world, spelling) == "asha"


async def test_the_own_name_may_be_written_otherwise(world: World, admin: Caller, asha: Caller) -> None:
    changed = await admin.put(f"{USERS}{await number(asha)}", {"username": "Asha"})
    assert changed["username"] == "Asha"
    assert await signed_in(world, "asha") == "Asha"
    shell = Administration(world.database, Passwords(), world.clock.now)
    assert shell.change_user("ASHA", is_active=True)["username"] == "Asha"


async def test_letters_without_a_single_other_case_are_one_name(admin: Caller) -> None:
    await admin.post(USERS, {"username": "straße", **NEW})
    assert set(await admin.post(USERS, {"username": "STRASSE", **NEW}, 400)) == {"username"}
    await admin.post(USERS, {"username": "\u0390" * 150, **NEW})


async def test_names_that_differ_only_in_case_survive_the_upgrade(world: World, admin: Caller, ravi: Caller) -> None:
    with world.database._writer.begin() as connection:
        command.downgrade(configuration(connection), "0005")
        connection.execute(text("UPDATE users SET username = 'ASHA' WHERE username = 'ravi'"))
    world.database.prepare()
    found = {spelling: await signed_in(world, spelling) for spelling in ("asha", "ASHA", "Asha")}
    assert found == {"asha": "asha", "ASHA": "ASHA", "Asha": "asha"}
    assert set(await admin.put(f"{USERS}{await number(ravi)}", {"username": "Asha"}, 400)) == {"username"}
    await admin.put(f"{USERS}{await number(ravi)}", {"username": "ravi"})
    assert await signed_in(world, "RAVI") == "ravi"
    assert await signed_in(world, "ASHA") == "asha"
