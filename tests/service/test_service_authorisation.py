"""Every route with every kind of caller on both databases, made from the table beside this file."""

import base64
import json
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fastapi.routing import iter_route_contexts

from lms_tui.service.core.database import tables
from lms_tui.service.core.openapi import PATH
from tests.service.authorisation import TABLE, Row, Who
from tests.service.postgres import Cluster
from tests.service.service_world import Caller, World, sums
from tests.service.shapes import data_address, person, picture
from tests.service.video_world import add_course

VERSIONS = ("v2.2", "v2.3", "v2.4", "v2.5", "v3")
ATTEMPT_ROWS = [row for row in TABLE if row.states]


@dataclass
class Institute:
    """A world with one of everything. `places`: what stands for the names in the paths of the table."""

    world: World
    callers: dict[Who, Caller]
    places: dict[str, str]
    attempts: dict[str, dict[str, str]]

    def filled(self, text: str, **places: str) -> str:
        named = self.places | places
        return re.sub(r"\{(\w+)\}", lambda found: named[found[1]], text)

    async def status(self, row: Row, who: Who, **places: str) -> tuple[int, Any]:
        path = self.filled(row.path + row.query, **places)
        response = await self.callers[who].send(row.method, path, json=row.body)
        return response.status_code, response.text


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def address(request: pytest.FixtureRequest) -> Iterator[str]:
    """A prepared database of this module, "" for SQLite."""
    if request.param == "sqlite":
        yield ""
        return
    running: Cluster = request.getfixturevalue("postgresql")
    with running.lent() as address:
        yield address


