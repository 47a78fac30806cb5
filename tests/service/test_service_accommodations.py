"""Students with more time than others, on both databases."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from lms_tui.service.admin.accommodations import Allowance, allow
from lms_tui.service.admin.administration import AdminError, Administration
from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.core.passwords import Passwords
from tests.service.service_world import Caller, World, locked, sums


def shell(world: World) -> Administration:
    return Administration(world.database, Passwords(), world.clock.now)


def allowed(world: World, *names: str, **given: Any) -> list[dict[str, Any]]:
    return allow(shell(world), names, Allowance(**given))[0]


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ({"factor": Decimal("1.25")}, "0:37:30"),
        ({"minutes": 15}, "0:45:00"),
        ({"factor": Decimal("1.5"), "minutes": 5}, "0:50:00"),
        ({"no_limit": True, "factor": Decimal(2)}, None),
        ({"closes_later": 30}, "0:30:00"),
    ],
)
async def test_an_exam_that_starts_afterwards_has_the_time_of_the_student(
    world: World, asha: Caller, ravi: Caller, given: dict[str, Any], left: str | None
) -> None:
    world.add_exam(sums())
    allowed(world, "asha", **given)
    own = "" if left == "0:30:00" else left or "none"
    assert [(await caller.get("/api/v2.2/exams/sums"))["own_time"] for caller in (asha, ravi)] == [own, ""]
    attempt = await asha.post("/api/v2.2/exams/sums/attempts/")
    assert attempt["remaining_time"] == left
    assert attempt["exam"]["duration"] == "0:30:00"
    beat = await asha.put(f"/api/v2.2/attempts/{attempt['id']}/heartbeat/")
    assert beat["remaining_time"] == left
    assert (await ravi.post("/api/v2.2/exams/sums/attempts/"))["remaining_time"] == "0:30:00"


async def test_an_answer_in_the_extra_time_is_accepted_and_the_sweep_waits(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    allowed(world, "asha", minutes=10)
    attempt = await asha.create("sums")
    question = (await asha.questions(attempt))[0]
    world.clock.move(minutes=39, seconds=59)
    await asha.answer(attempt, question["id"], question["question"]["answers"][0]["id"])
    world.clock.move(seconds=12)
    await asha.answer(attempt, question["id"], question["question"]["answers"][0]["id"], status=403)


async def test_sections_that_lock_share_the_extra_time(world: World, asha: Caller) -> None:
    world.add_exam(locked((10, 20)))
    allowed(world, "asha", factor=Decimal("1.5"), minutes=3)
    attempt = await asha.post("/api/v2.2/exams/parts/attempts/")
    assert attempt["remaining_time"] == "0:48:00"
    assert [section["remaining_time"] for section in attempt["sections"]] == ["0:16:00", "0:32:00"]


async def test_sections_do_not_lock_without_a_time_limit(world: World, asha: Caller) -> None:
    world.add_exam(locked((10, 20)))
    allowed(world, "asha", no_limit=True)
    attempt = await asha.post("/api/v2.2/exams/parts/attempts/")
    assert attempt["remaining_time"] is None
    assert [(s["state"], s["duration"], s["remaining_time"]) for s in attempt["sections"]] == [
        ("Running", None, None)
    ] * 2


async def test_a_student_who_may_start_later_does(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(sums(), end_date=world.clock.now + timedelta(minutes=5))
    allowed(world, "asha", closes_later=30)
    world.clock.move(minutes=34)
    (shown,) = (await asha.get("/api/v2.2/exams/available/"))["results"]
    assert shown["end_date"].startswith("2026-03-02T09:35")
    assert (await ravi.get("/api/v2.2/exams/available/"))["results"] == []
    await ravi.post("/api/v2.2/exams/sums/attempts/", status=403)
    await asha.create("sums")


async def test_an_exam_that_has_started_keeps_its_time_and_the_command_says_so(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    attempt = await asha.create("sums")
    rows, notes = allow(shell(world), ["asha"], Allowance(minutes=10))
    assert rows[0]["minutes"] == 10
    assert notes == ["asha has started sums. The time of an exam that has been started stays as it is."]
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["remaining_time"] == "0:30:00"


async def test_each_option_is_set_alone_and_all_are_removed_at_once(world: World) -> None:
    allowed(world, "asha", "ravi", factor=Decimal("1.25"))
    allowed(world, "asha", minutes=15, closes_later=30)
    words = {row["username"]: row["accommodation"] for row in shell(world).users(None, None)}
    assert words == {"asha": ["1.25 × time", "15 min more", "closes 30 min later"], "ravi": ["1.25 × time"]}
    assert [row["factor"] for row in allowed(world, "asha", "ravi")] == [1.25, 1.25]
    allow(shell(world), ["asha"], None)
    words = {row["username"]: row["accommodation"] for row in shell(world).users(None, None)}
    assert words["asha"] == []


async def test_each_change_is_a_line_of_the_audit(world: World) -> None:
    allowed(world, "asha", minutes=15)
    allowed(world, "asha", minutes=20)
    allowed(world, "asha")
    lines = audit_lines(world.database)
    assert [(line["what"], line["about"], line["before"], line["after"]) for line in lines] == [
        ("user.allow", "user asha", {"minutes": 0}, {"minutes": 15}),
        ("user.allow", "user asha", {"minutes": 15}, {"minutes": 20}),
    ]


async def test_an_unknown_name_changes_nothing(world: World) -> None:
    with pytest.raises(AdminError):
        allowed(world, "asha", "nobody", minutes=15)
    assert shell(world).users(None, None)[0]["accommodation"] == []


async def test_a_deleted_student_leaves_nothing_behind(world: World) -> None:
    allowed(world, "ravi", minutes=15)
    head = world.add_user("head", role="admin")
    assert head
    user_id = next(row["id"] for row in shell(world).users(None, None) if row["username"] == "ravi")
    response = await world.caller("head").send("DELETE", f"/api/v2.2/admin/users/{user_id}/")
    assert response.status_code == 204
