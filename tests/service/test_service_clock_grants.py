"""No exam with grants, pauses and outages on its clock ends early: the short form of `clock_grants.py`."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.service.attempts.clock import AttemptClock, SectionClock
from lms_tui.wire.attempt_states import AttemptState
from tests.service.clock_grants import NOTHING, START, simulate


@pytest.mark.parametrize("part", range(20))
def test_no_attempt_ends_early_and_no_answer_is_refused_within_the_granted_time(part: int) -> None:
    for seed in range(250 * part, 250 * (part + 1)):
        simulate(seed)


def test_a_clock_that_forgets_grants_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AttemptClock, "granted", lambda clock, _: clock)
    with pytest.raises(AssertionError, match="seed"):
        list(map(simulate, range(20)))


def test_the_long_form_has_the_figures() -> None:
    command = [sys.executable, "-m", "tests.service.clock_grants", "--exams", "20", "--seed", "5"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("20 exams (")
    assert done.stdout.endswith("seed 5: 0 ended early or refused an answer in time\n")


def test_time_granted_after_the_end_reopens_the_section_that_ran_out_last() -> None:
    sections = (
        SectionClock(timedelta(minutes=1), NOTHING, AttemptState.RUNNING),
        SectionClock(timedelta(minutes=2), NOTHING, AttemptState.NOT_STARTED),
    )
    over = AttemptClock(timedelta(minutes=3), NOTHING, START, sections).at(START + timedelta(minutes=3, seconds=5))
    granted = over.granted(timedelta(minutes=4))
    assert [section.state for section in granted.sections] == [AttemptState.COMPLETED, AttemptState.RUNNING]
    assert granted.left == timedelta(minutes=4)
    assert granted.deadline == START + timedelta(minutes=7, seconds=5)
