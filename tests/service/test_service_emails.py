"""An e-mail address belongs to one account, and finds the one to which an administrator gave it."""

import pytest
from alembic import command
from sqlalchemy import event, text
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import EmailAddress
from lms_tui.service.core.database.upgrade import configuration
from tests.service.service_world import Caller, World

SEARCH = "/api/v2.2/admin/users/?email="
USERS = "/api/v2.5/admin/users/"


@pytest.fixture
def admin(world: World) -> Caller:
    world.add_user("head", role="admin")
    return world.caller("head")


async def own(caller: Caller) -> str:
    return f"/api/v2.2/users/{(await caller.get('/api/v2.2/me/'))['id']}"


async def account(caller: Caller) -> str:
    return f"{USERS}{(await caller.get('/api/v2.2/me/'))['id']}"


@pytest.mark.parametrize("taken", ["asha@lms.test", "ASHA@LMS.test", " asha@lms.test "])
async def test_nobody_takes_the_address_of_another(admin: Caller, ravi: Caller, taken: str) -> None:
    assert set(await ravi.put(await own(ravi), {"email": taken}, 400)) == {"email"}
    assert (await ravi.get("/api/v2.2/me/"))["email"] == ""
    refused = await admin.put(await account(ravi), {"email": taken}, 400)
    assert refused == {"email": ["This e-mail address is already used by asha."]}
    for path in (USERS, "/api/v2.5/admin/mentors/"):
        body = {"username": "new", "password": "a long secret", "email": taken}
        assert set(await admin.post(path, body, 400)) == {"email"}


async def test_an_address_that_a_user_chose_finds_nobody(admin: Caller, asha: Caller, ravi: Caller) -> None:
    await ravi.put(await own(ravi), {"email": "teacher@lms.test"})
    await admin.get(f"{SEARCH}teacher@lms.test", 404)
    await admin.put(await account(ravi), {"email": "teacher@lms.test", "city": "Salem"})
    await admin.get(f"{SEARCH}teacher@lms.test", 404)
    assert set(await asha.put(await own(asha), {"email": "Teacher@lms.test"}, 400)) == {"email"}


async def test_a_given_address_finds_its_account_whatever_the_user_chooses(
    admin: Caller, asha: Caller, ravi: Caller
) -> None:
    await asha.put(await own(asha), {"email": "elsewhere@lms.test"})
    assert (await asha.get("/api/v2.2/me/"))["email"] == "elsewhere@lms.test"
    assert (await admin.get(f"{SEARCH}ASHA@lms.test"))["username"] == "asha"
    for address in ("asha@lms.test", "elsewhere@lms.test"):
        assert set(await ravi.put(await own(ravi), {"email": address}, 400)) == {"email"}
    await asha.put(await own(asha), {"email": "asha@lms.test"})
    await ravi.put(await own(ravi), {"email": "elsewhere@lms.test"})
    await asha.put(await own(asha), {"email": ""})
    assert (await admin.get(f"{SEARCH}asha@lms.test"))["username"] == "asha"


async def test_an_administrator_gives_and_takes_addresses(admin: Caller, asha: Caller, ravi: Caller) -> None:
    await admin.put(await account(asha), {"email": "new@lms.test"})
    await admin.get(f"{SEARCH}asha@lms.test", 404)
    assert (await admin.get(f"{SEARCH}new@lms.test"))["username"] == "asha"
    await admin.put(await account(ravi), {"email": "asha@lms.test"})
    assert (await admin.get(f"{SEARCH}asha@lms.test"))["username"] == "ravi"
    await admin.put(await account(asha), {"email": None})
    await admin.get(f"{SEARCH}new@lms.test", 404)


async def test_an_account_in_its_own_address_written_otherwise_stays_found(admin: Caller, asha: Caller) -> None:
    await asha.put(await own(asha), {"email": "Asha@LMS.test"})
    assert (await asha.get("/api/v2.2/me/"))["email"] == "Asha@LMS.test"
    assert (await admin.get(f"{SEARCH}asha@lms.test"))["email"] == "Asha@LMS.test"


@pytest.mark.parametrize("who", ["the user", "an administrator"])
async def test_an_address_that_another_account_gets_at_the_same_moment_is_refused(
    world: World, admin: Caller, asha: Caller, ravi: Caller, who: str
) -> None:
    if world.database.is_sqlite:
        pytest.skip("SQLite has one writer at a time")
    other = (await ravi.get("/api/v2.2/me/"))["id"]

    is_taken = False

    def take(*_: object) -> None:
        """Commit the address for another account, after this request has looked for it."""
        nonlocal is_taken
        if not is_taken:
            is_taken = True
            with world.database.write() as session:
                session.add(EmailAddress(address="new@lms.test", user_id=other, given=False))

    path, caller = (await own(asha), asha) if who == "the user" else (await account(asha), admin)
    event.listen(Session, "before_flush", take)
    try:
        assert set(await caller.put(path, {"email": "new@lms.test"}, 400)) == {"email"}
    finally:
        event.remove(Session, "before_flush", take)
    assert (await asha.get("/api/v2.2/me/"))["email"] == "asha@lms.test"


async def test_addresses_of_several_accounts_survive_the_upgrade_and_find_none(
    world: World, admin: Caller, asha: Caller, ravi: Caller
) -> None:
    with world.database._writer.begin() as connection:
        command.downgrade(configuration(connection), "0004")
        connection.execute(text("UPDATE users SET email = 'Same@lms.test' WHERE username = 'asha'"))
        connection.execute(text("UPDATE users SET email = 'same@lms.test' WHERE username = 'ravi'"))
        connection.execute(text("UPDATE users SET email = 'Head@lms.test' WHERE username = 'head'"))
    world.database.prepare()
    assert (await admin.get(f"{SEARCH}head@lms.test"))["username"] == "head"
    await admin.get(f"{SEARCH}same@lms.test", 404)
    echo = await ravi.put(await own(ravi), {"email": "same@lms.test", "city": "Salem"})
    assert (echo["email"], echo["city"]) == ("same@lms.test", "Salem")
    await admin.put(await account(ravi), {"email": "same@lms.test"})
    assert (await admin.get(f"{SEARCH}same@lms.test"))["username"] == "ravi"
    await asha.put(await own(asha), {"city": "Kochi", "email": "Same@lms.test"})
