"""Older answers on the server: of a second device, of an opened question, and of a section that has begun again."""

import pytest

from lms_tui.attempt.comparison import Known, events_of
from lms_tui.attempt.events import Chose, Cleared, Differs, EndAsked, Foreign, Undone, Visited
from lms_tui.attempt.mapping import answer_of
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline, TimedOut
from tests.attempt.test_forgetting import desk_with
from tests.attempt.test_forgotten_sections import NO_ANSWERS, in_the_first_section, in_the_second_section
from tests.attempt.test_keeper import Desk
from tests.simulation.server import COMPLETED, NOT_STARTED, RUNNING


def test_an_older_answer_of_another_device_does_not_stand_where_the_server_knows_times() -> None:
    desk = desk_with("epoch alone")
    before, chosen_at = desk.server.backup(), desk.server.moment()
    desk.wait(65)
    desk.keeper.do(Chose(1, 13))
    desk.wait(5)
    desk.server.put_back(before)
    desk.server.restores -= 1  # the heartbeat before the end came before the restore, so its epoch was the old one
    desk.elsewhere(1, 14, "phone:1", chosen_at)
    assert desk.held(1) == (14,)
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.held(1) == (13,)


def test_the_newer_of_two_choices_stands_where_the_exam_began_on_a_slow_line() -> None:
    desk = Desk(duration=None)
    desk.server.tells, desk.line.trip = "epoch", 12.0
    desk.sit()
    desk.wait(30)
    desk.line.trip = 0.01
    desk.wait(65)  # a heartbeat tells the server's clock more exactly than the slow start
    desk.elsewhere(1, 14, "phone:1")
    desk.wait(2)
    desk.keeper.do(Chose(1, 13))
    desk.wait(125)
    assert desk.held(1) == (13,)


def test_an_undone_change_that_arrives_after_a_crash_does_not_stand() -> None:
    desk = Desk(duration=None).sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(5)
    desk.line.failures["save 1"] = [TimedOut("No answer in time.")] * 2
    desk.keeper.do(Chose(1, 13))
    desk.keeper.do(Undone())
    (_, undone, newest) = (kept.entry for kept in desk.journal.history())
    assert newest.answer.selected == (12,)
    desk.crash()
    desk.wait(5)
    desk.server.save(1, AnswerInput(selected_answers=(13,), review=False), f"{desk.journal.writer}:{undone.sequence}")
    assert desk.held(1) == (12,)


def test_an_answer_does_not_wait_for_the_end_where_a_restored_server_holds_an_opened_question() -> None:
    desk = Desk(duration=None).sit()
    desk.keeper.do(Visited(1))
    desk.wait(65)
    desk.keeper.do(Visited(2))
    desk.wait(5)
    opened = desk.server.backup()
    desk.server.now = desk.scheduler.now
    desk.server.start()
    desk.keeper.do(Chose(1, 12))
    desk.wait(125)
    assert desk.keeper._sender.sync.other_device
    desk.server.put_back(opened)
    desk.wait(600)
    assert desk.held(1) == (12,)


def test_an_answer_that_was_not_in_the_journal_stays_cleared_after_two_starts() -> None:
    desk = Desk(duration=None).sit()
    desk.keeper.do(Visited(1))
    desk.wait(65)
    desk.server.answers[1] = AnswerInput(selected_answers=(12,), review=False)
    desk.crash()
    assert desk.session.items[0].answer.selected == (12,)
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.keeper.do(Cleared(1))
    for _ in range(2):
        desk.crash()
        assert not desk.session.items[0].answer.given
    desk.line.failures.clear()
    desk.wait(600)
    assert desk.held(1) == ()


