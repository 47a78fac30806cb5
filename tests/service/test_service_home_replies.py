"""The first stage of the demo institute gives the same bytes as the whole service, and leaves it every refusal."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from decimal import Decimal
from itertools import product
from pathlib import Path
from uuid import UUID

import anyio
import anyio.lowlevel
import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.attempts.lifecycle import new_attempt
from lms_tui.service.auth.guesses import FAMILIAR, Guess
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.known_devices import HEADER, KnownDevices
from lms_tui.service.core.database import tables
from lms_tui.service.core.database.callers import SqliteCallers
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import ServiceSettings
from lms_tui.service.demo.template import copy_institute
from lms_tui.service.exams.importer import batch_named
from lms_tui.service.server import building
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.home.institute import Institute
from lms_tui.service.server.home.replies import HomeReplies
from lms_tui.service.server.home.stage import FirstStage
from lms_tui.service.server.passing_on import PassedOn
from lms_tui.service.server.process import run
from lms_tui.service.server.whole import Whole
from tests.service.service_world import PASSWORD, START, Caller, World, copy_database, locked, sums

FOR_WHOLE = 299
"""The status of a reply in these tests that the whole service would give."""
LISTS = ("me", "exams/?state=available", "exams/?page=1&state=upcoming", "attempts", "attempts/?page=1")
GIVEN = json.dumps({"username": "asha", "password": PASSWORD}).encode()
JSON = {"content-type": "application/json"}


@asynccontextmanager
async def first_stage(world: World) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client that only the first stage answers."""
    service = world.app.service
    with closing(Institute(world.settings.database_file)) as institute:
        replies = HomeReplies(
            institute,
            SqliteCallers(lambda: institute.connection),
            PasswordCheck(Passwords(), 1),
            KnownDevices(service.signer),
            service.tokens,
            world.clock,
            world.settings.limits,
            world.settings.timing,
        )

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await replies.reply(scope, receive, send)
            except PassedOn as request:
                with anyio.fail_after(1):
                    await whole(scope, request.receive, send)

        async def whole(scope: Scope, receive: Receive, send: Send) -> None:
            body = (await receive()).get("body", b"")
            await PlainTextResponse(body.decode("latin-1"), FOR_WHOLE)(scope, receive, send)

        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lms.test") as http:
            yield http


@pytest.fixture
def database_url(prepared_file: Path, tmp_path: Path) -> str:
    """Keep the world of these tests in SQLite, as the demo institute is."""
    copy_database(prepared_file, tmp_path / "service")
    return ""


@pytest.fixture
async def home(world: World) -> AsyncIterator[httpx.AsyncClient]:
    async with first_stage(world) as http:
        yield http


def told(response: httpx.Response) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    return response.status_code, response.headers.raw, response.content


async def compare(world: World, home: httpx.AsyncClient, username: str) -> None:
    """Check that the first stage and the whole service tell a user the same, also of exams that are new to the user."""
    whole = world.caller(username)
    for path in LISTS:
        reply = await home.get(f"/api/v2.2/{path}", headers=whole.headers)
        assert reply.status_code == 200
        assert told(reply) == told(await whole.send("GET", f"/api/v2.2/{path}"))
    listed = (await home.get(f"/api/v2.2/{LISTS[1]}", headers=whole.headers)).json()["results"]
    new = {exam["slug"] for exam in listed}
    with world.database.read() as session:
        slugs = session.scalars(select(tables.Exam.slug)).all()
    for slug, page in product(slugs, ("", "/", "/attempts", "/attempts/?page=1")):
        path = f"/api/v2.2/exams/{slug}{page}"
        reply = await home.get(path, headers=whole.headers)
        assert reply.status_code == (200 if slug in new else FOR_WHOLE)
        if slug in new:
            assert told(reply) == told(await whole.send("GET", path))


