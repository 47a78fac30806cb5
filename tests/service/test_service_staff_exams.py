"""The exams of the institute for staff, and changes of running exams over HTTP, on both databases."""

from typing import Any

import pytest
from sqlalchemy import event

from lms_tui.service.core.database import tables
from tests.service.service_world import Caller, World, every_kind, sums

EXAMS = "/api/v2.5/admin/exams/"


@pytest.fixture
def head(world: World) -> Caller:
    world.add_user("head", role="moderator")
    return world.caller("head")


async def numbers(caller: Caller) -> dict[str, tuple[int, int, int]]:
    listed = (await caller.get(EXAMS))["results"]
    return {row["slug"]: (row["running"], row["ended"], row["to_mark"]) for row in listed}


async def test_the_list_counts_attempts_by_state_and_those_to_mark(
    world: World, asha: Caller, ravi: Caller, head: Caller
) -> None:
    world.add_exam(sums())
    world.add_exam(every_kind())
    await asha.create("sums")
    for caller in (asha, ravi):
        attempt = await caller.create("every-kind")
        for question in await caller.questions(attempt):
            if question["question"]["type"] == "E" and caller is ravi:
                await caller.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", {"essay_text": "Because"})
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert await numbers(head) == {"sums": (1, 0, 0), "every-kind": (0, 2, 1)}
    with world.database.write() as session:
        session.query(tables.Exam).filter_by(slug="sums").one().is_archived = True
    assert list(await numbers(head)) == ["every-kind"]


async def test_a_mentor_gets_the_numbers_of_the_own_students(
    world: World, asha: Caller, ravi: Caller, head: Caller
) -> None:
    world.add_exam(sums())
    for caller in (asha, ravi):
        await caller.create("sums")
    mentor = world.add_user("farida", role="mentor")
    world.add_user("boss", role="admin")
    path = f"/api/v2.3/admin/mentors/{mentor}/students"
    await world.caller("boss").post(path, {"students_username": ["ravi"]}, status=200)
    assert await numbers(world.caller("farida")) == {"sums": (1, 0, 0)}
    assert await numbers(head) == {"sums": (2, 0, 0)}
    changes = [(await caller.get(EXAMS))["results"][0]["may_change"] for caller in (world.caller("farida"), head)]
    assert changes == [False, True]


async def test_the_queries_of_the_list_do_not_grow_with_the_exams(world: World, head: Caller) -> None:
    world.add_exam(sums(title="Exam 0"))
    few = await counted(world, head)
    for number in range(1, 12):
        world.add_exam(sums(title=f"Exam {number}"))
    assert await counted(world, head) == few


async def counted(world: World, head: Caller) -> int:
    queries: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        queries.append(statement)

    engine = world.database._reader
    event.listen(engine, "before_cursor_execute", note)
    await head.get(EXAMS)
    event.remove(engine, "before_cursor_execute", note)
    return len(queries)


async def grant(head: Caller, status: int = 200, **body: Any) -> Any:
    return await head.post(f"{EXAMS}sums/grants/", body, status=status)


async def test_each_change_is_carried_out_for_the_named_students_and_audited(
    world: World, asha: Caller, ravi: Caller, head: Caller, attempt: int
) -> None:
    await ravi.create("sums")
    assert await grant(head, kind="time", minutes=5, usernames=["asha"]) == {"changed": 1}
    assert await grant(head, kind="time", minutes=1) == {"changed": 2}
    since = world.clock.now.isoformat()
    world.clock.move(minutes=2)
    assert await grant(head, kind="outage", since=since, until=world.clock.now.isoformat()) == {"changed": 2}
    assert await grant(head, kind="pause", usernames=["asha"]) == {"changed": 1}
    assert await grant(head, kind="go-on") == {"changed": 1}
    assert await grant(head, kind="message", text="  Use \n 9.81. ") == {"changed": 2}
    assert await grant(head, kind="end") == {"changed": 2}
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert await grant(head, kind="reopen", usernames=["asha"], minutes=3) == {"changed": 1}
    with world.database.read() as session:
        lines = session.query(tables.AuditLine).order_by(tables.AuditLine.id).all()
        told = session.query(tables.Notice).filter_by(kind="message").first()
        assert {line.who for line in lines} == {"head"}
        assert {line.what for line in lines} >= {"exam.time", "exam.pause", "exam.go-on", "exam.end", "exam.reopen"}
        assert told is not None
        assert told.text == "Use 9.81."


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "time"}, "minutes"),
        ({"kind": "time", "minutes": -1}, "minutes"),
        ({"kind": "time", "minutes": 1441}, "minutes"),
        ({"kind": "message"}, "text"),
        ({"kind": "message", "text": "x" * 501}, "text"),
        ({"kind": "reopen"}, "usernames"),
        ({"kind": "outage", "since": "2026-03-02T08:50:00Z"}, "until"),
        ({"kind": "outage", "since": "2026-03-02T08:50:00Z", "until": "2026-03-02T08:50:00Z"}, "until"),
        ({"kind": "outage", "since": "2026-03-02T08:50:00Z", "until": "2026-03-03T08:50:00Z"}, "until"),
        ({"kind": "time", "minutes": 5, "usernames": ["nobody"]}, "user"),
        ({"kind": "vanish"}, "kind"),
    ],
)
async def test_a_change_that_cannot_be_made_is_refused_at_its_field(
    head: Caller, attempt: int, body: dict[str, Any], field: str
) -> None:
    assert attempt
    assert list(await grant(head, 400, **body)) == [field]


async def test_an_unknown_exam_is_not_found(head: Caller) -> None:
    await grant(head, 404, kind="pause")