def test_answers_of_a_section_that_has_not_begun_on_a_restored_server_are_undelivered_after_a_crash() -> None:
    desk = in_the_second_section()
    desk.keeper.do(Chose(4, 42))
    desk.wait(65)
    assert desk.journal.newest()[4].acknowledged
    desk.server.put_back({**NO_ANSWERS, "states": {1: RUNNING, 2: NOT_STARTED}, "part_left": 0.0})
    desk.line.failures["read"] = [Offline("No connection.")] * 99
    desk.wait(65)
    assert not desk.journal.newest()[4].acknowledged


def test_a_cleared_answer_of_an_ended_section_is_listed_where_a_restored_server_holds_it_again() -> None:
    desk = in_the_first_section("epoch")
    answered = desk.server.backup()
    desk.keeper.do(Cleared(1))
    desk.wait(5)
    desk.server.end_section(1)
    desk.server.start_section(2)
    desk.crash()
    assert desk.session.missing_in_ended == 0
    desk.server.put_back({**answered, "states": {1: COMPLETED, 2: RUNNING}})
    desk.wait(65)
    assert desk.session.missing_in_ended == 1


def test_an_answer_that_was_given_twice_is_sent_again_to_a_server_that_holds_the_first() -> None:
    desk = desk_with("epoch", 1)
    older, between = desk.server.backup(), desk.server.moment()
    desk.wait(65)
    for option in (13, 12):
        desk.keeper.do(Chose(1, option))
        desk.wait(5)
    desk.server.put_back(older)
    desk.wait(65)
    desk.elsewhere(1, 14, "phone:1", between + 1000)
    desk.wait(125)
    assert desk.held(1) == (12,)


@pytest.mark.parametrize("timed", [frozenset(), None], ids=["no time", "server without times"])
def test_our_answer_gives_way_to_another_devices_where_it_has_no_time(timed: frozenset[int] | None) -> None:
    desk = desk_with("epoch", 1)
    ours, theirs = desk.session.items[0].answer, AnswerInput(selected_answers=(14,), review=False)
    desk.server.answers[1] = theirs
    held = desk.server.show(1)
    events = events_of(desk.session, [held], Known(given={1: [ours]}), other_device=True, final=False, timed=timed)
    assert events == [Foreign(1, answer_of(held), taken=True)]
    with_time = events_of(desk.session, [held], Known(given={1: [ours]}), other_device=True, final=False, timed={1})
    assert with_time == [Foreign(1, answer_of(held), taken=False), Differs(1)]


def test_an_answer_that_stood_in_place_of_ours_is_shown_after_a_restore_although_a_newer_one_is_there() -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.elsewhere(1, 14, starts=True)
    desk.wait(125)
    assert desk.session.items[0].answer.selected == (14,)
    desk.server.put_back(older)
    desk.elsewhere(1, 11, "phone:2")
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)


def test_a_newer_answer_of_another_device_stands_where_the_program_starts_after_a_restore() -> None:
    desk = desk_with("epoch", 1)
    desk.server.put_back(desk.server.backup())
    desk.elsewhere(1, 14, starts=True)
    desk.crash()
    desk.wait(125)
    (item, *_) = desk.session.items
    assert (item.answer.selected, item.theirs, item.refused) == ((14,), True, "")
    assert (item.other_answer and item.other_answer.selected) == (12,)


def test_an_answer_that_stood_in_place_of_ours_is_shown_after_two_starts_although_a_newer_one_is_there() -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.elsewhere(1, 14, starts=True)
    desk.wait(125)
    desk.server.put_back(older)
    desk.elsewhere(1, 11, "phone:2")
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    for _ in range(2):
        desk.crash()
        (item, *_others) = desk.session.items
        assert item.answer.selected == (14,)
    desk.line.failures.clear()
    desk.wait(125)
    assert desk.session.items[0].answer.selected == desk.held(1) == (11,)


def test_a_question_that_was_cleared_is_shown_as_seen_after_a_start() -> None:
    desk = Desk(duration=None).sit()
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Cleared(1))
    desk.wait(65)
    desk.server.answers[1] = AnswerInput(selected_answers=(), review=None)
    desk.crash()
    assert desk.session.items[0].answer.visited