async def test_every_user_of_the_demo_institute_is_told_the_same(tmp_path: Path) -> None:
    copy_institute(tmp_path / "service.sqlite3", START)
    world = World.at(tmp_path)
    with world.database.read() as session:
        names = session.scalars(select(tables.User.username)).all()
    async with first_stage(world) as home:
        for name in names:
            await compare(world, home, name)
    await world.close()
    assert len(names) > 10


async def test_attempts_in_every_state_are_the_same(
    world: World, home: httpx.AsyncClient, asha: Caller, ravi: Caller, attempt: int
) -> None:
    for question, right in world.right_answers(attempt).items():
        await asha.answer(attempt, question, *right)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    other = await ravi.create("sums")
    await ravi.put(f"/api/v2.2/attempts/{other}/end/")
    world.add_exam(locked())
    parts = await asha.create("parts")
    world.clock.move(minutes=3)
    await asha.put(f"/api/v2.2/attempts/{parts}/heartbeat/")
    world.clock.move(minutes=4)
    for name in ("asha", "ravi"):
        await compare(world, home, name)
    with world.database.write() as session:
        session.get_one(tables.Attempt, parts).paused = world.clock.now
    await compare(world, home, "asha")


async def test_a_long_history_is_counted(world: World, home: httpx.AsyncClient, asha: Caller) -> None:
    world.add_exam(sums(1))
    for _ in range(23):
        attempt = await asha.create("sums")
        await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
        world.clock.move(minutes=1)
    await compare(world, home, "asha")
    reply = await home.get("/api/v2.2/attempts/", headers=asha.headers)
    assert (reply.json()["count"], reply.json()["next"]) == (23, "http://lms.test/api/v2.2/attempts/?page=2")


DAYS = st.sampled_from([timedelta(days=-2), timedelta(), timedelta(seconds=1), timedelta(days=3)])
"""From now to the start or the end of something."""
EXAMS = st.lists(
    st.fixed_dictionaries(
        {
            "published": st.booleans(),
            "public": st.booleans(),
            "course": st.sampled_from(["Open", "Evening only", "Nobody's"]),
            "batches": st.sets(st.sampled_from(["Evening", "Morning"])),
            "starts": DAYS,
            "ends": st.none() | DAYS,
            "content": st.none() | st.tuples(st.booleans(), st.none() | DAYS, st.sampled_from(["asha", "ravi"])),
            "attempted": st.booleans(),
        }
    ),
    max_size=6,
)


@given(exams=EXAMS, later=st.none() | st.sampled_from([timedelta(), timedelta(days=3)]))
@settings(max_examples=40, deadline=None)
def test_the_lists_are_the_same_for_every_institute(
    prepared_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
    exams: list[dict[str, object]],
    later: timedelta | None,
) -> None:
    folder = tmp_path_factory.mktemp("institute")
    copy_database(prepared_file, folder)
    anyio.run(_compare_lists, folder, exams, later)


async def _compare_lists(folder: Path, exams: list[dict[str, object]], later: timedelta | None) -> None:
    world = World.at(folder)
    world.add_user("asha", batches=("Evening",))
    world.add_user("ravi")
    for number, wanted in enumerate(exams):
        key = world.add_exam(sums(1, title=f"Exam {number}"), course=str(wanted["course"]))
        _set_up(world, key, wanted)
    with world.database.write() as session:
        for course in session.scalars(select(tables.Course)):
            course.is_public = course.name == "Open"
            if course.name == "Evening only":
                batch = batch_named(session, "Evening", world.clock.now)
                session.flush()
                session.execute(tables.course_batches.insert().values(course_id=course.id, batch_id=batch.id))
        if later is not None:
            asha = session.scalars(select(tables.User).where(tables.User.username == "asha")).one()
            asha.accommodation = tables.Accommodation(
                factor=Decimal("1.5"), extra=timedelta(minutes=5), closes_later=later, no_limit=False
            )
    async with first_stage(world) as home:
        await compare(world, home, "asha")
        await compare(world, home, "ravi")
    await world.close()


