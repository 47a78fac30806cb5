"""Attempts that nobody comes back to, and many students at once."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from lms_tui.service.attempts.results import question_statistics
from lms_tui.service.attempts.sweep import sweep, take_lease
from lms_tui.service.core.database import tables
from tests.service.class_oracle import statistics_by_hand
from tests.service.service_world import START, Caller, World, sums

GRACE = timedelta(seconds=10)
LEASE = timedelta(seconds=90)


def swept(world: World, holder: str = "one") -> int:
    return sweep(world.database, holder, world.clock.now, grace=GRACE, lasts=LEASE)


def state(world: World, attempt: int) -> tables.Attempt:
    with world.database.read() as session:
        return session.get_one(tables.Attempt, attempt)


async def test_the_sweep_ends_overdue_attempts_only(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(sums(title="Timed"))
    world.add_exam(sums(title="Untimed", duration=None))
    old, untimed = await asha.create("timed"), await asha.create("untimed")
    question, right = next(iter(world.right_answers(old).items()))
    await asha.answer(old, question, *right)
    world.clock.move(minutes=20)
    young = await ravi.create("timed")
    world.clock.move(minutes=10, seconds=10)
    assert swept(world) == 0
    world.clock.move(seconds=1)
    assert swept(world) == 1
    assert swept(world) == 0
    ended = state(world, old)
    assert (ended.state, ended.time_over, ended.score) == ("Completed", True, Decimal(4))
    assert ended.ended == START + timedelta(minutes=30)
    assert (state(world, young).state, state(world, untimed).state) == ("Running", "Running")


async def test_heartbeats_and_starts_postpone_the_sweep(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=25)
    await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    world.clock.move(minutes=25)
    assert swept(world) == 0
    world.clock.move(minutes=6)
    assert swept(world) == 1


def test_one_holder_sweeps_at_a_time_until_its_lease_expires(world: World) -> None:
    over = timedelta(seconds=-1)
    assert take_lease(world.database, "sweep", "one", LEASE)
    assert not take_lease(world.database, "sweep", "two", LEASE)
    assert take_lease(world.database, "sweep", "one", over)
    assert take_lease(world.database, "sweep", "two", LEASE)
    assert not take_lease(world.database, "sweep", "one", LEASE)


def test_of_many_simultaneous_processes_one_gets_the_lease(world: World) -> None:
    with ThreadPoolExecutor(16) as pool:
        got = list(pool.map(lambda who: take_lease(world.database, "sweep", str(who), LEASE), range(16)))
    assert sum(got) == 1


@pytest.mark.slow
async def test_fifty_students_answer_at_once_and_nothing_is_lost(world: World) -> None:
    exam_id, students = world.add_exam(sums(6)), 50
    for number in range(students):
        world.add_user(f"student{number}")

    async def sit(number: int) -> dict[int, list[int]]:
        caller = world.caller(f"student{number}")
        attempt = await caller.create("sums")
        chosen: dict[int, list[int]] = {}
        for row in await caller.questions(attempt):
            offered = [option["id"] for option in row["question"]["answers"]]
            chosen[row["id"]] = [offered[(number + row["id"]) % len(offered)]]
            await caller.answer(attempt, row["id"], *chosen[row["id"]])
            await caller.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
        return chosen

    sat = await asyncio.gather(*(sit(number) for number in range(students)))
    acknowledged = {key: value for chosen in sat for key, value in chosen.items()}
    with world.database.read() as session:
        rows = session.scalars(select(tables.AttemptQuestion)).all()
        attempts = session.scalar(select(func.count()).where(tables.Attempt.exam_id == exam_id))
    assert attempts == students
    assert {row.id: row.selected_answers for row in rows} == acknowledged
    assert len(acknowledged) == 6 * students


async def test_creating_twice_at_once_creates_one_attempt(world: World, asha: Caller) -> None:
    world.add_exam(sums(max_retakes=0))
    path = "/api/v2.2/exams/sums/attempts/"
    answers = await asyncio.gather(*(asha.send("POST", path) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_ending_twice_at_once_ends_once(asha: Caller, attempt: int) -> None:
    answers = await asyncio.gather(*(asha.send("PUT", f"/api/v2.2/attempts/{attempt}/end/") for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [403] * 7


async def test_question_statistics_cover_all_ended_attempts_and_time_only_answered_ones(world: World) -> None:
    world.add_exam(sums(4))
    for number in range(5):
        world.add_user(f"student{number}")
        caller = world.caller(f"student{number}")
        attempt = await caller.create("sums")
        for place, (question, right) in enumerate(world.right_answers(attempt).items()):
            world.clock.move(seconds=7 * number + place + 1)
            if (number + place) % 3:
                wrong = world.wrong_answer(question)
                await caller.answer(attempt, question, *(right if (number + place) % 2 else [wrong]))
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    with world.database.read() as session:
        expected = statistics_by_hand(session)
        assert len(expected) == 4
        assert question_statistics(session, list(expected)) == expected
