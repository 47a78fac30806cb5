"""Exams on a line where everything goes wrong: none loses an answer. That planted bugs do: `tests/mutants`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.bugs import BUGS
from tests.simulation.exam import SimulatedExam
from tests.simulation.shrinking import shrunk
from tests.simulation.trace import Trace

EXAMS = 250
MENDED = (
    *(20, 148, 452, 555, 732, 820, 1008, 1012, 1116, 1119, 1456, 1524, 1654),
    *(64, 518, 1228, 1740),
    *(1181, 2138, 2974, 3335, 3419, 4518, 8195, 8824, 9750),
    *(2589, 3623),
    *(642, 2336, 2543, 2975, 3531, 5492, 6327, 7043, 7284, 8108, 8468, 9166, 5252, 10040, 12643),
    *(3640, 6524, 6567, 7563, 8088, 8341, 9380, 10661, 11573, 15542, 16296, 2005),
    *(15971, 16138, 25451, 25883, 41727, 44186, 46416, 51407, 52208, 55729, 56506, 56732, 57418, 58149, 59480, 60119),
    *(51068, 66274, 68926, 74079, 74102, 100965, 103175, 105050, 105113, 110605, 112612, 125210),
    *(141552, 143035, 143199, 156248),
    *(123697, 156382, 165475, 176687, 177169, 180692, 200393, 208094),
    *(30122, 216309, 300150, 322373, 375780, 376290),
    *(408729, 412453, 417387, 421882, 439841, 463482),
    *(498765, 503246, 510009, 555857, 563338, 600030, 650890, 668984, 697214, 711467, 746015),
    *(841889, 866064, 898500, 945027),
)
"""Seeds of exams that once broke a rule."""


def test_no_answer_that_showed_as_saved_is_lost_and_every_exam_ends_once() -> None:
    verdicts = [SimulatedExam(seed).run() for seed in range(1, EXAMS + 1)]
    assert [verdict for verdict in verdicts if not verdict.good] == []
    assert sum(verdict.answers for verdict in verdicts) > 10 * EXAMS
    assert sum(verdict.faults.total() for verdict in verdicts) > 10 * EXAMS


@pytest.mark.parametrize("seed", MENDED)
def test_exams_that_once_broke_a_rule_break_none_now(seed: int) -> None:
    verdict = SimulatedExam(seed).run()
    assert verdict.good, verdict


def test_a_seed_replays_exactly() -> None:
    assert SimulatedExam(12).run() == SimulatedExam(12).run()


def test_a_failing_exam_is_reduced_to_the_events_that_fail() -> None:
    bug = next(bug for bug in BUGS if bug.name == "the server wins over an answer that it never got")
    with bug.plant():
        seed = next(seed for seed in range(1, 100) if not SimulatedExam(seed).run().good)
        whole, short = SimulatedExam(seed).run(), shrunk(seed)
        assert 0 < len(short.events) < len(whole.events)
        assert not SimulatedExam(seed, Trace(only=frozenset(short.events))).run().good


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_last_line_has_the_figures(jobs: str) -> None:
    command = [sys.executable, "-m", "tests.simulation", "--exams", "20", "--seed", "5", "--jobs", jobs]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    figures = done.stdout.splitlines()[-1].replace(",", "").split()
    assert (figures[0], figures[1], figures[-5:]) == ("20", "exams", ["5:", "0", "saved", "answers", "lost"])
