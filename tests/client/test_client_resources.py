"""The client's resources against the service itself, and what they send to a stranger."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from lms_tui.client.api import HttpLms
from lms_tui.client.auth import sign_in
from lms_tui.client.connection import Access
from lms_tui.wire.accounts import NewUser, ProfileChanges, UserChanges
from lms_tui.wire.errors import ApiError, Forbidden, Invalid, NotFound, NotOffered, NotTheService, ServerFault
from lms_tui.wire.mentors import NewMentor
from lms_tui.wire.posts import PostInput
from lms_tui.wire.users import CurrentUser
from lms_tui.wire.videos import PlaybackTokenInput
from tests.client.stranger import Answer, Stranger, answer, page, raw
from tests.service.service_world import PASSWORD, World
from tests.service.shapes import data_address, picture
from tests.service.video_world import add_course


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World.at(tmp_path / "service")
    world.add_user("asha", email="asha@lms.test", batches=("Evening",))
    world.add_user("head", role="admin")
    yield world
    await world.close()


async def signed_in(world: World, username: str) -> HttpLms:
    access = Access(transport=httpx.ASGITransport(world.app), allow_plain_http=True)
    return (await sign_in("http://lms.test", username, PASSWORD, access=access)).lms


@pytest.fixture
async def head(world: World) -> AsyncIterator[HttpLms]:
    lms = await signed_in(world, "head")
    yield lms
    await lms.close()


@pytest.fixture
async def asha(world: World) -> AsyncIterator[HttpLms]:
    lms = await signed_in(world, "asha")
    yield lms
    await lms.close()


async def test_posts_are_written_listed_and_read(head: HttpLms, asha: HttpLms) -> None:
    for number in range(23):
        await head.posts.create(PostInput(title=f"Post {number}", batches=("Evening",), content_html="<p>x</p>"))
    listed = [post async for page in head.posts.pages() for post in page.results]
    assert len(listed) == 23
    assert len((await head.posts.page(2)).results) == 3
    slug = listed[0].url.rsplit("/", 1)[1]
    read = await asha.posts.read(slug)
    assert (read.content_html, read.active, read.batches[0].name) == ("<p>x</p>", True, "Evening")
    changed = await head.posts.update(slug, PostInput(summary="Short"))
    assert (changed.summary, changed.title) == ("Short", read.title)
    await head.posts.delete(slug)
    with pytest.raises(Forbidden):
        await asha.posts.read(slug)
    with pytest.raises(Forbidden):
        await asha.posts.page()


async def test_readers_list_their_posts(head: HttpLms, asha: HttpLms) -> None:
    for number in range(23):
        await head.posts.create(PostInput(title=f"Post {number}", batches=("Evening",), content_html="<p>x</p>"))
    first, second = await asha.posts.readable(), await asha.posts.readable(2)
    listed = [*first.results, *second.results]
    assert [post.title for post in listed] == [f"Post {number}" for number in range(22, -1, -1)]
    assert (await asha.posts.read(listed[0].url.rsplit("/", 1)[1])).id == listed[0].id


async def test_users_are_created_read_changed_and_deleted(head: HttpLms, world: World) -> None:
    made = await head.users.create(
        NewUser(username="ravi", password="a long secret", state="IN-TN", email="r@lms.test")
    )
    assert made.state == "Tamil Nadu"
    assert (await head.users.read(made.id)).created is not None
    changed = await head.users.update(made.id, UserChanges(city="Salem"))
    assert changed.city == "Salem"
    assert changed.password_hash.startswith("!fp1$")
    assert changed.password_hash not in repr(changed)
    assert (await head.users.find("R@lms.test")).username == "ravi"
    await head.users.delete(made.id)
    with pytest.raises(NotFound):
        await head.users.read(made.id)
    with pytest.raises(Invalid) as refused:
        await head.users.create(NewUser(username="two words", password="a long secret"))
    assert "username" in refused.value.fields


async def test_a_profile_is_changed_with_its_photo(asha: HttpLms, head: HttpLms) -> None:
    me = await asha.me()
    echo = await asha.users.update_profile(
        me.id, ProfileChanges(city="Kochi", gender=2, photo=data_address(picture(40, 40)))
    )
    assert (echo.city, echo.gender) == ("Kochi", 2)
    own = await asha.users.public(me.id)
    assert isinstance(own, CurrentUser)
    assert (own.city, own.large_image) == ("Kochi", echo.large_image)
    seen = await head.users.public(me.id)
    assert type(seen) is not CurrentUser
    assert seen.mini_image == echo.mini_image


async def test_mentors_have_students(head: HttpLms) -> None:
    made = await head.mentors.create(NewMentor(username="farida", password="a long secret", gender_code="female"))
    older = await head.mentors.create_with_students(NewMentor(username="noor", password="a long secret"))
    assert (made.gender, older.students.students_count) == ("Female", 0)
    assert [student.username for student in await head.mentors.assign(made.id, ["asha"])] == ["asha"]
    assert [mentor.students.students_count for mentor in await head.mentors.all()] == [1, 0]
    assert await head.mentors.all_older() == await head.mentors.all()
    (student,) = await head.mentors.students(made.id)
    assert student.batches[0].name == "Evening"
    await head.mentors.remove(made.id, ["asha"])
    assert await head.mentors.students(made.id) == []


async def test_batches_are_created_and_found(head: HttpLms) -> None:
    made = await head.batches.create("Morning")
    assert await head.batches.read(made.id) == made
    assert [batch.name for batch in (await head.batches.page(search="morn")).results] == ["Morning"]
    assert [batch.name async for page in head.batches.pages() for batch in page.results] == ["Evening", "Morning"]


async def test_own_courses_and_their_videos_are_listed(world: World, asha: HttpLms) -> None:
    course = add_course(world)
    (found,) = (await asha.videos.courses()).results
    assert (found.id, found.name, found.contents_count, found.videos_count) == (course.id, "Physics", 3, 2)
    videos = (await asha.videos.own_contents()).results
    assert [(video.course_id, video.course) for video in videos] == [(course.id, "Physics")] * 2
    assert len((await asha.videos.own_contents("")).results) == 3


async def test_videos_are_found_and_tokens_created(
    world: World, asha: HttpLms, head: HttpLms, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    course = add_course(world)
    contents = await asha.videos.every_content(course.id)
    assert [content.id for content in contents] == [content.id for content in contents if content.video_id]
    details = await asha.videos.details(contents[0].id)
    token = await head.videos.create_token(details.uuid, PlaybackTokenInput(time_to_live=60))
    assert token.valid_until is not None
    assert token.code not in repr(token)
    assert await head.videos.token(details.uuid, token.code) == token
    changed = await head.videos.update_token(
        details.uuid, token.code, PlaybackTokenInput(expires_after_first_usage=True)
    )
    assert changed.expires_after_first_usage
    assert (await head.videos.tokens(details.uuid, status="active")).count == 1
    with pytest.raises(Forbidden):
        await asha.videos.create_token(details.uuid, PlaybackTokenInput())
    assert token.code not in caplog.text


Call = Callable[[HttpLms], Awaitable[object]]
CHANGES: dict[str, Call] = {
    "POST /api/v2.2/admin/posts/": lambda lms: lms.posts.create(PostInput(title="x")),
    "PUT /api/v2.2/admin/posts/a/": lambda lms: lms.posts.update("a", PostInput(title="x")),
    "DELETE /api/v2.2/admin/posts/a/": lambda lms: lms.posts.delete("a"),
    "POST /api/v2.5/admin/users/": lambda lms: lms.users.create(NewUser(username="x", password="a long secret")),
    "PUT /api/v2.5/admin/users/5": lambda lms: lms.users.update(5, UserChanges(city="x")),
    "DELETE /api/v2.2/admin/users/5": lambda lms: lms.users.delete(5),
    "PUT /api/v2.2/users/5": lambda lms: lms.users.update_profile(5, ProfileChanges(city="x")),
    "POST /api/v2.5/admin/mentors/": lambda lms: lms.mentors.create(NewMentor(username="x", password="a long secret")),
    "POST /api/v2.2/admin/mentors/": lambda lms: lms.mentors.create_with_students(
        NewMentor(username="x", password="a long secret")
    ),
    "POST /api/v2.3/admin/mentors/5/students": lambda lms: lms.mentors.assign(5, ["a"]),
    "DELETE /api/v2.3/admin/mentors/5/students": lambda lms: lms.mentors.remove(5, ["a"]),
    "POST /api/v2.5/admin/batches/": lambda lms: lms.batches.create("x"),
    "POST /api/v2.5/admin/videos/u/access-tokens/": lambda lms: lms.videos.create_token("u", PlaybackTokenInput()),
    "PUT /api/v2.5/admin/videos/u/access-tokens/c/": lambda lms: lms.videos.update_token(
        "u", "c", PlaybackTokenInput()
    ),
}
READS: dict[str, Call] = {
    "GET /api/v2.2/posts/a": lambda lms: lms.posts.read("a"),
    "GET /api/v2.2/admin/users/": lambda lms: lms.users.find("x@lms.test"),
    "GET /api/v2.3/admin/mentors/": lambda lms: lms.mentors.all(),
    "GET /api/v2.4/contents/5/": lambda lms: lms.videos.details(5),
}


OPTIONAL: dict[str, Call] = {
    "GET /api/v2.2/posts/": lambda lms: lms.posts.readable(),
    "GET /api/v2.5/me/courses/": lambda lms: lms.videos.courses(),
    "GET /api/v2.5/me/contents/": lambda lms: lms.videos.own_contents(),
}


@pytest.mark.parametrize(("route", "call"), OPTIONAL.items(), ids=list(OPTIONAL))
@pytest.mark.parametrize(
    "lacking", [answer({"detail": "Not found."}, 404), raw(b"<h1>Not Found</h1>", 404), answer({}, 405)]
)
async def test_a_list_that_the_server_lacks_is_requested_once(
    stranger: Stranger, lms: HttpLms, route: str, call: Call, lacking: Answer
) -> None:
    stranger.on(route, lacking)
    for _ in range(3):
        with pytest.raises(NotOffered, match="This server has no list of "):
            await call(lms)
    assert len(stranger.seen(route)) == 1
    others = [other for path, other in OPTIONAL.items() if path != route]
    for other in others:
        with pytest.raises(NotOffered):
            await other(lms)
    assert len(stranger.requests) == 1 + len(others)


@pytest.mark.parametrize(("route", "call"), OPTIONAL.items(), ids=list(OPTIONAL))
async def test_another_error_of_an_optional_list_is_no_lack_of_it(
    stranger: Stranger, lms: HttpLms, route: str, call: Call
) -> None:
    stranger.on(route, answer({"detail": "no"}, 403), answer({"detail": "no"}, 400), answer(page([{"id": 4}])))
    with pytest.raises(Forbidden):
        await call(lms)
    with pytest.raises(Invalid):
        await call(lms)
    assert (await call(lms)).results[0].id == 4  # type: ignore[attr-defined]  # each returns a page of its items


async def test_a_page_beyond_the_last_is_no_lack_of_the_list(stranger: Stranger, lms: HttpLms) -> None:
    stranger.on("GET /api/v2.2/posts/", answer({"detail": "Not found."}, 404), answer(page([])))
    with pytest.raises(NotFound):
        await lms.posts.readable(2)
    assert (await lms.posts.readable()).results == ()


@pytest.mark.parametrize(("route", "call"), CHANGES.items(), ids=list(CHANGES))
async def test_a_changing_request_is_sent_once(stranger: Stranger, lms: HttpLms, route: str, call: Call) -> None:
    stranger.on(route, answer({"detail": "try later"}, 503))
    with pytest.raises(ApiError):
        await call(lms)
    stranger.on(route, httpx.ConnectError("gone"))
    with pytest.raises(ApiError):
        await call(lms)
    assert len(stranger.seen(route)) == 2
    assert stranger.waits == []


@pytest.mark.parametrize(("route", "call"), READS.items(), ids=list(READS))
async def test_a_read_is_repeated(stranger: Stranger, lms: HttpLms, route: str, call: Call) -> None:
    stranger.on(route, answer({"detail": "broken"}, 500))
    with pytest.raises(ServerFault):
        await call(lms)
    assert len(stranger.seen(route)) == 3


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "-x", "", None])
async def test_a_playback_address_that_is_not_of_the_web_is_refused(
    stranger: Stranger, lms: HttpLms, url: str | None
) -> None:
    stranger.on("GET /api/v2.5/admin/videos/u/access-tokens/c/", answer({"code": "c", "playback_url": url}))
    with pytest.raises(NotTheService):
        await lms.videos.token("u", "c")


@pytest.mark.parametrize("name", ["", ".", "..", " ", "x" * 300])
async def test_a_name_that_means_another_path_is_not_requested(stranger: Stranger, lms: HttpLms, name: str) -> None:
    for call in (lms.posts.read, lms.posts.delete):
        with pytest.raises(NotFound):
            await call(name)
    with pytest.raises(NotFound):
        await lms.videos.tokens(name)
    assert stranger.requests == []


async def test_endless_course_contents_are_refused(stranger: Stranger, lms: HttpLms) -> None:
    page = {"count": 99, "next": "https://evil.test/", "results": {"contents": [{"id": 1}, {"id": 2}]}}
    stranger.on("GET /api/v3/courses/5/contents/", answer(page))
    assert [content.id for content in await lms.videos.every_content(5)] == [1, 2]
    assert len(stranger.requests) == 2
    assert {request.url.host for request in stranger.requests} == {"learn.example.edu"}


async def test_ids_of_videos_that_are_no_uuids_are_kept(stranger: Stranger, lms: HttpLms) -> None:
    listed = [{"id": 7, "content_type": "Video", "video_id": "hYz4kMqR2nA"}, {"id": 8, "video_id": "12"}]
    stranger.on("GET /api/v3/courses/1/contents/", answer({"results": {"contents": [*listed, {"id": 9}]}}))
    details = {"id": 7, "uuid": "hYz4kMqR2nA", "content_type": "Video", "video": {"id": "v_19", "title": "Waves"}}
    stranger.on("GET /api/v2.4/contents/7/", answer(details))
    token = {"code": "c", "playback_url": "https://learn.example.edu/embed/hYz4kMqR2nA/?access_token=c"}
    stranger.on("POST /api/v2.5/admin/videos/hYz4kMqR2nA/access-tokens/", answer(token, 201))
    contents = await lms.videos.every_content(1)
    assert [content.video_id for content in contents] == ["hYz4kMqR2nA", 12, None]
    found = await lms.videos.details(7)
    assert found.video is not None
    assert (found.uuid, found.video.id) == ("hYz4kMqR2nA", "v_19")
    assert (await lms.videos.create_token(found.uuid, PlaybackTokenInput())).code == "c"
