"""The stored totals of ended attempts always equal a computation from every row."""

import asyncio
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from alembic import command
from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.service.attempts.results import question_statistics
from lms_tui.service.attempts.sweep import sweep
from lms_tui.service.core.database.tables import BestScore, QuestionTotal, ScoreCount, User
from lms_tui.service.core.database.upgrade import configuration
from lms_tui.service.core.principal import Role
from tests.service.class_oracle import rankings_by_hand, statistics_by_hand
from tests.service.service_world import Caller, World, choice, exam_of

STUDENTS = 6
EXAMS = ("sums", "thirds")


@pytest.fixture
def institute(world: World) -> World:
    """Two exams that can be retaken, one with marks that make many different scores, and some students."""
    world.add_exam(exam_of(*(choice(f"Sum {number}") for number in range(3))))
    marks = (Decimal("0.3333"), Decimal("0.25"), Decimal(2))
    world.add_exam(exam_of(*(choice(f"Part {mark}", marks=mark) for mark in marks), title="Thirds"))
    for number in range(STUDENTS):
        world.add_user(f"student{number}")
    world.add_user("head", role=Role.ADMIN.value)
    return world


async def answer_some(world: World, caller: Caller, slug: str, random: Random) -> int:
    # A student may come back to an attempt that still runs.
    attempt = (await caller.send("POST", f"/api/v2.2/exams/{slug}/attempts/")).json()["id"]
    for question, right in world.right_answers(attempt).items():
        world.clock.move(seconds=random.randint(1, 9))
        if random.random() < 0.8:
            chosen = right if random.random() < 0.6 else [world.wrong_answer(question)]
            await caller.answer(attempt, question, *chosen)
    return int(attempt)


async def end(caller: Caller, attempt: int) -> Any:
    return await caller.put(f"/api/v2.2/attempts/{attempt}/end/")


def sweep_now(world: World) -> int:
    return sweep(world.database, "one", world.clock.now, grace=timedelta(), lasts=timedelta(seconds=1))


async def shown(caller: Caller, page: str = "/api/v2.2/attempts/") -> list[Any]:
    """Return every attempt of a student as the pages of a list show it."""
    found: list[Any] = []
    while page:
        got = await caller.get(page)
        found += got["results"]
        assert got["count"] >= len(found)
        page = got["next"]
    return found


async def check(world: World) -> None:
    """Compare every rank and every number of a question with those computed from every row."""
    sweep_now(world)
    with world.database.read() as session:
        expected, statistics = rankings_by_hand(session), statistics_by_hand(session)
        assert question_statistics(session, list(statistics)) == statistics
        students = session.scalars(select(User.username).where(User.username.startswith("student"))).all()
    ranked = 0
    for name in students:
        for one in await shown(world.caller(name)):
            if one["state"] == "Completed":
                place = expected[one["id"]]
                assert (one["rank"], one["max_rank"]) == (place.rank, place.max_rank)
                assert one["percentile"] == place.percentile
                ranked += 1
    assert ranked == len(expected)


@pytest.mark.parametrize("seed", range(2))
async def test_ranks_and_statistics_are_those_of_every_row_whatever_happened(institute: World, seed: int) -> None:
    random = Random(seed)
    students = {f"student{number}": institute.caller(f"student{number}") for number in range(STUDENTS)}
    for step in range(24):
        name = random.choice(list(students))
        attempt = await answer_some(institute, students[name], random.choice(EXAMS), random)
        fate = random.random()
        if fate < 0.6:
            await end(students[name], attempt)
        elif fate < 0.75:
            institute.clock.move(hours=1)
            sweep_now(institute)
        elif fate < 0.85:
            institute.clock.move(hours=1)
            await students[name].get("/api/v2.2/attempts/")
        elif fate < 0.9 and len(students) > 2:
            account = (await students.pop(name).get("/api/v2.2/me/"))["id"]
            await institute.caller("head").send("DELETE", f"/api/v2.2/admin/users/{account}")
        if step % 6 == 5:
            await check(institute)


