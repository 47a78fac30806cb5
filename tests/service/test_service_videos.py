"""Contents of courses, playback tokens and the page that plays them, on raw JSON and raw HTTP."""

import logging
import re
from typing import Any
from uuid import uuid4

import httpx
import pytest

from lms_tui.service.core.database import tables
from tests.service.service_world import Caller, World
from tests.service.shapes import MOMENT, NULL, assert_page, assert_shape, person
from tests.service.video_world import FILM, Course, add_course

CONTENT = {"id": int, "title": str, "content_type": str, "video_id": (int, NULL)}
OWN_CONTENT = CONTENT | {"course_id": int, "course": str, "chapter": str}
COURSE = {"id": int, "name": str, "contents_count": int, "videos_count": int, "contents_url": str}
COURSES = "/api/v2.5/me/courses/"
CONTENTS = "/api/v2.5/me/contents/"
TOKEN = {
    "playback_url": str,
    "expires_after_first_usage": bool,
    "code": str,
    "status": str,
    "valid_until": (str, NULL),
    "annotations": list,
    "created": str,
    "modified": str,
}
STATIC = {
    "type": "static",
    "text": "asha <b>&",
    "x": 10.0,
    "y": 20.5,
    "opacity": 0.5,
    "color": "#FF0000",
    "size": 12,
}
DYNAMIC = {
    "type": "dynamic",
    "text": "asha@lms.test",
    "opacity": 0.8,
    "color": "0x00ff00",
    "size": 15,
    "interval": 5000,
    "skip": 2000,
}


@pytest.fixture
def course(world: World) -> Course:
    return add_course(world)


@pytest.fixture
def staff(world: World) -> Caller:
    return person(world, "prakash", "moderator")


async def opened(world: World, address: str, **headers: str) -> httpx.Response:
    return await world.http.get(address, headers=headers)


