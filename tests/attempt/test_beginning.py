import pytest

from lms_tui.attempt.beginning import exam_to_begin
from lms_tui.wire.errors import ApiError, Forbidden, NotFound
from tests.fakes.institute import QUICK
from tests.fakes.lms import FakeLms

MISSING = NotFound("The server could not find this.")


@pytest.mark.parametrize("kept", [MISSING, Forbidden("This exam is for paid users.")])
async def test_an_exam_that_its_list_keeps_back_is_read_from_an_attempt_at_it(kept: ApiError) -> None:
    lms = FakeLms()
    lms.attempts.begin(QUICK.slug)
    lms.faults.fail("exams.read", kept)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
    assert exam == attempts[0].exam
    assert exam.slug == QUICK.slug


async def test_an_exam_without_attempts_that_is_kept_from_the_person_is_refused_in_the_words_of_the_service() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", Forbidden("This exam is for paid users."))
    with pytest.raises(Forbidden, match="for paid users"):
        await exam_to_begin(lms.exams, lms.attempts, "never-taken")


async def test_a_server_without_lists_of_exams_still_lets_an_exam_be_begun_by_its_name() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", MISSING)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, "never-taken")
    assert (exam.slug, exam.title, attempts) == ("never-taken", "never-taken", [])


async def test_a_server_without_lists_of_attempts_still_tells_the_rules() -> None:
    lms = FakeLms()
    lms.faults.fail("attempts.of_exam", MISSING)
    exam, attempts = await exam_to_begin(lms.exams, lms.attempts, QUICK.slug)
    assert (exam.title, attempts) == (QUICK.title, [])


async def test_an_exam_that_neither_list_knows_is_told_by_its_name() -> None:
    lms = FakeLms()
    lms.faults.fail("exams.read", MISSING)
    lms.faults.fail("attempts.of_exam", MISSING)
    with pytest.raises(NotFound, match="There is no exam called “no-such-exam”"):
        await exam_to_begin(lms.exams, lms.attempts, "no-such-exam")
