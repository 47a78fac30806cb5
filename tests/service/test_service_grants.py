"""Extra time, pauses, outages, early ends and reopened attempts, on both databases."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.attempts.sweep import sweep
from lms_tui.service.core.errors import Invalid, NotFound
from lms_tui.service.watch.grants import Grants, Outage
from tests.service.service_world import Caller, World, locked

GRACE = timedelta(seconds=10)
Change = Callable[[Grants], list[dict[str, Any]]]


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def change(world: World, work: Change, *users: str, slug: str = "sums") -> list[dict[str, Any]]:
    with world.database.write() as session:
        return work(Grants(session, world.clock.now, "head", slug, users))


def swept(world: World) -> int:
    return sweep(world.database, "one", world.clock.now, grace=GRACE, lasts=timedelta(seconds=1))


async def beat(caller: Caller, attempt: int) -> tuple[str | None, str | None]:
    """Return the time left and the header of notices."""
    response = await caller.send("PUT", f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert response.status_code == 200, response.text
    return response.json()["remaining_time"], response.headers.get("X-Attempt-Notices")


async def answer(caller: Caller, attempt: int) -> None:
    question = (await caller.questions(attempt))[0]
    await caller.answer(attempt, question["id"], question["question"]["answers"][0]["id"])


async def notices(caller: Caller, attempt: int) -> list[dict[str, Any]]:
    return list(await caller.get(f"/api/v2.2/attempts/{attempt}/notices/"))


async def test_more_minutes_reach_the_app_with_its_next_heartbeat(world: World, asha: Caller, attempt: int) -> None:
    assert await beat(asha, attempt) == ("0:30:00", None)
    world.clock.move(minutes=25)
    (row,) = change(world, lambda grants: grants.add(minutes(10)))
    assert (row["username"], row["left_before"], row["left"]) == ("asha", "0:05:00", "0:15:00")
    left, mark = await beat(asha, attempt)
    (notice,) = await notices(asha, attempt)
    assert (left, mark) == ("0:15:00", str(notice["id"]))
    assert (notice["kind"], notice["text"]) == ("time", "Your institute has given you 10 minutes more.")
    world.clock.move(minutes=14, seconds=59)
    assert swept(world) == 0
    await answer(asha, attempt)
    world.clock.move(seconds=12)
    assert swept(world) == 1


async def test_a_notice_counts_as_delivered_when_the_app_has_shown_it(world: World, asha: Caller, attempt: int) -> None:
    change(world, lambda grants: grants.add(minutes(1)))
    change(world, lambda grants: grants.add(minutes(1)))
    first, second = await notices(asha, attempt)
    assert (first["seen"], second["seen"]) == (None, None)
    path = f"/api/v2.2/attempts/{attempt}/notices"
    assert (await asha.send("PUT", f"{path}/{first['id']}/seen/")).status_code == 204
    assert [bool(one["seen"]) for one in await notices(asha, attempt)] == [True, False]


async def test_nobody_reads_the_notices_of_another_student(world: World, ravi: Caller, attempt: int) -> None:
    change(world, lambda grants: grants.add(minutes(1)))
    await ravi.get(f"/api/v2.2/attempts/{attempt}/notices/", 403)
    assert (await ravi.send("PUT", f"/api/v2.2/attempts/{attempt}/notices/9/seen/")).status_code == 403


async def test_time_is_given_to_one_student_alone(world: World, asha: Caller, ravi: Caller, attempt: int) -> None:
    other = await ravi.create("sums")
    assert [row["username"] for row in change(world, lambda grants: grants.add(minutes(5)), "Ravi")] == ["ravi"]
    assert [(await beat(asha, attempt))[0], (await beat(ravi, other))[0]] == ["0:30:00", "0:35:00"]


@pytest.mark.parametrize("users", [("asha", "nobody"), ("asha", "ravi")])
async def test_time_for_a_student_without_a_running_attempt_changes_nothing(
    world: World, asha: Caller, attempt: int, users: Sequence[str]
) -> None:
    with pytest.raises(Invalid):
        change(world, lambda grants: grants.add(minutes(5)), *users)
    with pytest.raises(NotFound):
        change(world, lambda grants: grants.add(minutes(5)), slug="other")
    assert await beat(asha, attempt) == ("0:30:00", None)


async def test_time_given_in_the_grace_period_counts_in_full(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=30, seconds=5)
    change(world, lambda grants: grants.add(minutes(2)))
    assert (await beat(asha, attempt))[0] == "0:02:00"
    world.clock.move(minutes=1, seconds=59)
    await answer(asha, attempt)


async def test_the_running_section_gets_the_time(world: World, asha: Caller) -> None:
    world.add_exam(locked((10, 20)))
    attempt = await asha.create("parts")
    world.clock.move(minutes=9)
    change(world, lambda grants: grants.add(minutes(5)), slug="parts")
    world.clock.move(minutes=5, seconds=59)
    shown = await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert [section["remaining_time"] for section in shown["sections"]] == ["0:00:01", "0:20:00"]
    await answer(asha, attempt)


async def test_a_paused_clock_stands_still_and_answers_are_taken(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=29)
    change(world, lambda grants: grants.pause())
    world.clock.move(minutes=40)
    assert swept(world) == 0
    left, mark = await beat(asha, attempt)
    assert left == "0:01:00"
    assert str(mark).endswith("; paused")
    await answer(asha, attempt)
    assert change(world, lambda grants: grants.pause()) == []
    world.clock.move(minutes=5)
    started = await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert started["remaining_time"] == "0:01:00"
    (row,) = change(world, lambda grants: grants.go_on())
    assert (row["left_before"], row["left"], row["paused"]) == ("0:01:00", "0:01:00", False)
    world.clock.move(seconds=59)
    left, mark = await beat(asha, attempt)
    assert (left, str(mark).endswith("paused")) == ("0:00:01", False)
    assert change(world, lambda grants: grants.go_on()) == []


async def test_an_outage_is_credited_to_everybody_even_if_the_time_ran_out(
    world: World, asha: Caller, ravi: Caller, attempt: int
) -> None:
    world.clock.move(minutes=20)
    since = world.clock.now
    world.clock.move(minutes=5)
    late = await ravi.create("sums")
    world.clock.move(minutes=7)
    assert swept(world) == 1
    rows = change(world, lambda grants: grants.credit(Outage(since, world.clock.now)))
    assert {row["username"]: row["left"] for row in rows} == {"asha": "0:12:00", "ravi": "0:30:00"}
    await answer(asha, attempt)
    assert (await beat(asha, attempt))[0] == "0:12:00"
    assert (await beat(ravi, late))[0] == "0:30:00"


async def test_an_early_end_leaves_time_to_send_what_was_answered(world: World, asha: Caller, attempt: int) -> None:
    change(world, lambda grants: grants.end())
    assert (await beat(asha, attempt))[0] == "0:01:30"
    world.clock.move(seconds=89)
    await answer(asha, attempt)
    world.clock.move(seconds=12)
    assert swept(world) == 1
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["state"] == "Completed"


@pytest.mark.parametrize("paused", [False, True])
async def test_an_early_end_ends_sections_and_pauses(world: World, asha: Caller, *, paused: bool) -> None:
    world.add_exam(locked((10, 20)))
    await asha.create("parts")
    if paused:
        change(world, lambda grants: grants.pause(), slug="parts")
    world.clock.move(minutes=2)
    (row,) = change(world, lambda grants: grants.end(), slug="parts")
    assert row["left"] == "0:01:30"
    world.clock.move(seconds=101)
    assert swept(world) == 1


async def test_an_early_end_never_adds_time(world: World, asha: Caller, attempt: int) -> None:
    world.clock.move(minutes=29)
    change(world, lambda grants: grants.end())
    assert (await beat(asha, attempt))[0] == "0:01:00"


async def test_a_reopened_attempt_continues_with_its_answers_and_without_its_result(
    world: World, asha: Caller, ravi: Caller, attempt: int
) -> None:
    for question, right in world.right_answers(attempt).items():
        await asha.answer(attempt, question, *right)
    world.clock.move(minutes=10)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    (row,) = change(world, lambda grants: grants.reopen(minutes(5)), "asha")
    assert (row["left_before"], row["left"]) == ("0:20:00", "0:25:00")
    assert (await notices(asha, attempt))[-1]["text"] == (
        "Your institute has opened this exam again for you. You have 5 minutes more."
    )
    shown = await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert (shown["state"], shown["score"], shown["rank"]) == ("Running", "0.00", "NA")
    other = await ravi.create("sums")
    await ravi.put(f"/api/v2.2/attempts/{other}/end/")
    assert (await ravi.get(f"/api/v2.2/attempts/{other}"))["max_rank"] == 1
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert (ended["state"], ended["score"], ended["max_rank"]) == ("Completed", "12.00", 2)


async def test_the_better_of_two_attempts_can_be_reopened(world: World, asha: Caller, attempt: int) -> None:
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    better = await asha.create("sums")
    for question, right in world.right_answers(better).items():
        await asha.answer(better, question, *right)
    await asha.put(f"/api/v2.2/attempts/{better}/end/")
    change(world, lambda grants: grants.reopen(minutes(1)), "asha")
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["max_rank"] == 1
    assert (await asha.put(f"/api/v2.2/attempts/{better}/end/"))["rank"] == 1


async def test_an_attempt_without_time_left_is_reopened_with_minutes_only(
    world: World, asha: Caller, attempt: int
) -> None:
    world.clock.move(minutes=31)
    swept(world)
    with pytest.raises(Invalid):
        change(world, lambda grants: grants.reopen(minutes(0)), "asha")
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["state"] == "Completed"
    change(world, lambda grants: grants.reopen(minutes(3)), "asha")
    assert (await beat(asha, attempt))[0] == "0:03:00"


async def test_a_reopened_attempt_continues_in_its_last_section(world: World, asha: Caller) -> None:
    world.add_exam(locked((10, 20, 5)))
    attempt = await asha.create("parts")
    world.clock.move(minutes=12)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    change(world, lambda grants: grants.reopen(minutes(0)), "asha", slug="parts")
    shown = await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert [(s["state"], s["remaining_time"]) for s in shown["sections"]] == [
        ("Completed", "0:00:00"),
        ("Running", "0:18:00"),
        ("Not Started", "0:05:00"),
    ]


async def test_an_attempt_is_not_reopened_beside_a_running_one(world: World, asha: Caller, attempt: int) -> None:
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    await asha.create("sums")
    with pytest.raises(Invalid):
        change(world, lambda grants: grants.reopen(minutes(5)), "asha")


@pytest.mark.usefixtures("attempt")
async def test_each_change_is_a_line_of_the_audit(world: World) -> None:
    change(world, lambda grants: grants.add(minutes(10)))
    change(world, lambda grants: grants.pause())
    change(world, lambda grants: grants.go_on())
    change(world, lambda grants: grants.end())
    lines = audit_lines(world.database)
    assert [line["what"] for line in lines] == ["exam.time", "exam.pause", "exam.go-on", "exam.end"]
    assert lines[0]["who"] == "head"
    assert lines[0]["about"].startswith("exam sums, user asha, attempt ")
    assert (lines[0]["before"], lines[0]["after"]) == (
        {"allowed": "0:30:00", "left": "0:30:00"},
        {"allowed": "0:40:00", "left": "0:40:00"},
    )
