import asyncio

import pytest

from lms_tui.attempt.beginning import exam_to_begin
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Forbidden, NotFound, Offline
from lms_tui.wire.exams import Exam
from tests.fakes.institute import QUICK
from tests.fakes.lms import FakeLms

MISSING = NotFound("The server could not find this.")


@pytest.mark.parametrize("kept", [MISSING, Forbidden("This exam is for paid users.")])
async def test_an_exam_that_is_not_listed_is_read_from_an_attempt_at_it(kept: ApiError) -> None:
    lms = FakeLms()
    lms.attempts.begin(QUICK.slug)
    lms.faults.fail("exams.read", kept)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
    assert exam == attempts[0].exam
    assert exam.slug == QUICK.slug


async def test_a_forbidden_exam_without_attempts_shows_the_message_of_the_service() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", Forbidden("This exam is for paid users."))
    with pytest.raises(Forbidden, match="for paid users"):
        await exam_to_begin(lms.exams, lms.attempts, "never-taken")


async def test_an_exam_can_be_started_by_its_slug_without_exam_lists() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", MISSING)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, "never-taken")
    assert (exam.slug, exam.title, attempts) == ("never-taken", "never-taken", [])


async def test_the_instructions_are_read_without_a_list_of_attempts() -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.of_exam", MISSING)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
    assert (exam.title, attempts) == (QUICK.title, [])


async def test_the_error_for_an_unknown_exam_names_it() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", MISSING)
    lms.faults.fail("attempts.of_exam", MISSING)
    with pytest.raises(NotFound, match="There is no exam called “no-such-exam”"):
        await exam_to_begin(lms.exams, lms.attempts, "no-such-exam")


async def test_the_exam_and_its_attempts_are_asked_for_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    lms, asked = FakeLms(), asyncio.Event()
    read, of_exam = lms.exams.read, lms.attempts.of_exam

    async def exam_after_attempts(slug: str) -> Exam:
        await asyncio.wait_for(asked.wait(), 5)
        return await read(slug)

    async def attempts(slug: str) -> list[Attempt]:
        asked.set()
        return await of_exam(slug)

    monkeypatch.setattr(lms.exams, "read", exam_after_attempts)
    monkeypatch.setattr(lms.attempts, "of_exam", attempts)
    exam, _ = await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
    assert exam.title == QUICK.title


@pytest.mark.parametrize("method", ["exams.read", "attempts.of_exam"])
async def test_a_server_that_cannot_be_reached_is_told_whichever_request_fails(method: str) -> None:
    lms = FakeLms()
    lms.faults.fail(method, Offline("The server cannot be reached."))
    with pytest.raises(Offline):
        await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
