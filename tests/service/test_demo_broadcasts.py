"""Every endpoint of the demo institute returns content."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from lms_tui.content.html import parse
from lms_tui.service.core.database import broadcasts, playbacks, tables
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.demo.broadcasts import add_broadcasts
from lms_tui.service.demo.institute import build_institute
from lms_tui.service.demo.presence import FILM
from tests.service.service_world import World


@pytest.fixture
async def institute(tmp_path: Path) -> AsyncIterator[World]:
    world = World.at(tmp_path / "service")
    build_institute(world.database, Passwords(), world.clock.now, Media(world.settings.media))
    yield world
    await world.close()


async def test_every_resource_has_rows(institute: World) -> None:
    admin, asha, ravi = (institute.caller(name) for name in ("admin", "asha", "ravi"))
    posts = (await admin.get("/api/v2.2/admin/posts/"))["results"]
    assert len(posts) == 6
    for post in posts:
        assert post["category"]
        slug = post["url"].rsplit("/", 1)[1]
        shown = await admin.get(f"/api/v2.2/posts/{slug}")
        assert parse(shown["content_html"]).blocks
    for caller, slug, status in (
        (asha, "welcome", 200),
        (asha, "library-on-sundays", 200),
        (asha, "how-the-mock-is-marked", 200),
        (ravi, "how-the-mock-is-marked", 403),
        (ravi, "ten-graphs-to-know", 200),
        (asha, "ten-graphs-to-know", 403),
        (asha, "ranks-of-acids-and-bases", 403),
    ):
        await caller.get(f"/api/v2.2/posts/{slug}", status)
    for caller, count in ((asha, 4), (ravi, 4), (admin, 6)):
        assert (await caller.get("/api/v2.2/posts/"))["count"] == count
    mentors = await admin.get("/api/v2.3/admin/mentors/")
    assert [(mentor["username"], mentor["students"]["students_count"]) for mentor in mentors] == [
        ("mentor", 5),
        ("devika", 4),
    ]
    assert {mentor["state"] for mentor in mentors} == {"Telangana", "Karnataka"}
    assert (await admin.get("/api/v2.5/admin/batches/"))["count"] == 3


async def test_students_find_courses_and_videos_in_their_lists(institute: World) -> None:
    for username, names in (("asha", 3), ("ravi", 2)):
        caller = institute.caller(username)
        courses = (await caller.get("/api/v2.5/me/courses/"))["results"]
        assert len(courses) == names
        assert all(course["videos_count"] for course in courses)
        videos = await caller.get("/api/v2.5/me/contents/?type=video")
        assert videos["count"] == sum(course["videos_count"] for course in courses)


async def test_the_film_plays(institute: World) -> None:
    asha, staff = institute.caller("asha"), institute.caller("staff")
    with institute.database.read() as session:
        course = (
            session.scalars(select(tables.Content).where(tables.Content.title.contains("velocity"))).one().course_id
        )
    contents = (await asha.get(f"/api/v3/courses/{course}/contents/?type=video"))["results"]["contents"]
    assert all(content["video_id"] for content in contents)
    film = next(content for content in contents if "velocity" in content["title"])
    uuid = (await asha.get(f"/api/v2.4/contents/{film['id']}/"))["uuid"]
    token = await staff.post(f"/api/v2.5/admin/videos/{uuid}/access-tokens/", {"time_to_live": 600})
    assert (await institute.http.get(token["playback_url"])).status_code == 200
    assert FILM.stat().st_size < 60_000


async def test_reviews_can_be_downloaded_as_pdf(institute: World) -> None:
    asha = institute.caller("asha")
    attempt = (await asha.get("/api/v2.2/attempts/"))["results"][0]
    response = await asha.send("GET", attempt["review_pdf_url"])
    assert response.content.startswith(b"%PDF-")


def test_an_institute_is_built_once_and_an_older_one_is_completed(institute: World) -> None:
    def counts() -> list[int]:
        with institute.database.read() as session:
            return [
                session.scalar(select(func.count()).select_from(table)) or 0
                for table in (broadcasts.Post, broadcasts.Product, playbacks.Video, tables.User, tables.mentor_students)
            ]

    before = counts()
    build_institute(institute.database, Passwords(), institute.clock.now, Media(institute.settings.media))
    assert counts() == before
    with institute.database.write() as session:
        for table in (broadcasts.Post, broadcasts.Product, playbacks.Video, broadcasts.Category):
            for row in session.scalars(select(table)).all():
                session.delete(row)
        session.execute(tables.mentor_students.delete())
    build_institute(institute.database, Passwords(), institute.clock.now, Media(institute.settings.media))
    assert counts() == before


def test_a_practice_database_without_an_administrator_is_not_changed(tmp_path: Path) -> None:
    world = World.at(tmp_path / "service")
    world.add_user("asha")
    with world.database.write() as session:
        add_broadcasts(session, world.clock.now)
        assert session.scalar(select(func.count()).select_from(broadcasts.Post)) == 0
    world.database.close()
