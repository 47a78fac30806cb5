"""A disk that is full when the program starts or when the server answers, and a crash before there is room."""

from random import Random
from typing import Any

import pytest

from lms_tui.attempt.events import Chose, Cleared
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline
from tests.attempt.test_keeper import Desk
from tests.simulation.disk import Mishaps, MortalJournal
from tests.simulation.trace import Trace


def on_a_bad_disk(*, full: bool = False) -> tuple[Desk, Mishaps]:
    """An exam that has not begun, on a disk that may become full. After a crash, the disk has room."""
    desk = Desk(duration=None)
    mishaps = Mishaps(Random(5), Trace(), full=full)
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    return desk, mishaps


def test_answers_get_higher_numbers_than_those_of_a_start_on_a_full_disk() -> None:
    desk, _ = on_a_bad_disk(full=True)
    desk.sit()
    for option in (11, 12, 13):
        desk.keeper.do(Chose(1, option))
        desk.wait(1)
    assert desk.held(1) == (13,)
    desk.crash()
    desk.keeper.do(Chose(1, 14))
    desk.wait(1)
    assert desk.held(1) == (14,)


def test_an_answer_has_its_time_after_a_crash_although_the_disk_refused_the_clock_of_the_server() -> None:
    desk, mishaps = on_a_bad_disk(full=True)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.sit()
    mishaps.full = False
    desk.keeper.do(Chose(1, 12))
    desk.scheduler.now += 10.0
    desk.elsewhere(1, 14)
    desk.line.failures.clear()
    desk.crash()
    desk.wait(10)
    (item, *_) = desk.session.items
    assert desk.held(1) == (14,)
    assert (item.answer.selected, item.theirs, item.other_answer and item.other_answer.selected) == ((14,), True, (12,))


def test_an_answer_has_no_time_where_the_computer_was_restarted_before_the_clock_of_the_server_was_written() -> None:
    desk, mishaps = on_a_bad_disk(full=True)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.sit()
    mishaps.full = False
    desk.keeper.do(Chose(1, 12))
    desk.clock.wall_offset = 60.0  # the boot clock counts from another moment
    desk.crash()
    assert desk.keeper._journal.times.chosen_at(desk.session.items[0]) is None


def test_an_acknowledgement_that_a_full_disk_refused_is_written_when_there_is_room() -> None:
    desk, mishaps = on_a_bad_disk()
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    mishaps.full = True
    desk.wait(1)
    assert desk.session.saved_there == 1
    assert not desk.journal.newest()[1].acknowledged
    mishaps.full = False
    desk.keeper.tick()
    assert desk.journal.newest()[1].acknowledged


def test_an_answer_that_the_server_has_lost_is_noted_as_undelivered_when_a_full_disk_has_room_again() -> None:
    desk, mishaps = on_a_bad_disk()
    desk.server.tells = "epoch"
    desk.sit()
    before = desk.server.backup()
    desk.keeper.do(Chose(1, 12))
    desk.wait(65)
    mishaps.full = True
    mishaps.random.random = lambda: 1.0  # type: ignore[method-assign]  # no refused write reaches the disk
    desk.server.put_back(before)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.wait(65)
    assert desk.journal.newest()[1].acknowledged
    mishaps.full = False
    desk.keeper.tick()
    assert not desk.journal.newest()[1].acknowledged


def test_an_answer_that_the_server_holds_at_the_opening_is_not_sent_over_a_newer_one_after_a_crash() -> None:
    desk, mishaps = on_a_bad_disk()
    desk.server.stamps = False
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    mishaps.full = True
    desk.wait(1)
    desk.crash()
    assert desk.journal.newest()[1].acknowledged
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.crash()
    desk.wait(10)
    (item, *_) = desk.session.items
    assert desk.held(1) == (14,)
    assert (item.answer.selected, item.theirs, item.other_answer and item.other_answer.selected) == ((14,), True, (12,))


@pytest.mark.parametrize("times", [False, True])
def test_another_devices_answer_is_not_written_as_ours_when_a_full_disk_has_room_again(*, times: bool) -> None:
    desk, mishaps = on_a_bad_disk()
    desk.server.stamps = times
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    mishaps.full = True
    desk.keeper.do(Cleared(1))
    desk.wait(1)
    desk.elsewhere(1, 14, starts=True)
    desk.wait(65)
    assert desk.session.items[0].answer.selected == (14,)
    mishaps.full = False
    desk.keeper.tick()
    assert [kept.entry.answer.selected for kept in desk.journal.history()] == [(12,), ()]
    desk.crash()
    desk.keeper.do(Cleared(1))
    desk.wait(5)
    desk.elsewhere(1, 14, "phone:2", starts=True)
    desk.wait(65)
    assert desk.held(1) == (14,)
