"""A server that was restored from a copy: what it has forgotten is noticed with the next heartbeat and sent again."""

from dataclasses import replace
from pathlib import Path

import pytest

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Visited
from lms_tui.attempt.forgetting import Remembered
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.outbox import COMPARISONS, SyncState, recalled
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline
from lms_tui.wire.server_memory import ServerMemory
from tests.attempt.test_keeper import Desk


def desk_with(tells: str, *questions: int) -> Desk:
    """An exam on a server that tells what it remembers, with an answer to each of these questions."""
    desk = Desk(duration=None)
    desk.server.tells = tells
    desk.sit()
    for question in questions:
        desk.keeper.do(Chose(question, 10 * question + 2))
    desk.wait(65)
    return desk


@pytest.mark.parametrize("tells", ["epoch", "epoch alone", "numbers"])
def test_answers_that_a_restored_server_has_lost_are_there_again_after_the_next_heartbeat(tells: str) -> None:
    desk = desk_with(tells, 1)
    older = desk.server.backup()
    for question in (2, 3, 4):
        desk.keeper.do(Chose(question, 10 * question + 1))
    desk.wait(120)
    desk.server.put_back(older)
    assert (desk.held(2), desk.session.saved_there) == ((), 4)
    desk.wait(61)
    assert [desk.held(question) for question in (1, 2, 3, 4)] == [(12,), (21,), (31,), (41,)]
    assert desk.session.saved_there == 4
    assert desk.session.conflicts == ()
    assert desk.session.lost_there == 3
    desk.keeper.do(Chose(5, 51))
    assert desk.session.lost_there == 0


def test_a_new_answer_after_the_restore_does_not_hide_what_was_lost() -> None:
    desk = desk_with("numbers", 1)
    older = desk.server.backup()
    desk.keeper.do(Chose(2, 21))
    desk.wait(2)
    desk.server.put_back(older)
    desk.keeper.do(Chose(3, 31))
    desk.wait(60)
    assert [desk.held(question) for question in (1, 2, 3)] == [(12,), (21,), (31,)]


def test_a_server_that_is_restored_twice_gets_everything_twice() -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.keeper.do(Chose(2, 21))
    desk.wait(65)
    for _ in range(2):
        desk.server.put_back(older)
        desk.wait(61)
        assert desk.held(2) == (21,)


@pytest.mark.parametrize("tells", ["epoch", "numbers"])
def test_older_answers_of_a_restored_server_are_not_another_devices_choice(tells: str) -> None:
    desk = desk_with(tells, 1)
    desk.server.answers[2] = AnswerInput(selected_answers=(24,), review=False)
    desk.wait(60)
    desk.server.start()  # another device
    desk.wait(65)
    older = desk.server.backup()
    desk.keeper.do(Chose(1, 13))
    desk.keeper.do(Chose(2, 21))
    desk.keeper.do(Cleared(3))
    desk.wait(65)
    assert desk.keeper._sender.sync.other_device
    desk.server.put_back(older)
    desk.wait(61)
    assert (desk.held(1), desk.held(2)) == ((13,), (21,))
    assert desk.session.conflicts == ()
    assert desk.session.saved_there == 2


def test_a_newer_choice_that_another_device_has_sent_again_stands_and_ours_is_shown() -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.keeper.do(Chose(1, 13))
    desk.wait(100)
    theirs = AnswerInput(selected_answers=(14,), review=False)
    chosen = desk.server.moment()
    desk.server.put_back(older)
    desk.server.now = desk.scheduler.now
    desk.server.save(1, theirs, "phone:3", chosen + 1000 * round(desk.scheduler.now - desk.server.contact))
    desk.wait(125)
    item = desk.session.items[0]
    assert (desk.held(1), item.answer.selected) == ((14,), (14,))
    assert item.theirs
    assert item.other_answer is not None
    assert item.other_answer.selected == (13,)
    assert not item.refused


def test_an_answer_of_another_device_that_was_not_seen_here_is_not_emptied() -> None:
    desk = desk_with("epoch", 1)
    desk.elsewhere(2, 24)
    desk.server.put_back(desk.server.backup())
    desk.wait(125)
    assert desk.held(2) == (24,)
    assert desk.session.items[1].answer.selected == (24,)


