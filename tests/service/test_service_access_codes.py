"""An exam may have an access code, which a student types to begin an attempt."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lms_tui.service.core.database.tables import Exam as ExamRow
from tests.service.service_world import Caller, World, sums

PATH = "/api/v2.2/exams/sums/attempts/"
Give = Callable[..., Awaitable[Any]]


@pytest.fixture
def give(world: World, asha: Caller) -> Give:
    made = world.add_exam(sums(max_retakes=9))
    with world.database.write() as session:
        session.get_one(ExamRow, made).access_code = "Blue Tiger 7"

    async def given(code: str | None, status: int) -> Any:
        return await asha.post(PATH, None if code is None else {"access_code": code}, status)

    return given


@pytest.mark.parametrize("code", ["Blue Tiger 7", " bluetiger7 ", "BLUE TIGER 7"])
async def test_the_code_begins_the_exam(give: Give, asha: Caller, code: str) -> None:
    assert (await asha.get("/api/v2.2/exams/sums"))["needs_access_code"] is True
    attempt = await give(code, 201)
    again = await give(None, 200)
    assert again["id"] == attempt["id"]
    await asha.put(f"/api/v2.2/attempts/{attempt['id']}/start/")


async def test_without_the_code_nothing_begins(give: Give, asha: Caller) -> None:
    assert await give(None, 400) == {"non_field_errors": ["This exam needs its access code."]}
    assert await give("", 400) == {"non_field_errors": ["This exam needs its access code."]}
    assert await give("Blue Tiger 8", 400) == {"non_field_errors": ["Wrong access code."]}
    assert (await asha.get(PATH))["results"] == []


async def test_wrong_codes_are_throttled_as_sign_ins_are(give: Give, world: World, ravi: Caller) -> None:
    for _ in range(6):
        await give("guess", 400)
    assert await give("Blue Tiger 7", 429) == {"detail": "Too many attempts to start the exam. Try again in 1 seconds."}
    await ravi.post(PATH, {"access_code": "Blue Tiger 7"})
    world.clock.move(seconds=2)
    await give("Blue Tiger 7", 201)


async def test_other_exams_ask_for_no_code(world: World, asha: Caller) -> None:
    world.add_exam(sums())
    assert (await asha.get("/api/v2.2/exams/sums"))["needs_access_code"] is False
    await asha.post(PATH, {"access_code": "anything"})


async def test_an_exam_for_others_stays_refused(world: World, give: Give, asha: Caller) -> None:
    with world.database.write() as session:
        for exam in session.query(ExamRow):
            exam.is_published = False
    await give("Blue Tiger 7", 403)
    assert (await asha.get(PATH, 403)).keys() == {"detail"}
