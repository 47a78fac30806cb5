"""The board of a running exam, and messages to its students, on both databases."""

from typing import Any

import pytest
from sqlalchemy import event, insert, select

from lms_tui.service.attempts.lifecycle import unsaved_attempt
from lms_tui.service.core.database import tables
from lms_tui.service.watch.grants import Grants
from tests.service.service_world import Caller, World, locked, sums

PATH = "/api/v2.5/admin/exams/{}/board/"


async def board(caller: Caller, slug: str = "sums", cursor: str = "") -> Any:
    return await caller.get(PATH.format(slug) + (f"?cursor={cursor}" if cursor else ""))


def names(shown: Any) -> list[str]:
    return [row["username"] for row in shown["attempts"]]


@pytest.fixture
def head(world: World) -> Caller:
    world.add_user("head", role="admin")
    return world.caller("head")


def tell(world: World, text: str, *users: str) -> list[dict[str, Any]]:
    with world.database.write() as session:
        grants = Grants(session, world.clock.now, "head", "sums", users)
        grants.message(text)
        return grants.notices()


async def test_the_board_shows_how_far_each_student_is(
    world: World, asha: Caller, ravi: Caller, head: Caller, attempt: int
) -> None:
    other = await ravi.create("sums")
    world.clock.move(minutes=10)
    question = (await asha.questions(attempt))[0]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"
    body = {"selected_answers": [question["question"]["answers"][0]["id"]]}
    await asha.put(path, body, X_Answer_Seq="k3Jx:1")
    await asha.put(path, body, X_Answer_Seq="b81M:1")
    await ravi.put(f"/api/v2.2/attempts/{other}/end/")
    shown = await board(head)
    first, second = shown["attempts"]
    assert (shown["slug"], shown["title"], shown["more"]) == ("sums", "Sums", False)
    assert (first["username"], first["name"], first["state"]) == ("asha", "Asha Nair", "running")
    assert (first["answered"], first["total_questions"], first["remaining_time"]) == (1, 3, "0:20:00")
    assert (first["devices"], first["waiting_notices"]) == (2, 0)
    assert first["last_contact"] == shown["now"]
    assert (second["state"], second["answered"], second["remaining_time"]) == ("ended", 0, None)


async def test_only_what_has_changed_is_told_again(world: World, asha: Caller, ravi: Caller, head: Caller) -> None:
    world.add_exam(sums())
    attempts = {"asha": await asha.create("sums"), "ravi": await ravi.create("sums")}
    first = await board(head)
    assert names(first) == ["asha", "ravi"]
    world.clock.move(seconds=30)
    quiet = await board(head, cursor=first["cursor"])
    world.clock.move(seconds=30)
    assert names(await board(head, cursor=quiet["cursor"])) == []
    await ravi.put(f"/api/v2.2/attempts/{attempts['ravi']}/heartbeat/")
    beaten = await board(head, cursor=quiet["cursor"])
    assert names(beaten) == ["ravi"]
    world.clock.move(seconds=10)
    beaten = await board(head, cursor=beaten["cursor"])
    world.clock.move(seconds=20)
    tell(world, "Please be quiet.", "asha")
    told = await board(head, cursor=beaten["cursor"])
    assert [(row["username"], row["waiting_notices"]) for row in told["attempts"]] == [("asha", 1)]
    world.clock.move(seconds=10)
    told = await board(head, cursor=told["cursor"])
    await ravi.put(f"/api/v2.2/attempts/{attempts['ravi']}/end/")
    ended = await board(head, cursor=told["cursor"])
    assert ("ravi", "ended") in [(row["username"], row["state"]) for row in ended["attempts"]]


async def test_a_mentor_sees_the_own_students_alone(world: World, asha: Caller, ravi: Caller, head: Caller) -> None:
    world.add_exam(sums())
    mentor = world.add_user("farida", role="mentor")
    for caller in (asha, ravi):
        await caller.create("sums")
    assert names(await board(world.caller("farida"))) == []
    path = f"/api/v2.3/admin/mentors/{mentor}/students"
    await head.post(path, {"students_username": ["ravi"]}, status=200)
    assert names(await board(world.caller("farida"))) == ["ravi"]


