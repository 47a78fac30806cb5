"""Every planted bug is caught, and no check fails without one."""

import time

import pytest

from tests.crash import strace
from tests.mutants.bugs import BUGS
from tests.mutants.planting import Bug, evidence
from tests.record import Told

NEED_STRACE = {"power_cut", "kill_9"}


def possible() -> list[Bug]:
    return [bug for bug in BUGS if not (bug.guard in NEED_STRACE and strace.missing())]


@pytest.mark.parametrize(
    "check", {bug.guard: bug.check for bug in possible()}.values(), ids=lambda check: check.__name__
)
def test_every_check_passes_without_a_planted_bug(check: object) -> None:
    assert callable(check)
    check()


def test_every_planted_bug_is_caught_by_the_assertion_that_should_catch_it(told: Told) -> None:
    rows, missed = [], []
    for bug in possible():
        began = time.monotonic()
        found = evidence(bug)
        seconds = time.monotonic() - began
        rows.append(f"{bug.name:65.65}  {seconds:5.1f} s  {bug.guard}")
        if bug.expected not in (found or "nothing"):
            missed.append(f"{bug.name}: expected {bug.expected!r}, found {found or 'nothing'!r}"[:400])
    told(*rows, f"{len(rows) - len(missed)} of {len(rows)} planted bugs caught")
    assert missed == []
    assert len(BUGS) >= 60
