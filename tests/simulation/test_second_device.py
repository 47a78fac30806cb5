"""Case 26: the same attempt on two devices. Both answers are shown, the newest choice wins, nothing goes silently."""

from datetime import timedelta

import pytest

from lms_tui.attempt.events import Chose, EndAsked, Undone, Visited
from lms_tui.attempt.ports import Entry, JournalError
from lms_tui.attempt.values import Phase
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline
from tests.attempt.test_keeper import Desk


def other_device(desk: Desk, question: int, option: int, *, comes: bool = True) -> None:
    if comes:
        desk.server.now = desk.scheduler.now
        desk.server.start()
    desk.server.save(question, AnswerInput(selected_answers=(option,), review=False), "other:1")


@pytest.mark.case(26)
def test_case_26_a_newer_choice_of_another_device_wins_and_ours_is_shown_beside_it() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.wait(125)
    item = desk.session.items[0]
    assert (item.answer.selected, item.rival and item.rival.selected) == ((13,), (11,))
    assert desk.session.rivalled == (item,)
    assert not item.unsent
    assert desk.held(1) == (13,)


def test_case_26_ours_is_brought_back_by_undo_as_a_choice_of_its_own() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.wait(125)
    desk.keeper.do(Undone())
    assert desk.session.rivalled == ()
    desk.wait(125)
    assert desk.held(1) == (11,)


@pytest.mark.case(26)
def test_case_26_a_choice_that_was_not_sent_yet_is_sent_and_the_other_one_is_shown() -> None:
    desk = Desk().sit()
    for name in ("save 1", *["start"] * 40):
        desk.line.failures.setdefault(name, []).append(Offline("No connection."))
    desk.keeper.do(Chose(1, 11))
    desk.wait(120)
    other_device(desk, 1, 13)
    desk.wait(600)
    item = desk.session.items[0]
    assert (item.answer.selected, item.rival and item.rival.selected) == ((11,), (13,))
    assert desk.held(1) == (11,)


@pytest.mark.case(26)
def test_case_26_having_seen_a_question_gives_way_after_a_crash_too() -> None:
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


def test_case_26_having_seen_a_question_is_no_choice_and_gives_way() -> None:
    desk = Desk().sit()
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
def test_case_26_what_changed_elsewhere_while_the_program_was_away_is_shown_with_both_answers() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(10)
    other_device(desk, 1, 13)
    desk.crash()
    item = desk.session.items[0]
    assert (item.answer.selected, item.rival and item.rival.selected) == ((13,), (11,))


@pytest.mark.case(18)
def test_case_18_an_older_answer_of_ours_that_arrived_late_is_never_taken_for_another_devices() -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.answers[1] = AnswerInput(selected_answers=(11,), review=False)
    desk.crash()
    desk.wait(10)
    assert desk.held(1) == (12,)
    assert desk.session.rivalled == ()


def test_answers_after_a_full_disk_and_a_crash_are_not_taken_for_older_than_those_the_disk_never_saw() -> None:
    desk = Desk().sit()

    def full(*entries: Entry) -> None:
        raise JournalError("The disk is full.")

    record, desk.journal.record = desk.journal.record, full  # type: ignore[method-assign]  # plays a full disk
    for option in (11, 12, 13):
        desk.keeper.do(Chose(1, option))
        desk.wait(1)
    desk.journal.record = record  # type: ignore[method-assign]  # the disk has room again
    desk.crash()
    desk.keeper.do(Chose(1, 14))
    desk.wait(1)
    assert desk.held(1) == (14,)


def test_the_time_of_a_reply_that_does_not_refresh_it_is_not_adopted() -> None:
    desk = Desk(duration=1800.0).sit()
    desk.wait(50)
    desk.scheduler.now = 50.0
    desk.keeper._sync = desk.keeper._sync.__class__(started=True, doubtful=True, heartbeat_due=110.0)
    desk.keeper.retry()
    desk.wait(1)
    left = desk.keeper.time_left()
    assert left is not None
    assert timedelta(seconds=left) <= timedelta(seconds=1751)