def test_a_restore_is_noticed_by_a_program_that_starts_again() -> None:
    desk = desk_with("epoch")
    desk.elsewhere(1, 14)
    older = desk.server.backup()
    desk.wait(5)
    desk.keeper.do(Chose(1, 12))
    desk.wait(5)
    assert desk.held(1) == (12,)
    desk.server.put_back(older)
    desk.crash()
    assert desk.session.lost_there == 1
    desk.wait(5)
    assert desk.held(1) == (12,)
    assert desk.session.conflicts == ()


def test_an_answer_of_another_device_that_a_start_recorded_is_not_lost_with_the_server() -> None:
    desk = Desk(duration=None)
    desk.server.tells = "epoch"
    older = desk.server.backup()
    desk.server.save(1, AnswerInput(selected_answers=(14,), review=False), "phone:1")
    desk.sit()
    desk.wait(65)
    desk.server.put_back(older)
    desk.crash()
    desk.wait(5)
    assert (desk.held(1), desk.session.items[0].answer.selected) == ((14,), (14,))
    desk.elsewhere(1, 13, "phone:2", 1)
    assert desk.held(1) == (13,)


def test_a_crash_between_notice_and_comparison_is_made_good_by_the_next_start() -> None:
    desk = desk_with("epoch alone")
    desk.elsewhere(1, 14)
    older = desk.server.backup()
    desk.wait(5)
    desk.keeper.do(Chose(1, 13))
    desk.wait(5)
    desk.server.put_back(older)
    desk.line.failures["questions"] = [Offline("No connection.")] * 99
    desk.wait(65)
    assert desk.keeper._sender.sync.restored
    del desk.line.failures["questions"]
    desk.crash()
    desk.wait(5)
    assert desk.held(1) == (13,)
    assert desk.session.conflicts == ()


def test_a_server_with_another_epoch_in_each_reply_is_not_compared_with_each_heartbeat() -> None:
    desk = desk_with("epoch", 1)
    desk.line.log.clear()
    for _ in range(60):
        desk.server.restores += 1
        desk.wait(60)
    assert 3 < desk.line.log.count("questions") <= 3 + 12
    assert desk.session.lost_there == 0


def test_answers_are_sent_before_the_comparison_where_the_numbers_of_a_new_epoch_are_complete() -> None:
    desk = desk_with("epoch", 1, 2)
    desk.server.restores += 1
    desk.line.failures["heartbeat"] = [Offline("No connection.")]
    desk.line.failures["save 3"] = [Offline("No connection.")]
    desk.wait(50)
    desk.line.log.clear()
    desk.keeper.do(Chose(3, 31))
    desk.wait(120)
    sent = [name for name in desk.line.log if name != "heartbeat"]
    assert sent[:4] == ["save 3", "start", "save 3", "questions"]
    assert desk.session.lost_there == 0


def test_a_number_that_stays_too_low_costs_one_comparison() -> None:
    desk = desk_with("numbers", 1, 2)
    desk.line.log.clear()
    desk.server.stamped[1].clear()
    desk.wait(800)
    assert desk.line.log.count("questions") == 1


def test_a_server_that_tells_nothing_is_compared_as_before() -> None:
    desk = desk_with("", 1)
    older = desk.server.backup()
    desk.keeper.do(Chose(2, 21))
    desk.wait(5)
    desk.server.put_back(older)
    desk.line.log.clear()
    desk.wait(300)
    assert "questions" not in desk.line.log
    desk.wait(600)
    assert desk.held(2) == (21,)
    assert desk.session.lost_there == 0


def test_a_restore_is_known_by_a_new_epoch_or_a_number_below_ours() -> None:
    known, forgot = Remembered().told(ServerMemory("a", {"desk": 7}), "desk", 7)
    assert (known, forgot) == (Remembered("a", 7, others={"desk": 7}), False)
    assert known.told(ServerMemory("b", {"desk": 9}), "desk", 7)[1]
    assert known.told(ServerMemory("a", {"desk": 6}), "desk", 7)[1]
    assert known.told(ServerMemory("a", {"phone": 6}), "desk", 7)[1]
    assert not known.told(ServerMemory(), "desk", 7)[1]
    assert known.told(ServerMemory(), "desk", 7)[0].epoch == "a"
    lower, _ = known.told(ServerMemory("a", {"desk": 5}), "desk", 7)
    assert not lower.told(ServerMemory("a", {"desk": 5}), "desk", 7)[1]
    assert lower.compared(5).told(ServerMemory("a", {"desk": 5}), "desk", 6)[1]


