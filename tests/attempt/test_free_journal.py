"""Opening a journal that another window holds."""

import anyio
import pytest

from lms_tui.attempt.free_journal import open_when_free
from lms_tui.attempt.journal.memory import MemoryJournals
from lms_tui.attempt.ports import AttemptKey, Journal, JournalInUseError
from tests.fakes.attempts import PassingClock, StillClock

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
BEGUN = StillClock().now


async def test_a_free_journal_is_opened_without_waiting() -> None:
    clock, journals = PassingClock(), MemoryJournals()
    await open_when_free(lambda: journals.open(KEY, "Trial"), clock, anyio.Event())
    assert clock.now == BEGUN


async def test_a_journal_is_opened_when_the_other_window_closes() -> None:
    journals = MemoryJournals()
    held = journals.open(KEY, "Trial")
    clock = PassingClock(meanwhile=lambda _: held.close())
    journal = await open_when_free(lambda: journals.open(KEY, "Trial"), clock, anyio.Event())
    assert journal.recall("title") == "Trial"
    assert BEGUN < clock.now < BEGUN + 1


@pytest.mark.parametrize("speed", [1.0, 60.0])
async def test_a_window_that_stays_open_is_waited_for_some_seconds(speed: float) -> None:
    clock, journals = PassingClock(speed), MemoryJournals()
    journals.open(KEY, "Trial")
    with pytest.raises(JournalInUseError):
        await open_when_free(lambda: journals.open(KEY, "Trial"), clock, anyio.Event())
    assert 5 < (clock.now - BEGUN) / speed < 7


async def test_a_person_can_end_the_wait() -> None:
    tries = 0

    def held() -> Journal:
        nonlocal tries
        tries += 1
        raise JournalInUseError(7)

    with pytest.raises(JournalInUseError):
        await open_when_free(held, PassingClock(meanwhile=lambda enough: enough.set()), anyio.Event())
    assert tries == 2