@pytest.fixture(scope="module")
def folder(address: str, prepared_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("institute")
    if not address:
        (folder / "service.sqlite3").write_bytes(prepared_file.read_bytes())
        (folder / "service.sqlite3").chmod(0o600)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def prepared_institute(folder: Path, address: str) -> Institute:
    """An institute to copy, whose world is closed."""
    made = await furnished(World.at(folder, address))
    await made.world.close()
    return made


@pytest.fixture
def copied(address: str, prepared_institute: Institute, request: pytest.FixtureRequest) -> Iterator[str]:
    """A copy of the database of the institute, "" for SQLite, whose file is copied with its folder."""
    if not address:
        yield ""
        return
    running: Cluster = request.getfixturevalue("postgresql")
    with running.lent(address) as copy:
        yield copy


@pytest.fixture
async def institute(
    prepared_institute: Institute, folder: Path, copied: str, tmp_path: Path
) -> AsyncIterator[Institute]:
    shutil.copytree(folder, tmp_path / "service")
    world = World.at(tmp_path / "service", copied)
    world.clock.now = prepared_institute.world.clock.now
    callers = {who: replace(caller, http=world.http) for who, caller in prepared_institute.callers.items()}
    yield replace(prepared_institute, world=world, callers=callers)
    await world.close()


async def furnished(world: World) -> Institute:
    course = add_course(world)
    asha = world.add_user("asha", email="asha@lms.test", batches=("Evening",))
    callers = {
        Who.NOBODY: world.stranger,
        Who.FORGED: Caller(world.http, {"Authorization": f"JWT {unsigned(asha)}"}),
        Who.REVOKED: person(world, "gone", "admin"),
        Who.OTHER: person(world, "ravi", "student"),
        Who.MENTOR: person(world, "farida", "mentor"),
        Who.MODERATOR: person(world, "prakash", "moderator"),
        Who.ADMIN: person(world, "head", "admin"),
        Who.OWNER: world.caller("asha"),
    }
    with world.database.write() as session:
        session.query(tables.User).filter_by(username="gone").one().is_active = False
        mentor = session.query(tables.User).filter_by(username="farida").one().id
        batch = session.query(tables.Batch).filter_by(name="Evening").one().id
    admin, owner = callers[Who.ADMIN], callers[Who.OWNER]
    post = await admin.post("/api/v2.2/admin/posts/", {"title": "News", "batches": ["Evening"]})
    token = await admin.post(course.tokens, {})
    page = await world.http.get(token["playback_url"])
    photo = (await owner.put(f"/api/v2.2/users/{asha}", {"photo": data_address(picture(30, 30))}))["photo"]
    attempts = await attempts_of(world, owner)
    places = {
        "slug": post["url"].rsplit("/", 1)[1],
        "course_id": str(course.id),
        "content_id": str(course.video),
        "video_id": str(course.uuid),
        "code": token["code"],
        "name": re.findall(r"playback/([\w-]+)", page.text)[0],
        "user_id": str(asha),
        "folder": photo.split("/")[-2],
        "file": photo.split("/")[-1],
        "mentor_id": str(mentor),
        "batch_id": str(batch),
        "exam_slug": "running",
        "ended_id": attempts["completed"]["attempt_id"],
        "notice_id": "1",
        "digest": "0" * 64,
        **attempts["running"],
    }
    return Institute(world, callers, places, attempts)


async def attempts_of(world: World, owner: Caller) -> dict[str, dict[str, str]]:
    """Let the owner sit three exams: one goes on, one is ended, the time of one runs out."""
    for title in ("Running", "Completed"):
        world.add_exam(sums(title=title, duration=None), is_public=False, batches=("Evening",), allow_pdf=True)
    world.add_exam(sums(title="Time over"), is_public=False, batches=("Evening",), allow_pdf=True)
    attempts = {}
    for state in ("running", "completed", "time over"):
        number = await owner.create(state.replace(" ", "-"))
        with world.database.read() as session:
            question = session.query(tables.AttemptQuestion).filter_by(attempt_id=number).first()
            assert question is not None
            attempts[state] = {
                "attempt_id": str(number),
                "question_id": str(question.id),
                "section_id": str(question.section_id),
            }
    await owner.put(f"/api/v2.2/attempts/{attempts['completed']['attempt_id']}/end/")
    world.clock.move(minutes=31)
    return attempts


def unsigned(user_id: int) -> str:
    """A token that names a user and that nobody has signed."""
    claims = {"sub": str(user_id), "user_id": user_id, "username": "asha", "email": "", "iat": 1, "exp": 4_000_000_000}
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def test_every_route_has_a_row_and_every_row_a_route(institute: Institute) -> None:
    routes = {
        (method, (context.path or "").rstrip("/"))
        for context in iter_route_contexts(institute.world.app.routes.routes)
        for method in context.methods or ()
    }
    routes.discard(("GET", PATH.rstrip("/")))  # the description of the service: the same for everybody, no row needed
    listed = {
        (method, path.replace("exam_slug", "slug").replace("ended_id", "attempt_id"))
        for method, path in (row.key for row in TABLE)
    }
    assert routes == listed
    assert len(TABLE) == len({row.key for row in TABLE})


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
async def test_each_route_admits_exactly_the_roles_of_the_table(institute: Institute, row: Row) -> None:
    # Those who are refused come first: what they must not do would show in what the others get.
    for who in sorted(Who, key=lambda who: (row.status_for(who) < 400, who is Who.OWNER)):
        status, text = await institute.status(row, who)
        assert status == row.status_for(who), (who, text)
        if status in {401, 403} and not row.path.startswith("/embed/"):
            assert set(json.loads(text)) == {"detail"}


@pytest.mark.parametrize("row", ATTEMPT_ROWS, ids=lambda row: row.name)
async def test_only_the_owner_can_use_an_attempt_and_only_in_its_state(institute: Institute, row: Row) -> None:
    for state, places in institute.attempts.items():
        for who in Who:
            if who is not Who.OWNER:
                assert (await institute.status(row, who, **places))[0] == row.status_for(who), (state, who)
        foreign = await institute.status(row, Who.OTHER, **places)
        missing = await institute.status(row, Who.OTHER, **{**places, "attempt_id": "4711"})
        assert foreign == missing == (403, foreign[1]), "a probe must not tell which attempts there are"
        assert (await institute.status(row, Who.OWNER, **places))[0] == row.states[state], state


@pytest.mark.parametrize(
    "row", [row for row in ATTEMPT_ROWS if "{question_id}" in row.path or "{section_id}" in row.path]
)
async def test_parts_of_another_attempt_are_refused_under_an_own_one(institute: Institute, row: Row) -> None:
    own, other = institute.attempts["running"], institute.attempts["completed"]
    mixed = {**other, "attempt_id": own["attempt_id"]}
    assert (await institute.status(row, Who.OWNER, **mixed))[0] == 403


async def test_a_resource_is_not_found_under_other_versions(institute: Institute) -> None:
    known = {(method, re.sub(r"\{\w+\}", "{}", path)) for method, path in (row.key for row in TABLE)}
    for row in TABLE:
        for version in VERSIONS:
            path = re.sub(r"^/api/v[^/]+", f"/api/{version}", row.path)
            if (row.method, re.sub(r"\{\w+\}", "{}", path.rstrip("/"))) in known:
                continue
            response = await institute.callers[Who.ADMIN].send(row.method, institute.filled(path))
            assert response.status_code in {404, 405}, f"{row.method} {path}"


async def test_a_header_does_not_change_the_method(institute: Institute) -> None:
    path = institute.filled("/api/v2.2/users/{user_id}")
    for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        response = await institute.callers[Who.OTHER].send("GET", path, headers={name: "DELETE"})
        assert response.status_code == 200
    await institute.callers[Who.OWNER].get("/api/v2.2/me/")


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PATCH", "TRACE"])
async def test_other_methods_are_not_allowed(institute: Institute, method: str) -> None:
    for row in TABLE:
        response = await institute.callers[Who.ADMIN].send(method, institute.filled(row.path))
        assert response.status_code == 405, row.name