def from_address(world: World, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(world.app, client=(address, 40_000))
    return httpx.AsyncClient(transport=transport, base_url="http://lms.test")


def source_of(page: httpx.Response) -> str:
    found = re.search(r'<video src="([^"]+)"', page.text)
    assert found
    return found[1]


async def test_contents_of_a_course_are_listed_by_type(
    world: World, asha: Caller, staff: Caller, course: Course
) -> None:
    path = f"/api/v3/courses/{course.id}/contents/"
    for caller, videos in ((asha, 2), (staff, 3)):
        page = await caller.get(f"{path}?type=video")
        assert_shape(page, {"count": int, "next": NULL, "previous": NULL, "per_page": int, "results": dict})
        assert_shape(page["results"], {"contents": list})
        assert len(page["results"]["contents"]) == page["count"] == videos
        for content in page["results"]["contents"]:
            assert_shape(content, CONTENT)
            assert content["content_type"] == "Video"
            assert content["video_id"]
    streams = (await asha.get(f"{path}?type=live_stream"))["results"]["contents"]
    assert [(stream["content_type"], stream["video_id"]) for stream in streams] == [("Live Stream", None)]
    assert (await asha.get(path[:-1]))["count"] == 3
    assert set(await asha.get(f"{path}?type=film", 400)) == {"type"}


async def test_a_course_is_for_its_batches(world: World, ravi: Caller, staff: Caller, course: Course) -> None:
    path = "/api/v3/courses/{}/contents/?type=video"
    assert await ravi.get(path.format(course.id), 403) == await ravi.get(path.format(4711), 403)
    await staff.get(path.format(4711), 404)
    assert await ravi.get(f"/api/v2.4/contents/{course.video}/", 403) == await ravi.get("/api/v2.4/contents/4711/", 403)
    await staff.get("/api/v2.4/contents/4711/", 404)


def assign(world: World, content: int, username: str) -> None:
    with world.database.write() as session:
        user = session.query(tables.User).filter_by(username=username).one()
        session.execute(tables.content_assignments.insert().values(content_id=content, user_id=user.id))


async def test_everybody_lists_the_courses_that_they_can_use(
    world: World, asha: Caller, ravi: Caller, staff: Caller, course: Course
) -> None:
    other = add_course(world, "Algebra", batch="Morning")
    with world.database.write() as session:
        session.add(tables.Course(name="Reading", is_public=True, created=world.clock.now))
    rows = assert_page(await asha.get(COURSES), COURSE)
    assert [(row["name"], row["contents_count"], row["videos_count"]) for row in rows] == [
        ("Physics", 3, 2),
        ("Reading", 0, 0),
    ]
    assert (await asha.get(rows[0]["contents_url"]))["count"] == 3
    assert [row["name"] for row in (await ravi.get(COURSES))["results"]] == ["Reading"]
    assign(world, other.video, "ravi")
    rows = (await ravi.get(COURSES))["results"]
    assert [(row["name"], row["contents_count"], row["videos_count"]) for row in rows] == [
        ("Algebra", 1, 1),
        ("Reading", 0, 0),
    ]
    rows = (await staff.get(COURSES))["results"]
    assert [(row["name"], row["contents_count"]) for row in rows] == [("Algebra", 4), ("Physics", 4), ("Reading", 0)]
    for caller in (asha, ravi, staff):
        for row in (await caller.get(COURSES))["results"]:
            assert (await caller.get(row["contents_url"]))["count"] == row["contents_count"]


async def test_the_contents_of_all_own_courses_are_listed_by_type(
    world: World, asha: Caller, ravi: Caller, staff: Caller, course: Course
) -> None:
    other = add_course(world, "Algebra")
    hidden = add_course(world, "Botany", batch="Morning")
    rows = assert_page(await asha.get(f"{CONTENTS}?type=video"), OWN_CONTENT)
    assert [(row["course_id"], row["course"], row["title"]) for row in rows] == [
        (number, name, f"Video {order} <of> {name}")
        for number, name in ((other.id, "Algebra"), (course.id, "Physics"))
        for order in (1, 2)
    ]
    assert all(row["video_id"] and row["content_type"] == "Video" for row in rows)
    assert (await asha.get(CONTENTS))["count"] == 6
    assert (await ravi.get(CONTENTS))["results"] == []
    assign(world, hidden.video, "ravi")
    assert [row["id"] for row in (await ravi.get(CONTENTS))["results"]] == [hidden.video]
    assert (await staff.get(f"{CONTENTS}?type=live_stream"))["count"] == 3
    world.clock.move(days=2)
    assert (await asha.get(f"{CONTENTS}?type=Video"))["count"] == 6
    assert set(await asha.get(f"{CONTENTS}?type=film", 400)) == {"type"}


async def test_own_courses_and_contents_come_in_pages_of_twenty(world: World, asha: Caller, course: Course) -> None:
    with world.database.write() as session:
        for number in range(22):
            session.add(tables.Course(name=f"Term {number:02}", is_public=True, created=world.clock.now))
            session.add(
                tables.Content(
                    uuid=uuid4(), course_id=course.id, order=10 + number, title=f"{number}", content_type="Video"
                )
            )
    for path, count in ((COURSES, 23), (f"{CONTENTS}?type=video", 24)):
        first = await asha.get(path)
        second = await asha.get(first["next"])
        rows = first["results"] + second["results"]
        assert (first["count"], first["per_page"], len(first["results"])) == (count, 20, 20)
        assert len({row["id"] for row in rows}) == len(rows) == count
        await asha.get(f"{path}{'&' if '?' in path else '?'}page=3", 404)


async def test_an_assigned_content_is_visible_without_its_course(world: World, ravi: Caller, course: Course) -> None:
    assign(world, course.video, "ravi")
    listed = (await ravi.get(f"/api/v3/courses/{course.id}/contents/?type=video"))["results"]["contents"]
    assert [content["id"] for content in listed] == [course.video]
    await ravi.get(f"/api/v2.4/contents/{course.video}/")


async def test_details_have_the_uuid_for_embedding(asha: Caller, staff: Caller, course: Course) -> None:
    for caller in (asha, staff):
        details = await caller.get(f"/api/v2.4/contents/{course.video}/")
        assert_shape(details, {"id": int, "uuid": str, "content_type": str, "video": dict})
        assert_shape(details["video"], {"id": int, "title": str})
        assert (details["uuid"], details["content_type"]) == (str(course.uuid), "Video")
    assert (await asha.get(f"/api/v2.4/contents/{course.exam}"))["video"] is None
    await asha.get(f"/api/v2.4/contents/{course.later}/", 403)


async def test_a_token_has_the_fields_of_the_document(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {"time_to_live": 600, "expires_after_first_usage": True})
    assert_shape(made, TOKEN)
    assert made["playback_url"] == f"http://lms.test/embed/{course.uuid}/?access_token={made['code']}"
    assert (made["status"], made["expires_after_first_usage"], made["annotations"]) == ("Active", True, [])
    assert made["valid_until"] == "2026-03-02T09:10:00.000000+00:00"
    assert MOMENT.fullmatch(made["created"])
    endless = await staff.post(course.tokens, {})
    assert (endless["valid_until"], endless["expires_after_first_usage"]) == (None, False)
    assert endless["code"] != made["code"]


async def test_a_code_is_not_in_the_database(world: World, staff: Caller, course: Course) -> None:
    code = (await staff.post(course.tokens, {}))["code"]
    content = b"".join(path.read_bytes() for path in world.settings.data_dir.glob("service.sqlite3*"))
    assert code.encode() not in content


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"time_to_live": 0}, "time_to_live"),
        ({"time_to_live": -5}, "time_to_live"),
        ({"time_to_live": 30 * 24 * 3600 + 1}, "time_to_live"),
        ({"time_to_live": "600"}, "time_to_live"),
        ({"time_to_live": 1.5}, "time_to_live"),
        ({"time_to_live": True}, "time_to_live"),
        ({"expires_after_first_usage": "yes"}, "expires_after_first_usage"),
        ({"annotations": {}}, "annotations"),
        ({"annotations": [{"type": "moving", "text": "x"}]}, "annotations"),
        ({"annotations": [{"text": "x"}]}, "annotations"),
        ({"annotations": [{"type": "static"}]}, "annotations"),
        ({"annotations": [{**STATIC, "color": "red;}</style>"}]}, "annotations"),
        ({"annotations": [{**STATIC, "x": -1}]}, "annotations"),
        ({"annotations": [{**STATIC, "opacity": 2}]}, "annotations"),
        ({"annotations": [{**DYNAMIC, "interval": 0}]}, "annotations"),
        ({"annotations": [STATIC] * 11}, "annotations"),
    ],
)
async def test_invalid_input_creates_no_token(staff: Caller, course: Course, body: dict[str, Any], field: str) -> None:
    assert set(await staff.post(course.tokens, body, 400)) == {field}
    assert (await staff.get(course.tokens))["count"] == 0