def test_a_restore_is_known_by_a_lower_number_of_any_journal_such_as_ours_before_it_was_lost() -> None:
    known, _ = Remembered().told(ServerMemory("", {"lost": 7, "desk": 2}), "desk", 2)
    assert not known.told(ServerMemory("", {"lost": 7, "desk": 3}), "desk", 2)[1]
    assert known.told(ServerMemory("", {"lost": 6, "desk": 2}), "desk", 2)[1]
    assert known.told(ServerMemory("", {"desk": 2}), "desk", 2)[1]
    # A server that lists the newest journals only leaves out the oldest one.
    assert not known.told(ServerMemory("", {"desk": 2, "phone": 1}), "desk", 2)[1]


def test_comparisons_are_counted_anew_when_a_restore_is_told() -> None:
    sync = replace(SyncState(), comparisons=COMPARISONS, remembered=Remembered("a", 7))
    told = recalled(sync, ServerMemory("b", {"desk": 3}), "desk", 7, 100.0, jitter=0.5)
    assert (told.restored, told.comparisons) == (True, 0)


@pytest.mark.parametrize(
    "hostile",
    ["x", "a:b", "a:-1", "a:1;b:2", ":", "a:1,,b:2", "ä:1", "a:" + "9" * 19, "a:1, " * 900 + "a:1", "\x1b[2J"],
)
def test_headers_of_another_form_count_as_missing(hostile: str) -> None:
    assert ServerMemory.read("e" * 65, hostile) == ServerMemory("", None)
    assert ServerMemory.read("two words", "") == ServerMemory()


def test_the_headers_of_the_service_are_read() -> None:
    assert ServerMemory.read("0a1b", "phone:12, :3") == ServerMemory("0a1b", {"phone": 12, "": 3})
    assert ServerMemory.read("0a1b", "0") == ServerMemory("0a1b", {"": 0})


@pytest.mark.parametrize("restarted", [False, True], ids=["running", "started again"])
def test_an_answer_that_was_cleared_here_stays_cleared_on_a_restored_server(*, restarted: bool) -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.server.now = desk.scheduler.now
    chosen, theirs = desk.server.moment(), AnswerInput(selected_answers=(24,), review=False)
    desk.server.save(2, theirs, "phone:1", chosen)
    desk.crash()
    assert desk.session.items[1].answer.selected == (24,)
    desk.keeper.do(Cleared(2))
    desk.wait(65)
    desk.server.put_back(older)
    if restarted:
        desk.crash()
    desk.wait(65)
    desk.server.now = desk.scheduler.now
    desk.server.save(2, theirs, "phone:1", chosen)
    assert desk.held(2) == ()


def test_what_a_start_finds_lost_is_noted_before_it_is_sent() -> None:
    desk = desk_with("numbers", 1)
    desk.server.put_back({"answers": {}, "stamped": {}, "standing": {}})
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.crash()
    assert desk.session.lost_there == 1
    assert not desk.journal.newest()[1].acknowledged


@pytest.mark.parametrize("older", [AnswerInput(selected_answers=(12,), review=False), None], ids=["ours", "nothing"])
def test_an_answer_that_stood_in_place_of_ours_is_sent_again_without_another_device(older: AnswerInput | None) -> None:
    desk = desk_with("", 1)
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)
    desk.server.put_back({"answers": {} if older is None else {1: older}})
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)
    desk.wait(5)
    assert desk.held(1) == (14,)
    assert desk.session.saved_there == 1


def test_an_answer_that_stood_in_place_of_ours_is_sent_to_a_restored_server_also_with_another_device() -> None:
    desk = desk_with("epoch", 1)
    older = desk.server.backup()
    desk.server.now = desk.scheduler.now
    desk.server.start()  # another device
    desk.server.save(1, AnswerInput(selected_answers=(14,), review=False), "phone:1")
    desk.wait(125)
    assert desk.keeper._sender.sync.other_device
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)
    desk.server.put_back(older)
    desk.crash()
    assert desk.session.items[0].answer.selected == (14,)
    desk.wait(5)
    assert desk.held(1) == (14,)


