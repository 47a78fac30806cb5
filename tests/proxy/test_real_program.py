"""The program in a pty, the service in a process of its own, and a spoilt line between them; all: `tests.proxy`."""

import sys

import pytest

from tests.proxy import runs

SCHEDULES = 2


@pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them")
def test_every_answer_that_was_pressed_is_in_the_database_of_the_service(capsys: pytest.CaptureFixture[str]) -> None:
    tally = runs.run(SCHEDULES, 1, jobs=1)
    with capsys.disabled():
        print(f"\n{tally}")  # noqa: T201 - the counts belong in the record of a run
    assert tally.wrong == []
    assert tally.faults.total() > 0
