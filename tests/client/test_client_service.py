"""The client against the service itself, through the application's own front door."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random

import httpx
import pytest

from lms_tui.attempt.clock import SystemClock
from lms_tui.attempt.events import Chose, EndAsked
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.journal.receipt import verify_text
from lms_tui.attempt.keeper import Keeper
from lms_tui.attempt.ports import AttemptKey
from lms_tui.client.auth import SignedIn, sign_in, sign_in_with_token
from lms_tui.client.connection import Access
from lms_tui.client.port import Attempts, ExamState
from lms_tui.wire.acknowledgement import Signed
from lms_tui.wire.attempts import AnswerInput, ToldAttempt
from lms_tui.wire.errors import Forbidden, Invalid, NotFound, Refused, SignInNeeded, TimedOut
from tests.service.service_world import PASSWORD, World, locked, sums
from tests.waiting import PATIENCE

BASE = "http://lms.test"


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World.at(tmp_path / "service")
    world.add_user("asha", first_name="Asha", last_name="Nair")
    world.add_user("ravi")
    yield world
    await world.close()


@pytest.fixture
def access(world: World) -> Access:
    transport = httpx.ASGITransport(world.app, raise_app_exceptions=False)
    return Access(timeout=PATIENCE, allow_plain_http=True, transport=transport)


@pytest.fixture
async def asha(access: Access) -> AsyncIterator[SignedIn]:
    signed_in = await sign_in(BASE, "asha", PASSWORD, access=access)
    yield signed_in
    await signed_in.lms.close()


@pytest.fixture
def attempts(asha: SignedIn) -> Attempts:
    return asha.lms.attempts


async def test_a_receipt_is_signed_although_the_reply_to_the_end_is_lost(
    world: World, asha: SignedIn, attempts: Attempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.add_exam(sums(2))
    attempt = await attempts.create("sums")
    end = attempts.end

    async def lose_reply(attempt_id: int) -> None:
        await end(attempt_id)
        raise TimedOut("No answer in time.")

    monkeypatch.setattr(attempts, "end", lose_reply)
    journal = MemoryJournals().open(AttemptKey(BASE, asha.user.id, attempt.id), "Sums")
    keeper = await Keeper.open(attempts, journal, SystemClock(), Random(1), attempt.id)
    first = keeper.session.items[0]
    keeper.do(Chose(first.question_id, first.options[0]))
    keeper.do(EndAsked())
    await keeper.run()
    report = verify_text(keeper.receipt())
    assert (report.problems, report.ended, report.acknowledges) == ((), True, True)


async def test_an_exam_is_taken_from_the_list_to_the_statistics(
    world: World, asha: SignedIn, attempts: Attempts
) -> None:
    world.add_exam(sums(45))
    (listed,) = (await asha.lms.exams.page(ExamState.AVAILABLE)).results
    assert (await asha.lms.exams.read(listed.slug)).duration == timedelta(minutes=30)

    attempt = await attempts.create(listed.slug)
    assert attempt.state == "Running"
    assert (await attempts.start(attempt.id)).remaining_time == timedelta(minutes=30)
    questions = await attempts.questions(attempt.id)
    assert len({question.id for question in questions}) == 45

    key = world.right_answers(attempt.id)
    for question in questions[:10]:
        answer = AnswerInput(selected_answers=tuple(key[question.id]), review=True)
        echo = await attempts.save(attempt.id, question.id, answer)
        assert (echo.selected_answers, echo.review) == (answer.selected_answers, True)
    world.clock.move(minutes=1)
    assert (await attempts.heartbeat(attempt.id)).remaining_time == timedelta(minutes=29)
    ended = await attempts.end(attempt.id)
    assert isinstance(ended, ToldAttempt)
    assert Signed.read(ended.acknowledgement).told.answers == 10

    result = await attempts.read(attempt.id)
    assert (result.state, result.correct_count, result.unanswered_count) == ("Completed", 10, 35)
    reviewed = [question async for page in attempts.review(attempt.id) for question in page.results]
    assert len(reviewed) == 45
    assert any(option.is_correct for option in reviewed[0].question.answers)
    assert sum(subject.correct for subject in await attempts.subjects(attempt.id) if subject.leaf) == 10
    assert [row.id for row in await attempts.of_exam(listed.slug)] == [attempt.id]
    assert [row.id for row in (await attempts.page()).results] == [attempt.id]
    assert (await asha.lms.stats()).exams_attempted == 1


async def test_a_delayed_answer_does_not_overwrite_a_newer_one(world: World, attempts: Attempts) -> None:
    world.add_exam(sums())
    attempt = await attempts.create("sums")
    question = (await attempts.questions(attempt.id))[0]
    older, newer = (AnswerInput(selected_answers=(option.id,)) for option in question.question.answers[:2])
    await attempts.save(attempt.id, question.id, newer, "laptop:7")
    echo = await attempts.save(attempt.id, question.id, older, "laptop:6")
    assert echo.selected_answers == newer.selected_answers


async def test_a_second_device_starts_its_own_count(world: World, attempts: Attempts) -> None:
    world.add_exam(sums())
    attempt = await attempts.create("sums")
    question = (await attempts.questions(attempt.id))[0]
    first, second = (AnswerInput(selected_answers=(option.id,)) for option in question.question.answers[:2])
    await attempts.save(attempt.id, question.id, first, "laptop:40")
    echo = await attempts.save(attempt.id, question.id, second, "tablet:1")
    assert echo.selected_answers == second.selected_answers


async def test_sections_are_started_and_ended_at_their_addresses(world: World, attempts: Attempts) -> None:
    world.add_exam(locked())
    attempt = await attempts.create("parts")
    first, second = (await attempts.start(attempt.id)).sections
    assert len(await attempts.section_questions(first)) == 2
    with pytest.raises(Forbidden):
        await attempts.section_questions(second)
    await attempts.end_section(first)
    await attempts.start_section(second)
    assert len(await attempts.section_questions(second)) == 2


async def test_a_refusal_has_the_message_of_the_real_service(world: World, attempts: Attempts, access: Access) -> None:
    world.add_exam(sums())
    with pytest.raises(NotFound):
        await attempts.create("no-such-exam")
    attempt = await attempts.create("sums")
    with pytest.raises(Refused):
        await attempts.subjects(attempt.id)
    question = (await attempts.questions(attempt.id))[0]
    with pytest.raises(Invalid) as invalid:
        await attempts.save(attempt.id, question.id, AnswerInput(selected_answers=(999_999,)))
    assert invalid.value.fields
    await attempts.end(attempt.id)
    with pytest.raises(Forbidden, match="already ended"):
        await attempts.save(attempt.id, question.id, AnswerInput())
    ravi = await sign_in(BASE, "ravi", PASSWORD, access=access)
    with pytest.raises(Forbidden):
        await ravi.lms.attempts.read(attempt.id)
    await ravi.lms.close()


async def test_expired_token_is_renewed_in_the_middle_of_an_exam(
    world: World, asha: SignedIn, attempts: Attempts
) -> None:
    world.add_exam(sums(duration=None))
    attempt = await attempts.create("sums")
    world.clock.move(days=31)
    with pytest.raises(SignInNeeded):
        await attempts.heartbeat(attempt.id)
    with pytest.raises(Invalid):
        await asha.lms.sign_in_again("wrong")
    await asha.lms.sign_in_again(PASSWORD)
    assert (await attempts.heartbeat(attempt.id)).state == "Running"


async def test_forged_token_is_refused(access: Access) -> None:
    with pytest.raises(SignInNeeded):
        await sign_in_with_token(BASE, "e30.e30.e30", access=access)
