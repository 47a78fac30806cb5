"""The journal of files under kill -9 and power cuts; a sample here, every point with `LMS_TUI_CRASH=all`.

Cases 9 and 11 of the design: what showed as saved is there after any crash, and a crash between the server's answer
and the mark of it costs a repetition, never an answer.
"""

import os
from collections.abc import Sequence
from random import Random

import pytest

from tests.crash import runs, strace
from tests.crash.oracle import Tally
from tests.crash.writer import EARLY, MARK_FIRST, NOT_SYNCED
from tests.record import Told

EVERY = os.environ.get("LMS_TUI_CRASH") == "all"
pytestmark = pytest.mark.skipif(bool(strace.missing()), reason=f"no crash tests: {strace.missing()}")


@pytest.fixture(scope="module")
def points() -> Sequence[runs.Point]:
    found = runs.points()
    return found if EVERY else sorted(Random(1).sample(found, 40))


def kept(tally: Tally, told: Told) -> Tally:
    """The tally, after its counts went into the record of the run."""
    told(tally, *tally.examples)
    return tally


@pytest.mark.case(9)
@pytest.mark.case(11)
def test_case_9_no_acknowledged_answer_is_lost_by_kill_9_at_any_write(points: Sequence[runs.Point], told: Told) -> None:
    assert not kept(runs.kill_at(points), told).damaged


def test_no_acknowledged_answer_is_lost_by_a_kill_during_recovery(told: Told) -> None:
    assert not kept(runs.kill_again(range(100 if EVERY else 6)), told).damaged


@pytest.mark.parametrize("stop_at", [0, 12])
@pytest.mark.case(9)
def test_no_acknowledged_answer_is_lost_by_a_power_cut(stop_at: int, told: Told) -> None:
    answers = runs.ANSWERS if EVERY or not stop_at else 30
    assert not kept(runs.cut_power(1, 10 if EVERY else 1, answers, stop_at=stop_at), told).damaged


def test_a_journal_that_does_not_sync_each_answer_is_caught_by_the_power_cut(
    told: Told,
) -> None:
    tally = kept(runs.cut_power(1, 1, 40, variant=NOT_SYNCED), told)
    assert tally.damaged > tally.points / 2


def test_an_answer_shown_as_saved_before_the_commit_is_caught_by_kill_9(
    points: Sequence[runs.Point], told: Told
) -> None:
    assert kept(runs.kill_at(points[::3], variant=EARLY), told).lost


def test_a_mark_that_is_written_before_its_row_is_caught_by_kill_9(points: Sequence[runs.Point], told: Told) -> None:
    assert kept(runs.kill_at(points[::3], variant=MARK_FIRST), told).corrupt