def _set_up(world: World, key: int, wanted: dict[str, object]) -> None:
    """Give an exam the dates, the students and the attempt that an example asks for."""
    now = world.clock.now
    with world.database.write() as session:
        exam = session.get_one(tables.Exam, key)
        users = {user.username: user.id for user in session.scalars(select(tables.User))}
        exam.is_published, exam.is_public = bool(wanted["published"]), bool(wanted["public"])
        starts, ends = wanted["starts"], wanted["ends"]
        assert isinstance(starts, timedelta)
        exam.start_date = now + starts
        exam.end_date = now + ends if isinstance(ends, timedelta) else None
        assert isinstance(wanted["batches"], set)
        for name in sorted(wanted["batches"]):
            batch = batch_named(session, name, now)
            session.flush()
            session.execute(tables.exam_batches.insert().values(exam_id=key, batch_id=batch.id))
        if isinstance(wanted["content"], tuple):
            published, begins, student = wanted["content"]
            content = tables.Content(
                uuid=UUID(int=key),
                course_id=exam.course_id,
                exam_id=key,
                order=key,
                title="Test",
                content_type=tables.ContentType.EXAM,
                is_published=published,
                start_date=None if begins is None else now + begins,
            )
            session.add(content)
            session.flush()
            session.execute(tables.content_assignments.insert().values(content_id=content.id, user_id=users[student]))
        if wanted["attempted"]:
            new_attempt(session, exam, users["asha"], now)


@pytest.mark.parametrize(
    "path",
    [
        "exams",
        "exams/?state=history",
        "exams/?state=nonsense",
        "exams/?state=available&q=sum",
        "exams/?state=available&page=2",
        "exams/?state=available&state=upcoming",
        "attempts/?page=2",
        "attempts/?page=1&page=1",
        "attempts/?q=x",
        "exams/nowhere",
        "exams/nowhere/attempts/",
        "exams/fresh/?page=1",
        "exams/fresh/attempts/?page=2",
        "exams/fresh/questions/",
        "posts/",
        "me//",
    ],
)
async def test_other_requests_are_left_to_the_whole_service(
    world: World, home: httpx.AsyncClient, asha: Caller, path: str
) -> None:
    world.add_exam(sums(1, title="Fresh"))
    assert (await home.get("/api/v2.2/exams/fresh/", headers=asha.headers)).status_code == 200
    assert (await home.get(f"/api/v2.2/{path}", headers=asha.headers)).status_code == FOR_WHOLE


async def test_who_is_not_signed_in_is_left_to_the_whole_service(world: World, home: httpx.AsyncClient) -> None:
    headers = world.caller("ravi").headers
    assert (await home.get("/api/v2.2/me/")).status_code == FOR_WHOLE
    assert (await home.get("/api/v2.2/me/", headers={"Authorization": "JWT x"})).status_code == FOR_WHOLE
    assert (await home.get("/api/v2.2/me/", headers=headers)).status_code == 200
    with world.database.write() as session:
        session.scalars(select(tables.User).where(tables.User.username == "ravi")).one().is_active = False
    assert (await home.get("/api/v2.2/me/", headers=headers)).status_code == FOR_WHOLE


async def test_an_attempt_that_must_be_ended_is_left_to_the_whole_service(
    world: World, home: httpx.AsyncClient, asha: Caller, attempt: int
) -> None:
    world.clock.move(minutes=31)
    for path in LISTS:
        assert (await home.get(f"/api/v2.2/{path}", headers=asha.headers)).status_code == FOR_WHOLE
    assert attempt


async def test_more_exams_than_a_page_holds_are_left_to_the_whole_service(
    world: World, home: httpx.AsyncClient, asha: Caller
) -> None:
    for number in range(21):
        assert (await home.get("/api/v2.2/exams/?state=available", headers=asha.headers)).status_code == 200
        world.add_exam(sums(1, title=f"Exam {number}"))
    assert (await home.get("/api/v2.2/exams/?state=available", headers=asha.headers)).status_code == FOR_WHOLE


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("version", ["v2.2", "v2.5"])
async def test_a_sign_in_is_the_same_except_for_the_name_of_the_device(
    world: World, home: httpx.AsyncClient, version: str, slash: str
) -> None:
    path = f"/api/{version}/auth-token{slash}"
    replies = [await http.post(path, content=GIVEN, headers=JSON) for http in (home, world.http)]
    for reply in replies:
        assert len(reply.headers.pop(HEADER)) == 64
    assert replies[0].status_code == 200
    assert told(replies[0]) == told(replies[1])


