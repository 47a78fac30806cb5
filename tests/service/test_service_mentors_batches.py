"""Batches, mentors and their students, on raw JSON."""

from typing import Any

import pytest

from tests.service.service_world import Caller, World
from tests.service.shapes import BATCH_NAME, MOMENT, NULL, PICTURES, assert_page, assert_shape, person

BATCHES = "/api/v2.5/admin/batches/"
BATCH = {"id": int, "name": str, "url": str, "created": str, "modified": str}
MENTOR = {
    "id": int,
    "username": str,
    "email": str,
    "first_name": str,
    "last_name": str,
    "display_name": str,
    "gender": str,
    "state": str,
    "created": str,
}
WITH_STUDENTS = MENTOR | {"students": dict}
STUDENT = {name: kind for name, kind in PICTURES.items() if name != "medium_small_image"} | {
    "id": int,
    "url": str,
    "username": str,
    "first_name": str,
    "last_name": str,
    "display_name": str,
    "email": str,
    "birth_date": (str, NULL),
    "gender_code": (str, NULL),
    "gender": (str, NULL),
    "address1": str,
    "address2": str,
    "city": str,
    "zip": str,
    "state": str,
    "state_code": str,
    "phone": str,
    "batches": list,
    "batches_url": str,
}
NEW = {
    "username": "farida",
    "password": "practice",
    "first_name": "Farida",
    "last_name": "Khan",
    "email": "farida@lms.test",
    "birth_date": "23/11/1988",
    "gender_code": "female",
    "address1": "1",
    "address2": "2",
    "city": "Hyderabad",
    "zip": "500001",
    "state_code": "IN-TS",
    "phone": "1",
}


@pytest.fixture
def admin(world: World) -> Caller:
    return person(world, "head", "admin")


@pytest.fixture
async def students(admin: Caller) -> str:
    made = await admin.post("/api/v2.5/admin/mentors/", NEW)
    return f"/api/v2.3/admin/mentors/{made['id']}/students"


async def test_a_batch_is_created_read_and_found(admin: Caller) -> None:
    made = await admin.post(BATCHES, {"name": " Crash Course 50% "})
    assert_shape(made, BATCH)
    assert made["name"] == "Crash Course 50%"
    assert MOMENT.fullmatch(made["created"])
    assert await admin.get(made["url"]) == made
    assert await admin.get(f"{BATCHES}{made['id']}/") == made
    for search, names in (
        ("", ["Crash Course 50%", "Evening"]),
        ("course", ["Crash Course 50%"]),
        ("%", ["Crash Course 50%"]),
        ("_", []),
    ):
        page = assert_page(await admin.get(f"{BATCHES}?search={search.replace('%', '%25')}"), BATCH)
        assert [batch["name"] for batch in page] == names


@pytest.mark.parametrize("search", ["übung", "ÜBUNG", "Übung", "bung"])
async def test_a_search_is_in_any_case_of_any_script(admin: Caller, search: str) -> None:
    await admin.post(BATCHES, {"name": "Die Übung"})
    page = assert_page(await admin.get(f"{BATCHES}?search={search}"), BATCH)
    assert [batch["name"] for batch in page] == ["Die Übung"]


async def test_pages_of_batches_keep_their_search(admin: Caller) -> None:
    for number in range(22):
        await admin.post(BATCHES, {"name": f"Batch {number:02}"})
    page = await admin.get(f"{BATCHES}?search=batch")
    assert (page["count"], len(page["results"])) == (22, 20)
    assert "search=batch" in page["next"]
    assert len((await admin.get(page["next"]))["results"]) == 2
    await admin.get(f"{BATCHES}?page=3", 404)


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "  "}, {"name": "Evening"}, {"name": 5}, {"name": "x" * 201}]
)
async def test_a_batch_needs_a_unique_name(admin: Caller, body: dict[str, Any]) -> None:
    assert set(await admin.post(BATCHES, body, 400)) == {"name"}
    await admin.get(f"{BATCHES}4711", 404)


