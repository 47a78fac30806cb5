"""The lists to browse: notices, courses and videos."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.client.posts import HttpPosts
from lms_tui.service.core.database import broadcasts, tables
from lms_tui.tui.widgets.row_list import RowList
from lms_tui.wire.errors import Offline
from tests.fakes.served import Served, served
from tests.service.service_world import World
from tests.tui.test_keys_in_order import deliver
from tests.tui.test_nothing_escapes import PAYLOADS, check

PLACES: Final = {"NoticesScreen": 2, "CoursesScreen": 3, "VideosScreen": 4}
FIRST: Final = {
    "NoticesScreen": "Foundation Test 2",
    "CoursesScreen": "Foundation Science",
    "VideosScreen": "Reading a velocity",
}
LISTS: Final = {
    "NoticesScreen": "/api/v2.2/posts/",
    "CoursesScreen": "/api/v2.5/me/courses/",
    "VideosScreen": "/api/v2.5/me/contents/",
}
NOTHING: Final = {
    "NoticesScreen": "what your institute announces to you appears here.",
    "CoursesScreen": "the courses that your institute gives you appear here.",
    "VideosScreen": "the videos of your courses appear here.",
}


class Lacking:
    """Answers these paths like a server that does not have them, and remembers the requests."""

    def __init__(self, app: ASGIApp, status: int, asked: list[str], paths: Container[object] = LISTS.values()) -> None:
        self._app = app
        self._status = status
        self._asked = asked
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path")
        if path in self._paths:
            self._asked.append(str(path))
            await JSONResponse({"detail": "Not found."}, self._status)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


async def to_list(run: Served, screen: str) -> None:
    await run.press("m", *["down"] * PLACES[screen], "enter")
    await run.until(lambda: run.screen == screen or run.app.screen.is_modal)


def write_notices(world: World, count: int, title: str = "Circular", **fields: Any) -> None:
    now = world.clock.now
    with world.database.write() as session:
        for number in range(count):
            given = {"summary": "About the bus" if number == 3 else "", "is_public": True, **fields}
            session.add(
                broadcasts.Post(
                    slug=f"circular-{number}",
                    title=f"{title} {number:03}",
                    content_html="<p>Read this.</p>",
                    created=now,
                    modified=now,
                    published_date=now,
                    **given,
                )
            )


def remove_everything(world: World) -> None:
    with world.database.write() as session:
        for table in (broadcasts.Post, tables.Content, tables.ContentAttempt, tables.Course):
            session.query(table).delete()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_notices_are_browsed_and_opened(world: World, tmp_path: Path, size: tuple[int, int]) -> None:
    async with served(world, "asha", tmp_path, size=size) as run:
        await to_list(run, "NoticesScreen")
        told = await run.see("Foundation Test 2")
        if size != (40, 12):
            assert "Exams" in told
            assert "Fifteen minutes, five questions, one retake." in told
        assert "Ten graphs" not in told
        await run.press("enter")
        await run.see("The second test opens soon.")
        await run.press("escape")
        assert run.screen == "NoticesScreen"
        await run.press("end", "enter")
        await run.see("A new term begins.")


async def test_notices_are_filtered_as_one_types(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path, size=(80, 24)) as run:
        await to_list(run, "NoticesScreen")
        await run.see("Welcome to the new term")
        await run.press("/", *"CUT-off")
        await run.gone("Welcome to the new term")
        await run.see("How the scholarship mock", "“CUT-off”")
        await run.press(*["backspace"] * 7, *"zzz")
        await run.see("No row contains these words. Press esc to show all.")
        await run.press("escape")
        await run.see("Welcome to the new term", "How the scholarship mock")
        assert run.screen == "NoticesScreen"
        await run.press("/", *"welc", "down", "enter")
        await run.see("A new term begins.")
        await run.press("escape")
        await run.see("“welc”")
        await run.press("escape", "escape")
        assert run.screen == "MoreScreen"


async def test_keys_that_arrive_together_filter_and_open(world: World, tmp_path: Path) -> None:
    async with served(world, "asha", tmp_path) as run:
        await to_list(run, "NoticesScreen")
        await run.see("Welcome to the new term")
        await deliver(run.app, "/term\r\r")
        await run.see("A new term begins.")


async def test_pages_are_loaded_when_scrolled_to(world: World, tmp_path: Path) -> None:
    write_notices(world, 50)
    async with served(world, "asha", tmp_path, size=(80, 24)) as run:
        await to_list(run, "NoticesScreen")
        await run.see("Circular 049")
        rows = run.app.screen.query_one(RowList)
        assert rows.length < 50
        for _ in range(3):
            await run.press("end")
        await run.see("Welcome to the new term")
        await run.press("home")
        await run.see("Circular 049")


async def test_the_filter_finds_notices_on_pages_that_are_not_loaded(world: World, tmp_path: Path) -> None:
    write_notices(world, 70)
    async with served(world, "asha", tmp_path) as run:
        await to_list(run, "NoticesScreen")
        await run.see("Circular 069")
        await run.press("/", *"bus")
        await run.see("Circular 003")
        await run.gone("Circular 069")


@pytest.mark.parametrize("screen", PLACES)
@pytest.mark.parametrize("size", [(120, 40), (40, 12)])
async def test_an_empty_list_says_what_comes_there(
    world: World, tmp_path: Path, screen: str, size: tuple[int, int]
) -> None:
    remove_everything(world)
    async with served(world, "asha", tmp_path, size=size) as run:
        await to_list(run, screen)
        await run.see(NOTHING[screen])
        await run.press("enter")
        assert run.screen == screen


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_courses_lead_to_their_contents(world: World, tmp_path: Path, size: tuple[int, int]) -> None:
    async with served(world, "asha", tmp_path, size=size) as run:
        await to_list(run, "CoursesScreen")
        await run.see("Foundation Science", "Language and Reasoning", "Scholarship Prep")
        await run.press("/", *"lang", "enter", "enter")
        await run.see("How to read a text twice")
        if size != (40, 12):
            assert "Language and Reasoning" in run.words
        await run.press("/", *"puzzle")
        await run.gone("How to read a text twice")
        await run.see("Drawing what a puzzle says")
        await run.press("escape", "escape")
        assert run.screen == "CoursesScreen"


async def test_only_own_courses_are_listed(world: World, tmp_path: Path) -> None:
    async with served(world, "ravi", tmp_path) as run:
        await to_list(run, "CoursesScreen")
        await run.see("Foundation Science", "Language and Reasoning")
        assert "Scholarship" not in run.text()


@pytest.mark.parametrize(("username", "course"), [("asha", "CourseScreen"), ("staff", "StaffCourseScreen")])
async def test_videos_of_all_courses_are_filtered_and_open_their_course(
    world: World, tmp_path: Path, username: str, course: str
) -> None:
    async with served(world, username, tmp_path, size=(80, 24)) as run:
        await to_list(run, "VideosScreen")
        await run.see("Newton's laws with a trolley", "Foundation Science")
        await run.press("/", *"reading", *["space", *"language"], "enter")
        await run.gone("Newton's laws")
        await run.see("How to read a text twice")
        await run.press("enter")
        await run.see("Drawing what a puzzle says")
        assert run.screen == course


def put_contents_first(world: World, course: int, count: int) -> None:
    """Put other contents before those that the course has."""
    with world.database.write() as session:
        for number in range(count):
            session.add(
                tables.Content(
                    uuid=uuid4(), course_id=course, order=-count + number, title=f"Film {number}", content_type="Video"
                )
            )


@pytest.mark.parametrize("others", [0, 45])
async def test_the_course_of_a_video_opens_with_the_cursor_on_the_video(
    world: World, tmp_path: Path, others: int
) -> None:
    put_contents_first(world, 1, others)
    async with served(world, "asha", tmp_path) as run:
        await to_list(run, "VideosScreen")
        await run.press("/", *"trolley", "enter")
        await run.gone("Reading a velocity")
        await run.see("Newton's laws with a trolley")
        key = run.app.screen.query_one(RowList).key
        await run.press("enter")
        await run.see("Watch this on your institute's website")
        await run.until(lambda: run.app.screen.query_one(RowList).key == key)
        await run.press("up")
        assert run.app.screen.query_one(RowList).key != key
        await run.press("r")
        await run.settle()
        assert run.app.screen.query_one(RowList).key != key


@pytest.mark.parametrize("status", [404, 405])
@pytest.mark.parametrize("screen", PLACES)
async def test_a_server_without_the_list_is_noticed_once_and_an_address_is_asked_for(
    world: World, tmp_path: Path, screen: str, status: int
) -> None:
    asked: list[str] = []
    world.app.routes.add_middleware(Lacking, status=status, asked=asked)
    what, told = ("welcome", "A new term begins.") if screen == "NoticesScreen" else ("2", "How to read a text twice")
    async with served(world, "asha", tmp_path) as run:
        await to_list(run, screen)
        await run.see("Find a")
        await run.type(what)
        await run.press("enter")
        await run.see(told)
        await run.press("escape")
        await run.see("This server has no list of ", "Press n to open a ")
        assert "administrators" not in run.text()
        await run.press("n")
        await run.see("Find a")
        await run.press("escape", "r")
        await run.see("Find a")
        await run.press("escape", "escape", "enter")
        await run.see("Find a", "This server has no list of ")
        assert sorted(asked) == sorted({LISTS["NoticesScreen"], LISTS[screen]})  # the home screen asks for notices


async def test_a_list_that_cannot_be_reached_is_tried_again(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise Offline("The server cannot be reached.")

    async with served(world, "asha", tmp_path, size=(40, 12)) as run:
        with monkeypatch.context() as patched:
            patched.setattr(HttpPosts, "readable", away)
            await to_list(run, "NoticesScreen")
            await run.see("The server cannot be reached.")
        await run.press("r")
        await run.see("Foundation Test 2")


@pytest.mark.parametrize("screen", PLACES)
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_lists_are_drawn_without_symbols(
    world: World, tmp_path: Path, screen: str, size: tuple[int, int]
) -> None:
    async with served(world, "asha", tmp_path, size=size, without_symbols=True) as run:
        await to_list(run, screen)
        await run.see(FIRST[screen])
        shown = run.text()
        for text in ("रविवार को पुस्तकालय खुला रहेगा", "–"):  # texts of the institute
            shown = shown.replace(text, "")
        assert not set("│─╭╮╰╯…·•▲▼↑↓→←✓✗“”") & set(shown)


async def test_no_title_of_a_server_prints_control_characters(world: World, tmp_path: Path) -> None:
    texts: Sequence[str] = [text.encode(errors="replace").decode().replace("\x00", "") for text in PAYLOADS.values()]
    hostile = " ".join(texts)
    write_notices(world, 1, hostile[:250], summary=hostile)
    with world.database.write() as session:
        course = tables.Course(name=hostile[:250], is_public=True, created=world.clock.now)
        session.add(course)
        session.flush()
        session.add(
            tables.Content(
                uuid=uuid4(),
                course_id=course.id,
                chapter=hostile[:250],
                order=1,
                title=hostile[:250],
                content_type="Video",
            )
        )
    async with served(world, "asha", tmp_path, size=(80, 24)) as run:
        for screen in PLACES:
            await to_list(run, screen)
            await run.see("red")
            check(run.app)
            await run.press("/", *"red", "enter")
            check(run.app)
            await run.press("enter")
            await run.until(lambda screen=screen: run.screen != screen)  # type: ignore[misc]  # bound now
            await run.settle()
            check(run.app)
            await run.press("escape", "escape", "escape", "escape")
            while run.screen != "AttemptsScreen":
                await run.press("escape")