async def test_a_device_keeps_its_name(home: httpx.AsyncClient) -> None:
    first = await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)
    known = {**JSON, HEADER: first.headers[HEADER]}
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=known)).headers[HEADER] == known[HEADER]
    other = {**JSON, HEADER: "of another institute"}
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=other)).headers[HEADER] != other[HEADER]


async def test_a_sign_in_is_remembered_as_the_whole_service_does_it(world: World, home: httpx.AsyncClient) -> None:
    def levels() -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(world.settings.database_file)) as connection:
            return connection.execute("SELECT key, level, counted, blocked_until FROM sign_in_levels").fetchall()

    await world.http.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)
    expected = levels()
    with closing(sqlite3.connect(world.settings.database_file)) as connection:
        connection.execute("DELETE FROM sign_in_levels")
        connection.commit()
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == 200
    assert levels() == expected
    guess = Guess("asha", "127.0.0.1", "", START)
    assert [row[0] for row in expected] == [FAMILIAR.key("address", guess.account, guess.address)]


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (GIVEN.replace(PASSWORD.encode(), b"guess"), JSON),
        (GIVEN.replace(b"asha", b"nobody"), JSON),
        (GIVEN.replace(b"asha", b"ravi").replace(PASSWORD.encode(), b""), JSON),
        (GIVEN, {"content-type": "text/plain"}),
        (b"{", JSON),
        (b"", JSON),
        (GIVEN, {**JSON, "content-length": "9999999"}),
    ],
)
async def test_a_sign_in_that_is_refused_is_left_to_the_whole_service_with_its_body(
    home: httpx.AsyncClient, content: bytes, headers: dict[str, str]
) -> None:
    reply = await home.post("/api/v2.5/auth-token/", content=content, headers=headers)
    assert reply.status_code == FOR_WHOLE
    assert reply.content == content


async def test_a_disabled_account_is_left_to_the_whole_service(world: World, home: httpx.AsyncClient) -> None:
    with world.database.write() as session:
        session.scalars(select(tables.User).where(tables.User.username == "asha")).one().is_active = False
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == FOR_WHOLE


async def test_a_blocked_account_is_left_to_the_whole_service(world: World, home: httpx.AsyncClient) -> None:
    wrong = GIVEN.replace(PASSWORD.encode(), b"guess")
    for _ in range(6):
        await world.http.post("/api/v2.5/auth-token/", content=wrong, headers=JSON)
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == FOR_WHOLE
    world.clock.move(minutes=10)
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == 200


async def test_levels_of_the_future_are_left_to_the_whole_service(world: World, home: httpx.AsyncClient) -> None:
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == 200
    world.clock.move(days=-1)
    assert (await home.post("/api/v2.5/auth-token/", content=GIVEN, headers=JSON)).status_code == FOR_WHOLE


async def test_a_table_that_is_damaged_is_left_to_the_whole_service(
    world: World, home: httpx.AsyncClient, asha: Caller
) -> None:
    with closing(sqlite3.connect(world.settings.database_file)) as connection:
        connection.execute("DROP TABLE accommodations")
        connection.commit()
    for path in LISTS[1:3]:
        assert (await home.get(f"/api/v2.2/{path}", headers=asha.headers)).status_code == FOR_WHOLE
    assert (await home.get("/api/v2.2/attempts/", headers=asha.headers)).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE alembic_version SET version_num = '0001'",
        "DROP TABLE alembic_version",
        "UPDATE users SET username = 'other', name_key = 'other' WHERE username = 'asha'",
        "DELETE FROM batches WHERE name = 'Foundation Morning'",
        "DELETE FROM categories",
    ],
)
def test_an_institute_that_must_be_changed_or_explained_is_not_ready(tmp_path: Path, change: str) -> None:
    file = tmp_path / "service.sqlite3"
    copy_institute(file, START)
    ready = Institute.ready_in(file, demo=True)
    assert ready is not None
    ready.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(change)
        connection.commit()
    assert Institute.ready_in(file, demo=True) is None