async def test_states_of_the_clock_are_told(world: World, asha: Caller, ravi: Caller, head: Caller) -> None:
    world.add_exam(locked((10, 20)))
    for caller in (asha, ravi):
        await caller.create("parts")
    with world.database.write() as session:
        Grants(session, world.clock.now, "head", "parts", ["asha"]).pause()
    world.clock.move(minutes=30, seconds=5)
    assert [
        (row["state"], row["remaining_time"], row["ends_at"] is None)
        for row in (await board(head, "parts"))["attempts"]
    ] == [
        ("paused", "0:30:00", True),
        ("time over", "0:00:00", False),
    ]


@pytest.mark.parametrize("cursor", ["x", "1.2", "1.2.x", "-1.2.3", "9" * 50])
async def test_a_cursor_of_another_form_is_refused(world: World, head: Caller, cursor: str) -> None:
    world.add_exam(sums())
    await head.get(PATH.format("sums") + f"?cursor={cursor}", 400)
    await head.get(PATH.format("sums") + "?cursor=9999999999999999.9999999999999999.7")
    await head.get(PATH.format("other"), 404)


async def test_the_queries_and_the_reply_do_not_grow_with_the_exam(world: World, head: Caller) -> None:
    world.add_exam(sums())
    await many_attempts(world, 30)
    few = await counted(world, head)
    await many_attempts(world, 1_170)
    many = await counted(world, head)
    assert many[0] == few[0]
    assert (few[1], many[1]) == (30, 500)
    found, cursor = [], ""
    while True:
        shown = await board(head, cursor=cursor)
        found += names(shown)
        cursor = shown["cursor"]
        if not shown["more"]:
            break
    assert len(found) == len(set(found)) == 1_200


async def many_attempts(world: World, count: int) -> None:
    now = world.clock.now
    with world.database.write() as session:
        exam = session.scalars(select(tables.Exam).where(tables.Exam.slug == "sums")).one()
        before = session.query(tables.User).count()
        people = [
            {
                "username": f"student{number}",
                "name_key": f"student{number}",
                "role": "student",
                "is_active": True,
                "tokens_valid_from": now,
                "created": now,
                "modified": now,
            }
            for number in range(before, before + count)
        ]
        users = session.scalars(insert(tables.User).returning(tables.User.id), people).all()
        session.add_all([unsaved_attempt(exam, user, now) for user in users])


async def counted(world: World, head: Caller) -> tuple[int, int]:
    """Return the number of queries for a board, and of its attempts."""
    queries: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        queries.append(statement)

    engine = world.database._reader
    event.listen(engine, "before_cursor_execute", note)
    shown = await board(head)
    event.remove(engine, "before_cursor_execute", note)
    return len(queries), len(shown["attempts"])


async def test_a_message_is_listed_as_delivered_once_the_app_has_shown_it(
    world: World, asha: Caller, ravi: Caller, attempt: int
) -> None:
    await ravi.create("sums")
    assert [(row["username"], row["shown"]) for row in tell(world, "Question 3: use 9.81.")] == [
        ("asha", None),
        ("ravi", None),
    ]
    (notice,) = await asha.get(f"/api/v2.2/attempts/{attempt}/notices/")
    assert (notice["kind"], notice["text"]) == ("message", "Question 3: use 9.81.")
    world.clock.move(seconds=20)
    assert (await asha.send("PUT", f"/api/v2.2/attempts/{attempt}/notices/{notice['id']}/seen/")).status_code == 204
    with world.database.write() as session:
        rows = Grants(session, world.clock.now, "head", "sums").notices()
    assert {row["username"]: row["shown"] for row in rows} == {
        "asha": (world.clock.now).isoformat(timespec="seconds"),
        "ravi": None,
    }