async def test_a_mentor_is_created_in_both_versions(world: World, admin: Caller) -> None:
    made = await admin.post("/api/v2.5/admin/mentors/", NEW)
    assert_shape(made, MENTOR)
    assert (made["gender"], made["state"], made["display_name"]) == ("Female", "Telangana", "Farida Khan")
    older = await admin.post("/api/v2.2/admin/mentors/", {"username": "noor", "password": "a long secret"})
    assert_shape(older, WITH_STUDENTS)
    assert older["students"] == {
        "url": f"http://lms.test/api/v2.3/admin/mentors/{older['id']}/students/",
        "students_count": 0,
    }
    for version in ("v2.2", "v2.3"):
        listed = await admin.get(f"/api/{version}/admin/mentors/")
        assert isinstance(listed, list)
        assert [mentor["username"] for mentor in listed] == ["farida", "noor"]
        for mentor in listed:
            assert_shape(mentor, WITH_STUDENTS)
            assert_shape(mentor["students"], {"url": str, "students_count": int})
    await world.caller("farida").get(BATCHES, 403)


@pytest.mark.parametrize("version", ["v2.2", "v2.5"])
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "asha"}, "username"),
        ({"username": None}, "username"),
        ({"password": None}, "password"),
        ({"gender_code": "x"}, "gender_code"),
        ({"state_code": "IN-ZZ"}, "state_code"),
        ({"birth_date": "1988-11-23"}, "birth_date"),
    ],
)
async def test_invalid_input_creates_no_mentor(
    admin: Caller, version: str, changes: dict[str, Any], field: str
) -> None:
    body = {name: value for name, value in {**NEW, **changes}.items() if value is not None}
    assert set(await admin.post(f"/api/{version}/admin/mentors/", body, 400)) == {field}
    assert await admin.get("/api/v2.3/admin/mentors/") == []


async def test_students_are_assigned_listed_and_removed(admin: Caller, students: str) -> None:
    assert await admin.get(f"{students}/") == []
    listed = await admin.post(students, {"students_username": ["ravi", "asha", "asha"]}, 200)
    assert [student["username"] for student in listed] == ["asha", "ravi"]
    for student in listed:
        assert_shape(student, STUDENT)
        for batch in student["batches"]:
            assert_shape(batch, BATCH_NAME)
    assert [batch["name"] for batch in listed[0]["batches"]] == ["Evening"]
    assert (listed[1]["gender"], listed[1]["gender_code"], listed[1]["birth_date"]) == (None, None, None)
    assert await admin.post(f"{students}/", {"students_username": ["asha"]}, 200) == listed
    assert (await admin.get("/api/v2.3/admin/mentors/"))[0]["students"]["students_count"] == 2
    response = await admin.send("DELETE", students, json={"students_username": ["ravi"]})
    assert (response.status_code, response.content) == (204, b"")
    again = await admin.send("DELETE", f"{students}/", json={"students_username": ["ravi"]})
    assert again.status_code == 204
    assert [student["username"] for student in await admin.get(students)] == ["asha"]


@pytest.mark.parametrize("names", [["asha", "nobody"], ["asha", "head"], "asha", None, [7], [""]])
async def test_students_are_all_assigned_or_none(admin: Caller, students: str, names: Any) -> None:
    assert set(await admin.post(students, {"students_username": names}, 400)) == {"students_username"}
    assert await admin.get(students) == []
    response = await admin.send("DELETE", students, json={"students_username": names})
    assert response.status_code == 400


async def test_only_mentors_have_students(admin: Caller) -> None:
    number = (await admin.get("/api/v2.2/me/"))["id"]
    for missing in (number, 4711):
        path = f"/api/v2.3/admin/mentors/{missing}/students"
        await admin.get(path, 404)
        await admin.post(path, {"students_username": ["asha"]}, 404)
        assert (await admin.send("DELETE", path, json={"students_username": ["asha"]})).status_code == 404