def test_an_institute_that_cannot_be_written_is_not_ready(tmp_path: Path) -> None:
    file = tmp_path / "service.sqlite3"
    copy_institute(file, START)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert Institute.ready_in(file, demo=True) is None
    ready = Institute.ready_in(file, demo=True)
    assert ready is not None
    ready.close()


def test_a_file_that_is_no_database_is_not_ready(tmp_path: Path) -> None:
    file = tmp_path / "service.sqlite3"
    file.write_bytes(b"no database" * 1000)
    assert Institute.ready_in(file, demo=True) is None


async def _refuse_all(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("whole", FOR_WHOLE)(scope, receive, send)


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[httpx.AsyncClient]:
    """Run the lifespan of an application beside its requests, as a server does."""
    sent, received = anyio.create_memory_object_stream[str](2)
    started = anyio.Event()

    async def receive() -> Message:
        return {"type": await received.receive()}

    async def send(_message: Message) -> None:
        started.set()

    async def serve() -> None:
        await app({"type": "lifespan", "state": {}}, receive, send)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        await sent.send("lifespan.startup")
        await started.wait()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lms.test") as http:
            yield http
        await sent.send("lifespan.shutdown")
    sent.close()
    received.close()


class _NoReplies(HomeReplies):
    def __init__(self) -> None:
        """Leave every request to the whole service."""

    async def reply(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise PassedOn(receive)


async def test_a_request_waits_for_the_whole_service_which_is_built_once() -> None:
    built: list[str] = []

    def build() -> Whole:
        built.append("whole")
        return Whole(_refuse_all, _nothing)

    async with running(FirstStage(_NoReplies(), build, lambda _error: None)) as http:
        for _ in range(3):
            assert (await http.get("/anything")).text == "whole"
    assert built == ["whole"]


async def test_the_whole_service_is_built_when_nobody_asks() -> None:
    built = anyio.Event()

    def build() -> Whole:
        anyio.from_thread.run_sync(built.set)
        return Whole(_refuse_all, _nothing)

    async with running(FirstStage(_NoReplies(), build, lambda _error: None)):
        with anyio.fail_after(30):
            await built.wait()


class _AnyReply(HomeReplies):
    def __init__(self) -> None:
        """Answer every request."""

    async def reply(self, scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("first")(scope, receive, send)


async def test_requests_put_the_building_off_for_a_short_time_only() -> None:
    stage = FirstStage(_AnyReply(), lambda: Whole(_refuse_all, _nothing), lambda _error: None)
    async with running(stage) as http:
        assert (await http.get("/anything")).text == "first"
        with anyio.fail_after(30):
            while (await http.get("/anything")).text == "first":
                await anyio.lowlevel.checkpoint()  # requests without a socket leave the loop no turn


async def test_a_service_that_cannot_be_built_refuses_requests_and_ends() -> None:
    errors: list[Exception] = []
    refusal = ServiceError("It cannot start.", "Try again.")

    def build() -> Whole:
        raise refusal

    async with running(FirstStage(_NoReplies(), build, errors.append)) as http:
        assert (await http.get("/anything")).status_code == 503
    assert errors == [refusal]


def test_the_process_explains_why_the_whole_service_was_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> Whole:
        raise ServiceError("The disk is gone.", "Look for it.")

    monkeypatch.setattr(building, "build_behind", refuse)
    with pytest.raises(ServiceError, match="The disk is gone"):
        run(ServiceSettings(tmp_path, demo=True))