def test_an_answer_that_stood_in_place_of_ours_stands_where_the_reply_to_sending_it_again_was_lost() -> None:
    desk = desk_with("", 1)
    desk.server.answers[1] = theirs = AnswerInput(selected_answers=(14,), review=False)
    desk.crash()
    desk.server.put_back({"answers": {}})
    desk.line.failures["save 1"] = [Offline("No connection.")] * 999
    desk.wait(1000)
    assert not desk.journal.newest()[1].acknowledged
    desk.server.answers[1] = theirs  # it has arrived, and its reply was lost
    del desk.line.failures["save 1"]
    desk.crash()
    desk.wait(5)
    assert (desk.held(1), desk.session.items[0].answer.selected) == ((14,), (14,))


def test_an_earlier_answer_of_ours_may_be_the_choice_of_another_device() -> None:
    desk = desk_with("", 1)
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.server.now = desk.scheduler.now
    desk.server.start()
    desk.wait(125)
    assert desk.keeper._sender.sync.other_device
    desk.server.answers[1] = AnswerInput(selected_answers=(12,), review=False)
    desk.crash()
    desk.wait(5)
    assert desk.held(1) == (12,)


@pytest.mark.parametrize("tells", ["epoch", "epoch alone", "numbers"])
def test_an_earlier_answer_that_arrives_late_gives_way_before_the_end_where_the_server_knows_times(tells: str) -> None:
    desk = desk_with(tells, 1)
    desk.server.now = desk.scheduler.now
    desk.server.start()
    desk.wait(125)
    assert desk.keeper._sender.sync.other_device
    older = desk.server.backup()
    desk.keeper.do(Chose(1, 11))
    desk.wait(5)
    desk.keeper.do(Chose(1, 12))
    desk.wait(5)
    desk.server.put_back(older)
    desk.wait(65)
    desk.server.answers[1] = AnswerInput(selected_answers=(11,), review=False)
    desk.wait(125)
    assert desk.held(1) == (12,)


def test_a_server_that_goes_back_and_then_half_the_way_forward_is_not_another_device() -> None:
    desk = Desk(duration=None).sit()
    before = desk.server.backup()
    desk.crash()
    desk.keeper.do(Chose(1, 11))
    desk.wait(65)
    middle = desk.server.backup()
    desk.keeper.do(Chose(1, 12))
    for copy in (before, middle):
        desk.wait(65)
        desk.server.put_back(copy)
    desk.wait(65)
    assert not desk.keeper._sender.sync.other_device
    assert desk.held(1) == (12,)


def test_an_answer_that_was_taken_over_is_sent_again_where_the_server_has_never_seen_the_question() -> None:
    desk = desk_with("", 1)
    desk.server.now = desk.scheduler.now
    desk.server.start()
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(125)
    assert desk.keeper._sender.sync.other_device
    desk.server.put_back({"answers": {}})
    desk.crash()
    desk.wait(5)
    assert desk.held(1) == (14,)


def test_a_restore_after_the_last_heartbeat_is_noticed_before_the_end() -> None:
    desk = desk_with("epoch", 1)
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    older = desk.server.backup()
    desk.keeper.do(Chose(1, 13))
    desk.wait(5)
    desk.server.put_back(older)
    desk.keeper.do(EndAsked())
    desk.until_over()
    assert desk.held(1) == (13,)


@pytest.mark.parametrize("restarted", [False, True], ids=["running", "started again"])
def test_an_answer_of_a_lost_journal_is_sent_again_where_the_server_has_gone_back_to_none(
    tmp_path: Path, *, restarted: bool
) -> None:
    desk = desk_with("")
    desk.keeper.do(Visited(2))
    desk.keeper.do(Visited(1))
    desk.wait(30)
    older = desk.server.backup()
    desk.keeper.do(Chose(2, 22))
    desk.wait(30)
    desk.journals = FileJournals(tmp_path)  # with a writer of its own, as after a loss
    desk.crash()
    desk.server.put_back(older)
    if restarted:
        desk.crash()
    desk.wait(1000)
    assert desk.session.items[1].answer.selected == (22,)
    assert desk.held(2) == (22,)
    desk.journal.close()
