"""Sections lock only if there are at least two and each has a duration."""

from datetime import timedelta
from typing import Any

import pytest

from lms_tui.banks.model import Exam, Section
from tests.service.service_world import Caller, World, choice, locked

SECTION = {
    "id": int,
    "attempt_section_id": int,
    "name": str,
    "order": int,
    "state": str,
    "duration": str,
    "remaining_time": str,
    "instructions": str,
    "questions_url": str,
    "start_url": str,
    "end_url": str,
}


async def sections(caller: Caller, attempt: int) -> list[dict[str, Any]]:
    return list((await caller.get(f"/api/v2.2/attempts/{attempt}"))["sections"])


async def states(caller: Caller, attempt: int) -> list[tuple[str, str]]:
    return [(section["state"], section["remaining_time"]) for section in await sections(caller, attempt)]


async def test_section_items_have_the_fields_of_the_notes(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    first, second = await sections(asha, attempt)
    for section in (first, second):
        assert {name: type(value) for name, value in section.items()} == SECTION
    base = f"http://lms.test/api/v2.2/attempts/{attempt}/sections/{first['attempt_section_id']}"
    assert first["questions_url"] == f"{base}/questions/"
    assert (first["start_url"], first["end_url"]) == (f"{base}/start/", f"{base}/end/")
    assert (first["order"], first["instructions"], first["duration"]) == (1, "<p>read</p>", "0:10:00")
    exam = (await asha.get("/api/v2.2/exams/parts"))["sections"]
    assert exam[0] == {"order": 1, "name": "Part 1", "duration": "0:10:00", "cut_off": 0}


async def test_locked_sections_run_in_order(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    assert await states(asha, attempt) == [("Running", "0:10:00"), ("Not Started", "0:20:00")]
    world.clock.move(minutes=4)
    beat = await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert beat["remaining_time"] == "0:26:00"
    assert await states(asha, attempt) == [("Running", "0:06:00"), ("Not Started", "0:20:00")]
    world.clock.move(minutes=8)
    assert await states(asha, attempt) == [("Completed", "0:00:00"), ("Running", "0:18:00")]
    await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    assert await states(asha, attempt) == [("Completed", "0:00:00"), ("Running", "0:18:00")]
    world.clock.move(minutes=18, seconds=11)
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["state"] == "Completed"


@pytest.mark.parametrize("names", [("",), ("Part 1",), ("", ""), ("Part 1", "Part 2")])
async def test_a_heartbeat_shows_the_sections_of_the_attempt(
    world: World, asha: Caller, names: tuple[str, ...]
) -> None:
    parts = tuple(Section(name, (choice(f"{number}"),)) for number, name in enumerate(names))
    world.add_exam(Exam("Parts", parts, duration=timedelta(minutes=30)))
    attempt = await asha.create("parts")
    shown = (await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/"))["sections"]
    assert [section["name"] for section in shown] == ([] if names == ("",) else list(names))
    assert shown == await sections(asha, attempt)


async def test_only_the_running_section_accepts_answers(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    first, second = await sections(asha, attempt)
    early = (await asha.get(first["questions_url"]))["results"]
    assert len(early) == 2
    await asha.get(second["questions_url"], 403)
    assert [row["id"] for row in await asha.questions(attempt)] == [row["id"] for row in early]
    await asha.answer(attempt, early[0]["id"])
    await asha.answer(attempt, early[-1]["id"] + 1, status=403)
    world.clock.move(minutes=10, seconds=11)
    late = (await asha.get(second["questions_url"]))["results"]
    await asha.answer(attempt, late[0]["id"])
    refused = await asha.answer(attempt, early[0]["id"], status=403)
    assert refused == {"detail": "The section of this question is not open."}


async def test_an_answer_in_transit_when_a_section_runs_out_is_accepted(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    question = (await asha.questions(attempt))[0]["id"]
    world.clock.move(minutes=10, seconds=2)
    await asha.put(f"/api/v2.2/attempts/{attempt}/heartbeat/")
    world.clock.move(seconds=5)
    await asha.answer(attempt, question)
    world.clock.move(seconds=5)
    await asha.answer(attempt, question, status=403)


async def test_ending_a_section_starts_the_next(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    question = (await asha.questions(attempt))[0]["id"]
    first, second = await sections(asha, attempt)
    await asha.put(second["start_url"], status=403)
    await asha.put(second["end_url"], status=403)
    world.clock.move(minutes=3)
    ended = await asha.put(first["end_url"])
    assert [section["state"] for section in ended["sections"]] == ["Completed", "Running"]
    assert ended["remaining_time"] == "0:20:00"
    assert await asha.put(first["end_url"]) == ended
    assert await asha.put(second["start_url"]) == ended
    await asha.put(first["start_url"], status=403)
    await asha.answer(attempt, question, status=403)
    world.clock.move(minutes=1)
    last = await asha.put(second["end_url"])
    assert (last["state"], last["remaining_time"], last["time_taken"]) == ("Running", "0:00:00", "0:04:00")
    assert (await asha.put(f"/api/v2.2/attempts/{attempt}/end/"))["state"] == "Completed"


async def test_an_attempt_ends_when_all_its_sections_have_ended(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    for section in await sections(asha, attempt):
        await asha.put(section["end_url"])
    world.clock.move(seconds=11)
    assert (await asha.get(f"/api/v2.2/attempts/{attempt}"))["state"] == "Completed"


async def test_a_section_can_end_early_only_if_the_exam_allows_it(world: World, asha: Caller) -> None:
    world.add_exam(locked(allow_preemptive_section_ending=False))
    attempt = await asha.create("parts")
    first, _ = await sections(asha, attempt)
    await asha.put(first["end_url"], status=403)
    world.clock.move(minutes=10)
    ended = await asha.put(first["end_url"])
    assert [section["state"] for section in ended["sections"]] == ["Completed", "Running"]


async def test_start_does_not_charge_a_pause_to_a_section(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    world.clock.move(minutes=25)
    resumed = await asha.put(f"/api/v2.2/attempts/{attempt}/start/")
    assert (resumed["remaining_time"], resumed["sections"][0]["state"]) == ("0:30:00", "Running")


async def test_sections_without_time_limits_do_not_lock(world: World, asha: Caller) -> None:
    parts = (Section("One", (choice("a"),)), Section("Two", (choice("b"),), duration=timedelta(minutes=5)))
    world.add_exam(Exam("Groups", parts, duration=timedelta(minutes=30)))
    attempt = await asha.create("groups")
    first, second = await sections(asha, attempt)
    assert [section["state"] for section in (first, second)] == ["Running", "Running"]
    assert (first["duration"], first["remaining_time"], second["remaining_time"]) == (None, None, None)
    world.clock.move(minutes=10)
    for row in await asha.questions(attempt):
        await asha.answer(attempt, row["id"])
    assert len((await asha.get(second["questions_url"]))["results"]) == 1
    still = await asha.put(first["end_url"])
    assert (still["state"], [section["state"] for section in still["sections"]]) == ("Running", ["Running"] * 2)
    await asha.put(second["start_url"])


async def test_a_section_of_another_attempt_is_refused(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    foreign = (await sections(ravi, await ravi.create("parts")))[0]["attempt_section_id"]
    await asha.get(f"/api/v2.2/attempts/{attempt}/sections/{foreign}/questions/", 403)
    for move in ("start", "end"):
        await asha.put(f"/api/v2.2/attempts/{attempt}/sections/{foreign}/{move}/", status=403)


async def test_a_completed_attempt_shows_its_sections_as_completed(world: World, asha: Caller) -> None:
    world.add_exam(locked())
    attempt = await asha.create("parts")
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert [section["state"] for section in ended["sections"]] == ["Completed", "Completed"]
