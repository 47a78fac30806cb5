"""Accounts as administrators keep them, on raw JSON."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import inspect, text

from lms_tui.service.core.database import playbacks, tables
from lms_tui.service.core.database.every_table import METADATA
from lms_tui.wire.states import STATES
from tests.service.service_world import PASSWORD, Caller, World
from tests.service.shapes import MOMENT, NULL, PICTURES, assert_page, assert_shape, person

USERS = "/api/v2.5/admin/users/"
CREATED = {
    "id": int,
    "url": str,
    "username": str,
    "first_name": str,
    "last_name": str,
    "display_name": str,
    "email": str,
    "photo": str,
    "birth_date": (str, NULL),
    "address1": str,
    "address2": str,
    "city": str,
    "zip": str,
    "state": str,
    "state_code": str,
    "phone": str,
    "batches_url": str,
}
READ = CREATED | PICTURES | {"gender": str, "gender_code": str, "created": str, "modified": str}
UPDATED = READ | {"password_hash": str, "xsmall_image": str}
FOUND = PICTURES | {
    "username": str,
    "first_name": str,
    "last_name": str,
    "display_name": str,
    "email": str,
    "birth_date": (str, NULL),
    "gender_code": str,
}
WHOLE = {
    "username": "lakshmi.p",
    "password": "a long secret",
    "first_name": "Lakshmi",
    "last_name": "Pillai",
    "email": "Lakshmi@lms.test",
    "birth_date": "09/05/2009",
    "gender_code": "female",
    "address1": "12 Beach Road",
    "address2": "Floor 2",
    "city": "Chennai",
    "zip": "600001",
    "state": "IN-TN",
    "phone": "+91 44 1234",
    "batches": ["Evening"],
}


@pytest.fixture
def admin(world: World) -> Caller:
    return person(world, "head", "admin")


async def sign_in(world: World, username: str, password: str) -> int:
    body = {"username": username, "password": password}
    response = await world.stranger.send("POST", "/api/v2.5/auth-token/", json=body)
    return response.status_code


async def test_a_user_is_created_with_every_given_field(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    assert_shape(made, CREATED)
    assert made["birth_date"] == "09/05/2009"
    assert (made["state"], made["state_code"]) == ("Tamil Nadu", "IN-TN")
    assert made["display_name"] == "Lakshmi Pillai"
    assert made["url"] == f"http://lms.test/api/v2.5/admin/users/{made['id']}"
    me = await world.caller("lakshmi.p").get("/api/v2.2/me/")
    assert (me["batches"], me["gender"], me["birth_date"]) == (["Evening"], "Female", "2009-05-09")
    assert await sign_in(world, "lakshmi.p", "a long secret") == 200
    batches = assert_page(
        await admin.get(made["batches_url"]), {"id": int, "name": str, "url": str, "created": str, "modified": str}
    )
    assert [batch["name"] for batch in batches] == ["Evening"]


async def test_username_and_password_are_enough(admin: Caller) -> None:
    made = await admin.post(USERS, {"username": "solo", "password": "a long secret"})
    assert_shape(made, CREATED)
    assert (made["birth_date"], made["state"], made["photo"], made["display_name"]) == (None, "", "", "solo")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": None}, "username"),
        ({"username": ""}, "username"),
        ({"username": "two words"}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"username": "asha"}, "username"),
        ({"username": 7}, "username"),
        ({"password": None}, "password"),
        ({"password": ""}, "password"),
        ({"password": "a long secret" * 4097}, "password"),
        ({"email": "nobody"}, "email"),
        ({"birth_date": "2009-05-09"}, "birth_date"),
        ({"birth_date": "31/02/2009"}, "birth_date"),
        ({"birth_date": 9}, "birth_date"),
        ({"gender_code": "Female"}, "gender_code"),
        ({"state": "IN-XX"}, "state"),
        ({"state_code": "TN"}, "state_code"),
        ({"phone": "1" * 31}, "phone"),
        ({"batches": ["Nobody knows"]}, "batches"),
        ({"batches": "Evening"}, "batches"),
        ({"first_name": ["x"]}, "first_name"),
    ],
)
async def test_invalid_input_names_its_field_and_creates_nothing(
    world: World, admin: Caller, changes: dict[str, Any], field: str
) -> None:
    body = {name: value for name, value in {**WHOLE, **changes}.items() if value is not None}
    answered = await admin.post(USERS, body, 400)
    assert set(answered) == {field}
    assert all(isinstance(sentence, str) for sentence in answered[field])
    with world.database.read() as session:
        assert session.query(tables.User).filter_by(first_name="Lakshmi").count() == 0


async def test_a_weak_new_password_is_refused_and_the_old_one_stays(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    for weak in ("ä" * 7, "qwertyuiop", ""):
        assert set(await admin.put(f"{USERS}{made['id']}", {"password": weak}, 400)) == {"password"}
    assert await sign_in(world, "lakshmi.p", "a long secret") == 200


async def test_a_long_password_is_not_repeated_in_the_answer(admin: Caller) -> None:
    response = await admin.send("POST", USERS, json={**WHOLE, "password": "canary" * 1000})
    assert response.status_code == 400
    assert "canary" not in response.text


@pytest.mark.parametrize(("code", "name"), STATES.items())
async def test_every_state_has_its_code(admin: Caller, code: str, name: str) -> None:
    made = await admin.post(USERS, {"username": "x", "password": "a long secret", "state": code})
    assert (made["state_code"], made["state"]) == (code, name)


@pytest.mark.parametrize(("code", "name"), [("IN-TG", "Telangana"), ("IN-OR", "Odisha"), ("IN-UT", "Uttarakhand")])
async def test_a_former_code_of_a_state_is_accepted(admin: Caller, code: str, name: str) -> None:
    made = await admin.post(USERS, {"username": "x", "password": "a long secret", "state_code": code})
    assert (made["state_code"], made["state"]) == (code, name)


async def test_a_user_is_read_without_the_password(admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    read = await admin.get(f"{USERS}{made['id']}")
    assert_shape(read, READ)
    assert (read["gender"], read["gender_code"]) == ("Female", "female")
    assert MOMENT.fullmatch(read["created"])
    assert {name: read[name] for name in made} == made
    assert await admin.get(f"{USERS}{made['id']}/") == read


async def test_an_update_keeps_omitted_fields(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    world.clock.move(hours=1)
    changed = await admin.put(f"{USERS}{made['id']}", {"city": "Madurai", "birth_date": None, "username": "lakshmi"})
    assert_shape(changed, UPDATED)
    assert (changed["city"], changed["birth_date"], changed["username"]) == ("Madurai", None, "lakshmi")
    assert (changed["phone"], changed["state_code"]) == (made["phone"], "IN-TN")
    assert changed["modified"] > changed["created"]


async def test_a_user_can_be_updated_with_the_fields_that_were_read(admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    read = await admin.get(f"{USERS}{made['id']}")
    changed = await admin.put(f"{USERS}{made['id']}", read)
    assert {name: changed[name] for name in read if name != "modified"} == {
        name: read[name] for name in read if name != "modified"
    }


async def test_unlisted_fields_are_never_written(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, {**WHOLE, "role": "admin", "is_staff": True, "id": 999, "is_superuser": True})
    assert made["id"] != 999
    forbidden = {
        "id": 1,
        "url": "http://evil.test/",
        "password_hash": "x",
        "gender": "Male",
        "created": "2001-01-01T00:00:00Z",
        "modified": "2001-01-01T00:00:00Z",
        "is_staff": True,
        "is_superuser": True,
        "is_active": False,
        "role": "admin",
        "batches": [],
        "batches_url": "x",
        "institute": 5,
        "display_name": "Boss",
        "large_image": "http://evil.test/",
        "photo": "../../secret",
        "tokens_valid_from": "2001-01-01T00:00:00Z",
    }
    changed = await admin.put(f"{USERS}{made['id']}", forbidden)
    read = await admin.get(f"{USERS}{made['id']}")
    for name in set(read) - {"modified"}:
        assert read[name] == changed[name]
    assert (read["id"], read["gender"], read["photo"], read["large_image"]) == (made["id"], "Female", "", "")
    assert read["display_name"] == "Lakshmi Pillai"
    with world.database.read() as session:
        user = session.get_one(tables.User, made["id"])
        assert (user.role, user.is_active, len(user.batches)) == ("student", True, 1)
    await world.caller("lakshmi.p").get(USERS + "1", 403)


async def test_a_taken_username_is_refused_on_update(admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    assert set(await admin.put(f"{USERS}{made['id']}", {"username": "asha"}, 400)) == {"username"}


async def test_a_new_password_ends_every_session(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    before = world.caller("lakshmi.p")
    await before.get("/api/v2.2/me/")
    world.clock.move(seconds=5)
    await admin.put(f"{USERS}{made['id']}", {"password": "another secret"})
    await before.get("/api/v2.2/me/", 401)
    assert await sign_in(world, "lakshmi.p", "a long secret") == 400
    world.clock.move(seconds=1)
    assert await sign_in(world, "lakshmi.p", "another secret") == 200


async def test_the_password_hash_reveals_nothing(world: World, admin: Caller) -> None:
    made = await admin.post(USERS, WHOLE)
    first = (await admin.put(f"{USERS}{made['id']}", {"city": "x"}))["password_hash"]
    assert first.startswith("!fp1$")
    assert len(first) == len("!fp1$") + 24
    assert (await admin.put(f"{USERS}{made['id']}", {"city": "y"}))["password_hash"] == first
    with world.database.read() as session:
        stored = session.get_one(tables.User, made["id"]).password_hash or ""
    assert first not in stored
    assert stored.rsplit("$", 1)[1] not in first
    second = (await admin.put(f"{USERS}{made['id']}", {"password": "another secret"}))["password_hash"]
    assert second != first
    other = await admin.post(USERS, {**WHOLE, "username": "twin", "email": ""})
    assert (await admin.put(f"{USERS}{other['id']}", {"city": "x"}))["password_hash"] not in {first, second}
    assert await sign_in(world, "lakshmi.p", second) == 400


@pytest.mark.parametrize("number", ["0", "99999", "x", "9" * 30])
async def test_a_missing_user_is_not_found(admin: Caller, number: str) -> None:
    assert await admin.get(f"{USERS}{number}", 404) == {"detail": "Not found"}
    assert (await admin.send("PUT", f"{USERS}{number}", json={})).status_code == 404
    assert (await admin.send("DELETE", f"/api/v2.2/admin/users/{number}")).status_code == 404


async def test_a_user_is_found_by_e_mail_in_any_case(admin: Caller) -> None:
    await admin.post(USERS, WHOLE)
    found = await admin.get("/api/v2.2/admin/users/?email=lakshmi@LMS.test")
    assert_shape(found, FOUND)
    assert (found["username"], found["birth_date"], found["gender_code"]) == ("lakshmi.p", "09/05/2009", "female")
    await admin.get("/api/v2.2/admin/users/?email=nobody@lms.test", 404)
    assert set(await admin.get("/api/v2.2/admin/users/", 400)) == {"email"}
    assert set(await admin.get("/api/v2.2/admin/users/?email=", 400)) == {"email"}


async def test_users_without_e_mail_are_not_found_by_an_empty_one(admin: Caller) -> None:
    await admin.get("/api/v2.2/admin/users/?email=%20", 404)


async def test_deleting_a_user_leaves_no_row_about_them(
    world: World, admin: Caller, asha: Caller, attempt: int
) -> None:
    await asha.get(f"/api/v2.2/attempts/{attempt}")
    number = (await asha.get("/api/v2.2/me/"))["id"]
    mentor = (await admin.post("/api/v2.5/admin/mentors/", {"username": "farida", "password": "a long secret"}))["id"]
    await admin.post(f"/api/v2.3/admin/mentors/{mentor}/students", {"students_username": ["asha"]}, 200)
    with world.database.write() as session:
        session.add(playbacks.Photo(user_id=number))
        session.flush()
        card = tables.ReportCard(
            user_id=number, title="x", total_score=0, total_min_range=0, total_max_range=0, created=world.clock.now
        )
        session.add(card)
    response = await admin.send("DELETE", f"/api/v2.2/admin/users/{number}")
    assert (response.status_code, response.content) == (204, b"")
    await asha.get("/api/v2.2/me/", 401)
    await admin.get(f"{USERS}{number}", 404)
    assert await sign_in(world, "asha", PASSWORD) == 400
    with world.database.read() as session:
        for table in METADATA.sorted_tables:
            keys = {
                key.parent.name
                for key in table.foreign_keys
                if key.column.table.name in {"users", "attempts"} and key.parent.name != "exam_id"
            }
            for column in keys:
                held = attempt if "attempt" in column else number
                rows = session.execute(
                    text(f"SELECT count(*) FROM {table.name} WHERE {column} = :held"),  # noqa: S608  # names of our tables
                    {"held": held},
                ).scalar()
                assert rows == 0, (table.name, column)
        assert inspect(session.connection()).has_table("users")
    again = await admin.post(USERS, {"username": "asha", "password": "a long secret"})
    assert again["id"] != number, "a token of the old account must not open the new one"
    await asha.get("/api/v2.2/me/", 401)


async def test_administrators_cannot_delete_themselves(admin: Caller) -> None:
    number = (await admin.get("/api/v2.2/me/"))["id"]
    assert (await admin.send("DELETE", f"/api/v2.2/admin/users/{number}")).status_code == 403
    await admin.get("/api/v2.2/me/")


async def test_another_user_is_shown_without_contact_details(world: World, asha: Caller) -> None:
    ravi = world.add_user("kavi", email="kavi@lms.test", city="Salem", birth_date=date(2009, 1, 1))
    shown = await asha.get(f"/api/v2.2/users/{ravi}")
    assert_shape(
        shown,
        PICTURES | {"id": int, "url": str, "username": str, "display_name": str, "first_name": str, "last_name": str},
    )
    me = await asha.get("/api/v2.2/me/")
    assert await asha.get(f"/api/v2.2/users/{me['id']}/") == me
    await asha.get("/api/v2.2/users/4711", 404)