async def test_ends_at_once_are_all_counted(institute: World) -> None:
    random = Random(7)
    callers = [institute.caller(f"student{number}") for number in range(STUDENTS)]
    sat = [(caller, await answer_some(institute, caller, slug, random)) for caller in callers for slug in EXAMS]
    leaving = (await callers[0].get("/api/v2.2/me/"))["id"]
    head = institute.caller("head")
    await asyncio.gather(
        *(end(caller, attempt) for caller, attempt in sat[2:]),
        head.send("DELETE", f"/api/v2.2/admin/users/{leaving}"),
    )
    await check(institute)


async def test_a_student_who_is_deleted_while_an_attempt_ends_is_not_counted(institute: World) -> None:
    random = Random(8)
    head = institute.caller("head")
    for number in range(STUDENTS):
        caller = institute.caller(f"student{number}")
        await end(caller, await answer_some(institute, caller, "sums", random))
        attempt = await answer_some(institute, caller, "sums", random)
        account = (await caller.get("/api/v2.2/me/"))["id"]
        if number % 2:
            ended, deleted = await asyncio.gather(
                caller.send("PUT", f"/api/v2.2/attempts/{attempt}/end/"),
                head.send("DELETE", f"/api/v2.2/admin/users/{account}"),
            )
            assert ended.status_code in {200, 401, 403}
            assert deleted.status_code == 204
    await check(institute)


def kept(session: Session) -> tuple[set[Any], ...]:
    """Return the rows of all totals, without those that count nobody."""
    best = session.execute(select(BestScore.user_id, BestScore.exam_id, BestScore.score))
    counts = session.execute(select(ScoreCount.exam_id, ScoreCount.score, ScoreCount.students))
    columns = QuestionTotal.__table__.columns
    totals = session.execute(select(*columns))
    return (
        {tuple(row) for row in best},
        {tuple(row) for row in counts if row.students},
        {tuple(row) for row in totals if row.ended},
    )


async def test_the_migration_fills_the_totals_of_an_institute_of_before(institute: World) -> None:
    random = Random(9)
    for _ in range(3):
        for number in range(STUDENTS):
            caller = institute.caller(f"student{number}")
            await end(caller, await answer_some(institute, caller, random.choice(EXAMS), random))
    await answer_some(institute, institute.caller("student0"), "sums", random)
    with institute.database.read() as session:
        before = kept(session)
    assert all(before)
    with institute.database._writer.begin() as connection:
        command.downgrade(configuration(connection), "0007")
    institute.database.prepare()
    with institute.database.read() as session:
        assert kept(session) == before
    await check(institute)


async def test_each_page_shows_its_attempts_in_order_also_from_the_far_end(world: World, asha: Caller) -> None:
    for title in ("One", "Two"):
        world.add_exam(exam_of(choice("Sum"), title=title))
    made: list[int] = []
    for number in range(45):
        # Some attempts begin at the same time. The highest ID then comes first.
        world.clock.move(minutes=number % 2)
        made.insert(0, await asha.create("two" if number % 15 else "one"))
        await end(asha, made[0])
    for path, expected in (
        ("/api/v2.2/attempts/", made),
        ("/api/v2.2/attempts/?q=TWO&course=maths", [one for at, one in enumerate(reversed(made)) if at % 15][::-1]),
        ("/api/v2.2/exams/one/attempts/", made[::-1][::15][::-1]),
        ("/api/v2.2/exams/two/attempts/", [one for at, one in enumerate(reversed(made)) if at % 15][::-1]),
        ("/api/v2.2/attempts/?q=three", []),
    ):
        assert [one["id"] for one in await shown(asha, path)] == expected, path
    await asha.get("/api/v2.2/attempts/?page=4", 404)
    assert [one["id"] for one in (await asha.get("/api/v2.2/exams/two"))["attempts"]] == [
        one["id"] for one in (await asha.get("/api/v2.2/exams/two/attempts/"))["results"]
    ]
