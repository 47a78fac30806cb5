"""Case 26: the same attempt on two devices. Both answers are shown, the newest choice wins, nothing goes silently."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from lms_tui.attempt.events import Chose, ChoseOther, EndAsked, Undone, Visited
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import Entry, JournalError, Visit
from lms_tui.attempt.values import Phase
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline
from tests.attempt.test_keeper import Desk
from tests.simulation.scheduler import SimulatedClock


def other_device(desk: Desk, question: int, option: int, *, comes: bool = True) -> None:
    desk.elsewhere(question, option, "other:1", starts=comes)


@pytest.mark.case(26)
def test_case_26_a_newer_choice_of_another_device_counts_and_ours_is_shown() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.wait(125)
    item = desk.session.items[0]
    assert (item.answer.selected, item.other_answer and item.other_answer.selected) == ((13,), (11,))
    assert desk.session.conflicts == (item,)
    assert not item.unsent
    assert desk.held(1) == (13,)


def test_case_26_undo_restores_our_answer_as_a_new_choice() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.wait(125)
    desk.keeper.do(Undone())
    assert desk.session.conflicts == ()
    desk.wait(125)
    assert desk.held(1) == (11,)


@pytest.mark.case(26)
def test_case_26_an_unsent_choice_is_sent_and_the_other_one_is_shown() -> None:
    desk = Desk().sit()
    desk.server.stamps = False
    for name in ("save 1", *["start"] * 12):
        desk.line.failures.setdefault(name, []).append(Offline("No connection."))
    desk.keeper.do(Chose(1, 11))
    desk.wait(70)
    other_device(desk, 1, 13)
    desk.wait(600)
    item = desk.session.items[0]
    assert (item.answer.selected, item.other_answer and item.other_answer.selected) == ((11,), (13,))
    assert desk.held(1) == (11,)


def offline(desk: Desk) -> None:
    desk.line.failures = {name: [Offline("No connection.")] * 100 for name in ("save 1", "start", "heartbeat")}


def two_devices(*, stamps: bool) -> tuple[Desk, Desk]:
    """The same attempt on two computers with one server, in one virtual time."""
    here, there = Desk(duration=7200.0), Desk()
    there.scheduler = here.scheduler
    there.server = there.line.server = here.server
    there.line.scheduler = here.scheduler
    there.clock = SimulatedClock(here.scheduler)
    here.server.stamps = stamps
    there.journal.writer = "second"
    return here.sit(), there.sit()


def test_case_26_an_older_offline_choice_is_replaced_on_both_screens() -> None:
    here, there = two_devices(stamps=True)
    offline(here)
    here.keeper.do(Chose(1, 13))
    here.wait(100)
    there.keeper.do(Chose(1, 14))
    here.wait(20)
    here.line.failures.clear()
    here.wait(130)
    mine, theirs = here.session.items[0], there.session.items[0]
    assert here.held(1) == (14,)
    assert (mine.answer.selected, mine.theirs, mine.unsent) == ((14,), True, False)
    assert mine.other_answer is not None
    assert mine.other_answer.selected == (13,)
    assert (theirs.answer.selected, theirs.theirs, theirs.unsent) == ((14,), False, False)


def test_case_26_a_newer_offline_choice_counts_on_both_screens() -> None:
    here, there = two_devices(stamps=True)
    offline(here)
    there.keeper.do(Chose(1, 14))
    here.wait(20)
    here.keeper.do(Chose(1, 13))
    here.wait(100)
    here.line.failures.clear()
    here.wait(130)
    mine, theirs = here.session.items[0], there.session.items[0]
    assert here.held(1) == (13,)
    assert (mine.answer.selected, mine.theirs, mine.unsent) == ((13,), False, False)
    assert (theirs.answer.selected, theirs.theirs) == ((13,), True)
    assert theirs.other_answer is not None
    assert theirs.other_answer.selected == (14,)


def test_case_26_without_times_both_screens_show_the_answer_of_the_server() -> None:
    here, there = two_devices(stamps=False)
    offline(here)
    here.keeper.do(Chose(1, 13))
    here.wait(100)
    there.keeper.do(Chose(1, 14))
    here.wait(20)
    here.line.failures.clear()
    here.wait(130)
    for desk, foreign in ((here, False), (there, True)):
        item = desk.session.items[0]
        assert item.answer.selected == here.held(1)
        assert item.theirs is foreign
        assert item.other_answer is not None


def test_case_26_one_event_switches_between_the_two_answers() -> None:
    here, there = two_devices(stamps=True)
    here.keeper.do(Chose(1, 13))
    here.wait(10)
    there.keeper.do(Chose(1, 14))
    here.wait(130)
    assert here.session.items[0].theirs
    here.keeper.do(ChoseOther(1))
    item = here.session.items[0]
    assert (item.answer.selected, item.theirs) == ((13,), False)
    assert item.other_answer is not None
    here.wait(1000)
    assert here.held(1) == (13,) == there.session.items[0].answer.selected
    here.keeper.do(ChoseOther(1))
    here.wait(1000)
    assert here.held(1) == (14,) == there.session.items[0].answer.selected


def test_case_26_opening_a_question_in_the_first_minute_leaves_the_other_devices_answer() -> None:
    here, there = two_devices(stamps=True)
    there.keeper.do(Chose(3, 33))
    here.wait(2)
    here.keeper.do(Visited(3))
    here.keeper.do(Visited(4))
    here.wait(10)
    assert here.held(3) == (33,)
    assert here.session.items[2].answer.selected == (33,)


def test_case_26_an_answer_is_dated_by_when_it_was_chosen_also_after_a_crash() -> None:
    here, there = two_devices(stamps=True)
    offline(here)
    here.keeper.do(Chose(1, 13))
    here.wait(100)
    there.keeper.do(Chose(1, 14))
    here.wait(5)
    here.line.failures.clear()
    here.crash()
    here.wait(130)
    assert here.held(1) == (14,)


@pytest.mark.case(26)
def test_case_26_a_visit_replaces_no_answer_after_a_crash() -> None:
    desk = Desk().sit()
    for name in ("save 3", *["start"] * 40):
        desk.line.failures.setdefault(name, []).append(Offline("No connection."))
    desk.keeper.do(Visited(3))
    desk.keeper.do(Visited(4))
    desk.wait(5)
    assert not desk.journal.newest()[3].acknowledged
    other_device(desk, 3, 33)
    desk.line.failures.clear()
    desk.crash()
    desk.wait(300)
    assert desk.session.items[2].answer.selected == desk.held(3) == (33,)


def test_case_26_a_visit_replaces_no_answer() -> None:
    desk = Desk().sit()
    desk.server.stamps = False
    other_device(desk, 2, 21)
    desk.wait(65)
    desk.keeper.do(Visited(3))
    other_device(desk, 3, 33, comes=False)
    desk.keeper.do(Visited(4))
    desk.wait(300)
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert (desk.held(2), desk.held(3)) == ((21,), (33,))
    assert desk.session.phase is Phase.ENDED


@pytest.mark.case(26)
def test_case_26_a_change_elsewhere_while_closed_shows_both_answers() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.crash()
    item = desk.session.items[0]
    assert (item.answer.selected, item.other_answer and item.other_answer.selected) == ((13,), (11,))


@pytest.mark.case(18)
def test_case_18_our_own_late_answer_is_never_shown_as_another_devices() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.answers[1] = AnswerInput(selected_answers=(11,), review=False)
    desk.crash()
    desk.wait(10)
    assert desk.held(1) == (12,)
    assert desk.session.conflicts == ()


def test_answers_after_a_full_disk_and_a_crash_get_higher_numbers() -> None:
    desk = Desk().sit()

    def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        raise JournalError("The disk is full.")

    record, desk.journal.record = desk.journal.record, full  # type: ignore[method-assign]  # plays a full disk
    for option in (11, 12, 13):
        desk.keeper.do(Chose(1, option))
        desk.wait(1)
    desk.journal.record = record  # type: ignore[method-assign]  # the disk has room again
    desk.clock.wall_offset = -3600.0  # the time alone makes numbers higher, where nobody sets the clock
    desk.crash()
    desk.keeper.do(Chose(1, 14))
    desk.wait(1)
    assert desk.held(1) == (14,)


def test_an_outdated_time_left_is_not_adopted() -> None:
    desk = Desk(duration=1800.0).sit()
    desk.wait(50)
    desk.scheduler.now = 50.0
    desk.keeper._sender._connection.sync = SyncState(started=True, doubtful=True, heartbeat_due=110.0)
    desk.keeper.retry()
    desk.wait(1)
    left = desk.keeper.time_left()
    assert left is not None
    assert timedelta(seconds=left) <= timedelta(seconds=1751)