async def test_tokens_are_for_staff_only_and_for_videos_only(
    world: World, asha: Caller, staff: Caller, course: Course
) -> None:
    await asha.post(course.tokens, {}, 403)
    await person(world, "farida", "mentor").post(course.tokens, {}, 403)
    await person(world, "head", "admin").post(course.tokens, {})
    await world.stranger.post(course.tokens, {}, 401)
    with world.database.read() as session:
        stream = session.get_one(tables.Content, course.exam).uuid
    for missing in (stream, "00000000-0000-0000-0000-000000000000", course.video, "x"):
        await staff.post(f"/api/v2.5/admin/videos/{missing}/access-tokens/", {}, 404)
    refused = await staff.post(f"/api/v2.5/admin/videos/{course.unplayable}/access-tokens/", {}, 400)
    assert set(refused) == {"non_field_errors"}


async def test_tokens_are_listed_read_and_changed(world: World, staff: Caller, course: Course) -> None:
    short = await staff.post(course.tokens, {"time_to_live": 60})
    world.clock.move(seconds=30)
    long = await staff.post(course.tokens, {"annotations": [STATIC, DYNAMIC]})
    assert long["annotations"] == [STATIC, DYNAMIC]
    assert [row["code"] for row in assert_page(await staff.get(course.tokens), TOKEN)] == [long["code"], short["code"]]
    world.clock.move(seconds=30)
    for status, codes in (("active", [long["code"]]), ("expired", [short["code"]])):
        rows = assert_page(await staff.get(f"{course.tokens}?status={status}"), TOKEN)
        assert [(row["code"], row["status"].lower()) for row in rows] == [(code, status) for code in codes]
    assert set(await staff.get(f"{course.tokens}?status=lost", 400)) == {"status"}
    one = f"{course.tokens}{long['code']}/"
    assert await staff.get(one) == long
    changed = await staff.put(one, {"annotations": [], "time_to_live": 10})
    assert (changed["annotations"], changed["valid_until"]) == ([], "2026-03-02T09:01:10.000000+00:00")
    assert changed["modified"] > changed["created"]
    assert (await staff.put(one[:-1], {"expires_after_first_usage": True}))["valid_until"] == changed["valid_until"]
    assert set(await staff.put(one, {"time_to_live": 0}, 400)) == {"time_to_live"}
    await staff.put(f"{course.tokens}{short['code']}/", {"time_to_live": 600}, 400)


