"""The first replies are the same bytes as those of the routes, which word every refusal."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest
from sqlalchemy import event

from lms_tui.service.auth.known_devices import HEADER
from lms_tui.service.core.database import tables
from tests.service.service_world import PASSWORD, Caller, World, locked, sums

_GIVEN = json.dumps({"username": "asha", "password": PASSWORD}).encode()
_JSON = {"content-type": "application/json"}


@pytest.fixture
async def routes(world: World) -> AsyncIterator[Caller]:
    """Asha, whom only the routes answer."""
    transport = httpx.ASGITransport(world.app.routes, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://lms.test") as http:
        yield Caller(http, world.caller("asha").headers)


def told(response: httpx.Response) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    return response.status_code, response.headers.raw, response.content


@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize(
    "path", ["me", "exams", "attempts", "exams/sums", "exams/sums/attempts", "exams/parts", "exams/available"]
)
async def test_the_user_the_lists_and_an_exam_are_the_same(
    world: World, asha: Caller, attempt: int, routes: Caller, path: str, slash: str
) -> None:
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    world.add_exam(locked())
    await asha.create("parts")
    reply = await asha.send("GET", f"/api/v2.2/{path}{slash}")
    assert reply.status_code == 200
    assert told(reply) == told(await routes.send("GET", f"/api/v2.2/{path}{slash}"))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("exams/?page=1", 200),
        ("attempts/?page=1&page=2", 404),
        ("attempts/?page=2", 404),
        ("exams/?page=one", 404),
        ("exams/?page=", 404),
        ("exams/?q=sum", 200),
        ("exams/?state=history", 200),
        ("exams/?state=nonsense", 400),
        ("exams/?state=nonsense&state=upcoming", 200),
        ("attempts/?state=nonsense", 200),
        ("attempts/?course=Maths", 200),
        (f"attempts/?q={'x' * 301}", 400),
        ("me/?page=none", 200),
        ("exams/nothing", 404),
        ("exams/s%C3%BCms", 404),
        (f"exams/{'x' * 201}", 404),
        ("exams/nothing/attempts/", 404),
        ("exams/sums/attempts/?page=9", 404),
        ("exams//", 404),
        ("me//", 404),
        ("me%0A", 404),
    ],
)
async def test_pages_filters_and_paths_are_read_the_same_way(
    asha: Caller, attempt: int, routes: Caller, path: str, status: int
) -> None:
    reply = await asha.send("GET", f"/api/v2.2/{path}")
    assert (attempt, reply.status_code) == (attempt, status)
    assert told(reply) == told(await routes.send("GET", f"/api/v2.2/{path}"))


@pytest.mark.parametrize("slash", ["", "/"])
async def test_an_attempt_begins_the_same_way(world: World, asha: Caller, routes: Caller, slash: str) -> None:
    world.add_exam(sums())
    path = f"/api/v2.2/exams/sums/attempts{slash}"
    made = await asha.send("POST", path)
    assert made.status_code == 201
    again = await asha.send("POST", path)
    assert again.status_code == 200
    assert again.content == made.content
    assert told(again) == told(await routes.send("POST", path))
    attempt = made.json()["id"]
    for method, what in (("PUT", "start"), ("GET", "questions"), ("GET", "questions/?page=2")):
        reply = await asha.send(method, f"/api/v2.2/attempts/{attempt}/{what}")
        assert reply.status_code == (404 if "page" in what else 200)
        assert told(reply) == told(await routes.send(method, f"/api/v2.2/attempts/{attempt}/{what}"))


async def test_attempts_are_refused_the_same_way(
    world: World, asha: Caller, ravi: Caller, attempt: int, routes: Caller
) -> None:
    foreign = await ravi.create("sums")
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    for number in (foreign, attempt, 999, "007", 10**18, 10**19, "x"):
        for method, what in (("PUT", "start"), ("GET", "questions")):
            reply = await asha.send(method, f"/api/v2.2/attempts/{number}/{what}/")
            assert reply.status_code in {403, 404}
            assert told(reply) == told(await routes.send(method, f"/api/v2.2/attempts/{number}/{what}/"))


@pytest.mark.parametrize("body", [b"", b"{}", b'{"access_code": "red"}', b"[]", b"{"])
async def test_a_missing_access_code_is_refused_the_same_way(
    world: World, asha: Caller, routes: Caller, body: bytes
) -> None:
    exam = world.add_exam(sums())
    with world.database.write() as session:
        session.get_one(tables.Exam, exam).access_code = "blue"
    reply = await asha.send("POST", "/api/v2.2/exams/sums/attempts/", content=body, headers=_JSON)
    assert reply.status_code == 400
    assert told(reply) == told(await routes.send("POST", "/api/v2.2/exams/sums/attempts/", content=body, headers=_JSON))


async def test_a_large_body_is_refused_the_same_way(world: World, asha: Caller, attempt: int) -> None:
    large = b" " * (world.settings.limits.body + 1)

    async def in_pieces() -> AsyncIterator[bytes]:
        yield large

    for content in (large, in_pieces()):
        reply = await asha.send("POST", "/api/v2.2/exams/sums/attempts/", content=content)
        assert (attempt, reply.status_code, reply.json()) == (
            attempt,
            413,
            {"detail": "The request body is too large."},
        )


@pytest.mark.parametrize("method", ["HEAD", "PUT", "OPTIONS"])
async def test_other_methods_are_refused_the_same_way(asha: Caller, routes: Caller, method: str) -> None:
    reply = await asha.send(method, "/api/v2.2/me/")
    assert reply.status_code == 405
    assert told(reply) == told(await routes.send(method, "/api/v2.2/me/"))


@pytest.mark.parametrize("path", ["me/", "exams/", "attempts/", "exams/sums", "exams/sums/attempts/"])
@pytest.mark.parametrize("sent", [{}, {"Authorization": "JWT x"}, {"Authorization": "Bearer x"}])
async def test_a_stranger_is_refused_the_same_way(
    world: World, routes: Caller, path: str, sent: dict[str, str]
) -> None:
    reply = await world.stranger.send("GET", f"/api/v2.2/{path}", headers=sent)
    assert reply.status_code == 401
    assert told(reply) == told(await Caller(routes.http).send("GET", f"/api/v2.2/{path}", headers=sent))


@pytest.mark.parametrize("version", ["v2.2", "v2.3", "v2.5"])
@pytest.mark.parametrize("slash", ["", "/"])
async def test_a_sign_in_is_the_same_except_for_the_name_of_the_device(
    world: World, routes: Caller, version: str, slash: str
) -> None:
    path = f"/api/{version}/auth-token{slash}"
    first, usual = [await http.post(path, content=_GIVEN, headers=_JSON) for http in (world.http, routes.http)]
    assert first.status_code == 200
    for reply in (first, usual):
        assert len(reply.headers.pop(HEADER)) == 64
    assert told(first) == told(usual)


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (_GIVEN, {}, 200),
        (_GIVEN, {"content-type": "application/problem+json"}, 200),
        (_GIVEN, {"content-type": "text/plain"}, 400),
        (_GIVEN.decode().encode("utf-16"), _JSON, 200),
        (_GIVEN.replace(b"asha", b"nobody"), _JSON, 400),
        (_GIVEN.replace(b"asha", b"\\ud800"), _JSON, 400),
        (_GIVEN.replace(b"asha", b""), _JSON, 400),
        (b'{"username": "asha"}', _JSON, 400),
        (b"[1]", _JSON, 400),
        (b"{", _JSON, 400),
        (b"", _JSON, 400),
    ],
)
async def test_credentials_are_read_the_same_way(
    world: World, routes: Caller, content: bytes, headers: dict[str, str], status: int
) -> None:
    first, usual = [
        await http.post("/api/v2.5/auth-token/", content=content, headers=headers) for http in (world.http, routes.http)
    ]
    assert first.status_code == status, first.text
    assert {HEADER: first.headers.pop(HEADER, None) is None} == {HEADER: usual.headers.pop(HEADER, None) is None}
    assert told(first) == told(usual)


async def test_a_defect_is_told_without_its_details(world: World, asha: Caller, routes: Caller) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("s3cret-canary")

    engine = world.database._reader
    event.listen(engine, "before_cursor_execute", broken)
    try:
        reply, usual = [await caller.send("GET", "/api/v2.2/exams/") for caller in (asha, routes)]
    finally:
        event.remove(engine, "before_cursor_execute", broken)
    assert reply.status_code == 500
    assert told(reply) == told(usual)
