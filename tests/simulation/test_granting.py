"""Exams with more time on a bad line: none is ended early, and none refuses an answer in time."""

import subprocess
import sys
from pathlib import Path

import pytest

from lms_tui.attempt import outbox
from lms_tui.attempt.deadline import Deadline, Reading
from tests.simulation.granting import GrantedExam

EXAMS = 150


def test_no_exam_is_ended_before_the_granted_time_is_over() -> None:
    verdicts = [GrantedExam(seed).run() for seed in range(1, EXAMS + 1)]
    assert [verdict for verdict in verdicts if not verdict.good] == []
    assert sum(verdict.faults["grant"] for verdict in verdicts) > EXAMS // 2


def _first_broken() -> str:
    """Return what is broken in the first exam that breaks a promise."""
    return next(verdict.broken[0] for verdict in (GrantedExam(seed).run() for seed in range(1, 300)) if verdict.broken)


def test_a_program_that_does_not_ask_for_more_time_before_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "heartbeat_now", lambda sync, _now: sync)
    assert "the exam was ended by its time" in _first_broken()


def test_a_program_that_never_moves_the_end_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Deadline.adopt

    def adopt(known: Deadline, reading: Reading) -> Deadline:
        found = sound(known, reading)
        later = known.ends_at is not None and found.ends_at is not None and found.ends_at > known.ends_at
        return known if later else found

    monkeypatch.setattr(Deadline, "adopt", adopt)
    assert "left" in _first_broken()


def test_the_long_form_gives_time() -> None:
    command = [sys.executable, "-m", "tests.simulation", "--exams", "20", "--seed", "5", "--grants", "--jobs", "1"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert " grant, " in done.stdout
    assert done.stdout.endswith("seed 5: 0 saved answers lost\n")