async def test_a_foreign_code_is_not_found(world: World, staff: Caller, course: Course) -> None:
    code = (await staff.post(course.tokens, {}))["code"]
    other = add_course(world, "Chemistry")
    tampered = code[:-2] + ("AA" if not code.endswith("AA") else "BB")
    for wrong in (tampered, code[:20], code + "=", code + "A", "x", "é"):
        await staff.get(f"{course.tokens}{wrong}/", 404)
    await staff.get(f"{other.tokens}{code}/", 404)
    await staff.put(f"{other.tokens}{code}/", {}, 404)


async def test_a_page_plays_the_file_only_for_its_own_browser(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {"time_to_live": 600, "annotations": [STATIC, DYNAMIC]})
    page = await opened(world, made["playback_url"], **{"User-Agent": "browser"})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "asha &lt;b&gt;&amp;" in page.text
    assert "Video 1 &lt;of&gt; Physics" in page.text
    assert "<script" not in page.text
    source = source_of(page)
    assert made["code"] not in source
    video = await opened(world, source, **{"User-Agent": "browser"})
    assert (video.status_code, video.headers["content-type"]) == (200, "video/webm")
    assert video.content == FILM.read_bytes()
    part = await opened(world, source, **{"User-Agent": "browser", "Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, FILM.read_bytes()[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{FILM.stat().st_size}"
    beyond = await opened(world, source, **{"User-Agent": "browser", "Range": "bytes=99999999-"})
    assert beyond.status_code == 416
    assert (await opened(world, source, **{"User-Agent": "another"})).status_code == 403


async def test_a_page_allows_nothing_but_its_own_style_and_video(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {"annotations": [DYNAMIC]})
    for page in (await opened(world, made["playback_url"]), await opened(world, f"/embed/{course.uuid}/")):
        policy = dict(rule.split(" ", 1) for rule in page.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["media-src"] == "'self'"
        assert policy["style-src"].startswith("'sha256-")
        assert (policy["base-uri"], policy["form-action"], policy["frame-ancestors"]) == ("'none'", "'none'", "*")
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["x-content-type-options"] == "nosniff"


async def test_a_token_for_one_play_opens_one_page(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {"expires_after_first_usage": True})
    first = await opened(world, made["playback_url"])
    assert first.status_code == 200
    assert (await opened(world, made["playback_url"])).status_code == 403
    assert (await opened(world, source_of(first))).status_code == 200
    assert (await staff.get(f"{course.tokens}{made['code']}/"))["status"] == "Expired"
    many = await staff.post(course.tokens, {})
    for _ in range(3):
        assert (await opened(world, many["playback_url"])).status_code == 200


async def test_a_token_opens_no_page_after_its_time(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {"time_to_live": 600})
    world.clock.move(seconds=599)
    page = await opened(world, made["playback_url"])
    assert page.status_code == 200
    world.clock.move(seconds=1)
    assert (await opened(world, made["playback_url"])).status_code == 403
    assert (await opened(world, source_of(page))).status_code == 403, "a playback ends with its token"


async def test_a_playback_ends_with_the_time_that_its_token_has_now(
    world: World, staff: Caller, course: Course
) -> None:
    made = await staff.post(course.tokens, {})
    source = source_of(await opened(world, made["playback_url"]))
    world.clock.move(hours=1)
    assert (await opened(world, source)).status_code == 200
    await staff.put(f"{course.tokens}{made['code']}/", {"time_to_live": 60})
    world.clock.move(seconds=59)
    assert (await opened(world, source)).status_code == 200
    world.clock.move(seconds=1)
    assert (await opened(world, source)).status_code == 403


async def test_a_playback_of_a_token_without_an_end_ends_after_hours(
    world: World, staff: Caller, course: Course
) -> None:
    source = source_of(await opened(world, (await staff.post(course.tokens, {}))["playback_url"]))
    world.clock.move(hours=5.9)
    assert (await opened(world, source)).status_code == 200
    world.clock.move(hours=0.1)
    assert (await opened(world, source)).status_code == 403


@pytest.mark.parametrize(
    ("viewer", "other", "status"),
    [
        ("192.0.2.1", "192.0.2.1", 200),
        ("192.0.2.1", "192.0.2.2", 403),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", 200),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", 403),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", 403),
    ],
)
async def test_a_playback_is_bound_to_the_network_of_its_viewer(
    world: World, staff: Caller, course: Course, viewer: str, other: str, status: int
) -> None:
    made = await staff.post(course.tokens, {"time_to_live": 600})
    async with from_address(world, viewer) as browser:
        source = source_of(await browser.get(made["playback_url"]))
    async with from_address(world, other) as browser:
        assert (await browser.get(source)).status_code == status


async def test_a_token_opens_only_its_own_video(world: World, staff: Caller, course: Course) -> None:
    other = add_course(world, "Chemistry")
    code = (await staff.post(course.tokens, {}))["code"]
    page = await opened(world, f"/embed/{course.uuid}?access_token={code}")
    wrong = [
        f"/embed/{other.uuid}/?access_token={code}",
        f"/embed/{course.uuid}/?access_token={code[:-1]}",
        f"/embed/{course.uuid}/?access_token=",
        f"/embed/{course.uuid}/",
        f"/embed/00000000-0000-0000-0000-000000000000/?access_token={code}",
        source_of(page).replace(str(course.uuid), str(other.uuid)),
        source_of(page)[:-1],
        f"/embed/{course.uuid}/playback/{code}",
    ]
    assert page.status_code == 200
    for address in wrong:
        assert (await opened(world, address)).status_code == 403, address


async def test_a_deleted_content_does_not_play(world: World, staff: Caller, course: Course) -> None:
    made = await staff.post(course.tokens, {})
    page = await opened(world, made["playback_url"])
    with world.database.write() as session:
        session.delete(session.get_one(tables.Content, course.video))
    assert (await opened(world, made["playback_url"])).status_code == 403
    assert (await opened(world, source_of(page))).status_code == 403


async def test_no_code_is_logged_even_if_the_service_fails(
    world: World, staff: Caller, course: Course, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    # The test's own client logs the addresses it asks for; the service is who is tested.
    caplog.set_level(logging.WARNING, logger="httpx")
    made = await staff.post(course.tokens, {})
    page = await opened(world, made["playback_url"])
    source = source_of(page)

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(type(world.database), "read", fail)
    monkeypatch.setattr(type(world.database), "write", fail)
    for address in (made["playback_url"], source):
        assert (await opened(world, address)).status_code == 500
    monkeypatch.undo()
    monkeypatch.setattr("lms_tui.service.videos.tokens.Codes", fail)
    await staff.get(f"{course.tokens}{made['code']}/", 500)
    assert "RuntimeError in GET" in caplog.text
    assert made["code"] not in caplog.text
    assert source.rsplit("/", 1)[1] not in caplog.text
