"""The program in a pty, the service in a process of its own, and a spoilt line between them; all: `tests.proxy`."""

import sys

import pytest

from tests.proxy import runs
from tests.record import Told

SCHEDULES = 2


@pytest.mark.skipif(sys.platform != "linux", reason="ptys are used as Linux has them")
def test_every_answer_pressed_is_in_the_database_of_the_service(told: Told) -> None:
    tally = runs.run(SCHEDULES, 1, jobs=1)
    told(tally)
    assert tally.wrong == []
    assert tally.faults.total() > 0
