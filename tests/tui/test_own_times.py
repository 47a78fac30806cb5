"""The time for each question on the result and in the review: what this computer saw, if it saw the whole attempt."""

from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal_session import OTHER_DEVICE
from lms_tui.attempt.own_times import own_times
from lms_tui.attempt.ports import AttemptKey, Entry, Visit
from lms_tui.attempt.values import Answer
from lms_tui.wire.attempts import Attempt, ReviewQuestion
from tests.fakes.lms import FakeLms
from tests.fakes.program import program
from tests.tui.test_replay_screen import CHANGED, first, taken

RUN = 1_000_000
SOURCE = "Your times: how long each question was on your screen."


def a_journal() -> MemoryJournal:
    """An essay that is answered after four seconds, and read for six minutes."""
    journal = MemoryJournal(AttemptKey("http://fake", 7, 1), "Trial")
    essay = Entry(RUN + 1, 5, Answer(essay_text="Tides.", review=False), 4.0, 1e9)
    journal.record(essay, visits=[Visit(RUN, 5, 0.0), Visit(RUN, 0, 364.0)])
    return journal


def shown(journal: MemoryJournal, taken_in: timedelta | None) -> list[str | None]:
    review = [ReviewQuestion(id=5, duration="0:00:04"), ReviewQuestion(id=6, duration="0:00:02")]
    return [one.duration for one in own_times(journal).put_into(review, Attempt(time_taken=taken_in))]


def test_the_time_after_the_last_answer_counts_for_the_question_on_the_screen() -> None:
    assert shown(a_journal(), timedelta(seconds=366)) == ["0:06:04", "0:00:02"]
    assert shown(a_journal(), None) == ["0:06:04", "0:00:02"]


def test_a_journal_of_a_part_of_the_attempt_replaces_no_time() -> None:
    assert shown(a_journal(), timedelta(minutes=20)) == ["0:00:04", "0:00:02"]


def test_another_device_in_the_attempt_leaves_the_times_of_the_server() -> None:
    journal = a_journal()
    journal.remember({OTHER_DEVICE: "1"})
    assert shown(journal, timedelta(seconds=366)) == ["0:00:04", "0:00:02"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_result_and_the_review_show_the_times_of_this_computer(tmp_path: Path, size: tuple[int, int]) -> None:
    lms = FakeLms()
    seconds = 30.0 * len(CHANGED)
    lms.attempts.known = [
        attempt.model_copy(update={"time_taken": timedelta(seconds=seconds)}) for attempt in lms.attempts.known
    ]
    async with program(tmp_path, lms, journals=taken(lms), size=size) as run:
        await run.press("down", "down", "down", "down", "enter")
        await run.settle()
        await run.press(*["pagedown"] * 3 if size[1] < 40 else [])
        assert SOURCE in run.words
        await run.press("enter")
        await run.settle()
        assert run.screen == "ReviewScreen"
        assert f"Question {first.order} of 75" in run.text()
        assert "1 min" in run.words
