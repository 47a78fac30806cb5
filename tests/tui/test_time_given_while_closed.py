"""Time that the institute gives while the exam is closed: the top line counts it after the resume."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

from lms_tui.attempt.journal.store import FileJournals
from lms_tui.wire.attempts import Attempt, ToldAttempt
from lms_tui.wire.server_memory import ServerMemory
from tests.fakes.attempts import KEY, AttemptInMemory, an_exam
from tests.fakes.sitting import sitting


class _Embedded(AttemptInMemory):
    """A service that tells its epoch and the time taken, as the embedded one does. `allowed`: the time limit."""

    allowed = timedelta(minutes=30)
    epoch = "first"

    async def start(self, attempt_id: int) -> Attempt:
        attempt = await super().start(attempt_id)
        fields = dict(attempt) | {"time_taken": self.allowed - (attempt.remaining_time or timedelta())}
        return ToldAttempt(**fields).model_copy(update={"memory": ServerMemory(self.epoch)})


def _paper() -> _Embedded:
    return _Embedded(an_exam(2), duration=timedelta(minutes=30))


async def test_time_that_was_given_while_the_exam_was_closed_is_counted_once(tmp_path: Path) -> None:
    service, journals = _paper(), FileJournals(tmp_path)
    with closing(journals.open(KEY, "An exam")) as journal:
        async with sitting(service, journal=journal) as sit:
            await sit.pass_time(3)
            assert "00:29:57" in sit.text()
    service.allowed, service.remaining = timedelta(minutes=45), timedelta(minutes=42)
    for _ in range(2):
        with closing(journals.open(KEY, "An exam")) as journal:
            async with sitting(service, journal=journal) as sit:
                assert "+15 min" in sit.text()


async def test_time_that_was_given_during_a_run_and_after_it_is_added_up(tmp_path: Path) -> None:
    service, journals = _paper(), FileJournals(tmp_path)
    with closing(journals.open(KEY, "An exam")) as journal:
        async with sitting(service, journal=journal) as sit:
            service.allowed = service.remaining = timedelta(minutes=35)
            await sit.jump(61)
            await sit.work()
            assert "+5 min" in sit.text()
    service.allowed, service.remaining = timedelta(minutes=45), timedelta(minutes=42)
    with closing(journals.open(KEY, "An exam")) as journal:
        async with sitting(service, journal=journal) as sit:
            assert "+15 min" in sit.text()


async def test_a_pause_on_a_server_that_tells_no_epoch_does_not_count_as_time_given(tmp_path: Path) -> None:
    service, journals = _paper(), FileJournals(tmp_path)
    service.epoch = ""
    for allowed in (timedelta(minutes=30), timedelta(minutes=45)):
        service.allowed = allowed
        with closing(journals.open(KEY, "An exam")) as journal:
            async with sitting(service, journal=journal) as sit:
                assert "min" not in sit.rows()[0]


class _Frozen(AttemptInMemory):
    """A service that stands still for ten seconds before it reads its clock for a heartbeat."""

    async def heartbeat(self, attempt_id: int) -> Attempt:
        self.clock.now += 10
        return await super().heartbeat(attempt_id)


async def test_a_server_that_was_frozen_has_corrected_no_time() -> None:
    async with sitting(_Frozen(an_exam(2), duration=timedelta(minutes=30))) as sit:
        await sit.pass_time(61)
        await sit.work()
        await sit.pass_time(1)
        assert sit.service.calls["heartbeat"] == 1
        assert "00:28:48" in sit.text()
        assert "corrected the time" not in sit.text()
        assert "You have been given" not in sit.text()
        assert "+" not in sit.rows()[0]
