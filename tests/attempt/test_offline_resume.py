"""An exam that was begun goes on from its journal without a server, and agrees with the server when it is back."""

import functools
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.events import Chose, EndAsked, Toggled, Visited
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.values import Phase
from lms_tui.wire.attempts import AnswerInput
from lms_tui.wire.errors import Offline
from tests.attempt.test_keeper import KEY, Desk, put_back
from tests.simulation.disk import Killed, Mishaps, MortalJournal
from tests.simulation.trace import Trace


def begun(folder: Path | None = None) -> Desk:
    """An exam of half an hour: one answer is sent, and one is saved on this computer alone."""
    desk = Desk(journals=FileJournals(folder) if folder else None).sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.line.failures["save 2"] = [Offline("No connection.")]
    desk.keeper.do(Chose(2, 22))
    return desk


def restarted(desk: Desk) -> Desk:
    """The program was killed and is started again, while the server cannot be reached."""
    desk.scheduler.kill("computer")
    desk.journal.close()
    desk.journal = desk.journals.open(KEY, "Trial")
    desk.line.log.clear()
    desk.line.failures["start"] = [Offline("No connection.")] * 3
    together = functools.partial(desk.scheduler.together, group="computer")
    keeper = Keeper.resume_offline(desk.line, desk.journal, desk.clock, Random(1), together=together)
    assert keeper is not None
    desk._keeper = keeper

    async def run() -> None:
        await keeper.run()
        desk.over = True

    desk.scheduler.spawn(run(), "computer")
    return desk


def test_an_exam_is_resumed_offline_with_questions_answers_and_time(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    desk.wait(99)
    left = desk.keeper.time_left()
    restarted(desk)
    assert left is not None
    assert desk.keeper.time_left() == pytest.approx(left, abs=0.1)
    assert not desk.session.deadline.estimated
    assert desk.keeper.question(1).question.type == "R"
    assert len(desk.session.items) == 6
    assert [item.answer.selected for item in desk.session.items[:2]] == [(11,), (22,)]
    assert desk.session.contact.trouble
    desk.keeper.do(Chose(3, 33))
    assert desk.session.saved_here == 3
    desk.journal.close()


def test_after_reconnecting_everything_is_sent_and_the_time_is_adopted() -> None:
    desk = restarted(begun())
    desk.keeper.do(Chose(3, 33))
    assert desk.server.remaining is not None
    desk.server.remaining += 300
    desk.wait(61)
    assert desk.session.contact.trouble == ""
    assert (desk.held(1), desk.held(2), desk.held(3)) == ((11,), (22,), (33,))
    assert desk.session.saved_there == 3
    assert not desk.session.conflicts
    told = desk.server.remaining - (desk.scheduler.now - desk.server.contact)
    assert desk.keeper.time_left() == pytest.approx(told, abs=2)


def test_answers_are_compared_before_the_first_is_sent_after_an_offline_resume() -> None:
    desk = restarted(begun())
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(60)
    assert desk.session.items[0].answer.selected == (14,)
    assert desk.session.items[0].other_answer is not None
    kinds = [name.partition(" ")[0] for name in desk.line.log]
    assert kinds.index("questions") < kinds.index("save")


def test_after_a_restart_of_the_computer_the_time_is_only_an_estimate() -> None:
    desk = begun()
    desk.clock.boot_id = "another start"
    desk.clock.wall_offset += 600
    desk.line.failures["start"] = [Offline("No connection.")] * 1000
    restarted(desk)
    desk.line.failures["start"] = [Offline("No connection.")] * 1000
    assert desk.session.deadline.estimated
    assert desk.keeper.time_left() == pytest.approx(1800 - 600 - desk.scheduler.now, abs=2)
    desk.wait(1300)
    desk.keeper.tick()
    assert desk.keeper.time_left() == 0
    desk.line.failures.clear()
    desk.wait(20)
    assert desk.session.phase is Phase.RUNNING
    deadline = desk.session.deadline
    assert deadline == Deadline(deadline.ends_at, deadline.asked_at, error=deadline.error)
    assert desk.keeper.time_left() == pytest.approx(desk.server.remaining, abs=30)


def test_the_time_of_the_same_start_ends_the_exam_without_the_server() -> None:
    desk = restarted(begun())
    desk.line.failures["start"] = [Offline("No connection.")] * 10_000
    desk.wait(1900)
    assert desk.session.phase is Phase.TIME_OVER


def test_an_exam_that_ended_meanwhile_lists_the_answers_not_accepted() -> None:
    desk = restarted(begun())
    desk.server.finish()
    desk.until_over()
    assert desk.session.phase is Phase.CLOSED
    assert [item.question_id for item in desk.session.refused] == [2]


def test_the_questions_are_deleted_when_the_exam_is_over(tmp_path: Path) -> None:
    desk = begun(tmp_path)
    path = next(tmp_path.rglob("*.journal"))
    assert b"question_html" in path.read_bytes()
    desk.keeper.do(EndAsked())
    desk.until_over()
    desk.journal.close()
    assert b"question_html" not in path.read_bytes()
    assert Keeper.resume_offline(desk.line, desk.journals.open(KEY, ""), desk.clock, Random(1)) is None


def test_a_journal_without_questions_cannot_be_resumed_without_the_server() -> None:
    desk = Desk()
    assert Keeper.resume_offline(desk.line, desk.journal, desk.clock, Random(1)) is None


def test_an_exam_with_all_answers_sent_is_offered_until_it_is_over(tmp_path: Path) -> None:
    desk = Desk(journals=FileJournals(tmp_path)).sit()
    desk.keeper.close()
    (offered,) = desk.journals.outstanding(KEY.origin, KEY.user_id).unfinished
    assert (offered.key, offered.title, offered.unsent) == (KEY, "Trial", 0)
    desk.scheduler.kill("computer")
    desk.server.finish()
    desk.journal = desk.journals.open(KEY, "Trial")
    desk._keeper = None
    desk.sit()
    assert isinstance(desk.trouble, AttemptOverError)
    desk.journal.close()
    assert desk.journals.outstanding(KEY.origin, KEY.user_id).unfinished == ()


def test_an_answer_taken_over_from_the_server_survives_a_crash_offline() -> None:
    desk = begun()
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(950)
    assert desk.session.items[0].answer.selected == (14,)
    restarted(desk)
    (item, *_) = desk.session.items
    assert item.answer.selected == (14,)
    assert item.other_answer is not None
    assert item.other_answer.selected == (11,)
    assert (item.theirs, item.unsent) == (True, False)
    desk.wait(60)
    assert desk.held(1) == (14,)


def test_an_older_change_counts_as_sent_only_when_the_answer_that_stands_over_it_is_noted() -> None:
    desk = Desk(duration=None)
    desk.server.tells = "epoch alone"
    desk.sit()
    desk.line.failures["save 1"] = [Offline("No connection.")] * 2
    desk.keeper.do(Chose(1, 13))
    desk.wait(1)
    desk.elsewhere(1, 14)
    desk.crash()
    (item, *_) = desk.session.items
    assert (item.answer.selected, item.unsent) == ((13,), True)
    settle = desk.journal.settle

    def killed_after(question_id: int, sequence: int, *, refused: str = "") -> None:
        settle(question_id, sequence, refused=refused)
        raise Killed

    desk.journal.settle = killed_after  # type: ignore[method-assign]  # the process is killed after this write
    with pytest.raises(Killed):
        desk.wait(60)
    (item, *_) = restarted(desk).session.items
    assert (item.answer.selected, item.unsent) == ((14,), False)


def test_an_answer_taken_over_at_opening_survives_a_crash_offline() -> None:
    desk = begun()
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.crash()
    restarted(desk)
    assert desk.session.items[0].answer.selected == (14,)


def test_a_restart_shows_the_choice_made_after_an_answer_was_taken_over() -> None:
    desk = begun()
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(950)
    desk.keeper.do(Chose(1, 13))
    restarted(desk)
    assert desk.session.items[0].answer.selected == (13,)
    assert desk.session.items[0].other_answer is None


def test_an_answer_taken_over_on_a_full_disk_is_saved_when_there_is_room() -> None:
    desk = Desk()
    mishaps = Mishaps(Random(1), Trace())
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    desk.sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    mishaps.full = True
    desk.wait(950)
    assert desk.session.items[0].answer.selected == (14,)
    assert desk.session.saved_here == 0
    mishaps.full = False
    desk.keeper.tick()
    assert desk.session.saved_here == 1
    restarted(desk)
    assert desk.session.items[0].answer.selected == (14,)


def test_an_answer_of_the_server_to_a_question_that_was_only_opened_here_is_there_after_a_crash_without_it() -> None:
    desk = begun()
    desk.keeper.do(Visited(3))
    desk.crash()
    desk.server.answers[3] = AnswerInput(selected_answers=(34,), review=False)
    desk.crash()
    assert desk.session.items[2].answer.selected == (34,)
    assert desk.session.saved_here == 3
    restarted(desk)
    item = desk.session.items[2]
    assert item.answer.selected == (34,)
    assert (item.other_answer, item.theirs) == (None, False)


def test_an_answer_that_was_taken_over_stands_after_a_restart_although_a_full_disk_had_refused_to_mark_ours() -> None:
    desk = Desk()
    mishaps = Mishaps(Random(1), Trace())
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    desk.sit()
    desk.line.lost_replies["save 1"] = [Offline("No connection.")]
    desk.keeper.do(Chose(1, 11))
    mishaps.full = True
    desk.wait(10)
    assert not desk.journal.newest()[1].acknowledged
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(950)
    mishaps.full = False
    desk.keeper.tick()
    assert desk.session.saved_here == 1
    desk.crash()
    (item, *_) = desk.session.items
    assert item.answer.selected == (14,)
    assert item.other_answer is not None
    assert item.other_answer.selected == (11,)


def test_an_answer_that_stood_in_place_of_ours_stands_after_a_restart_too() -> None:
    desk = Desk()
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.sit()
    desk.keeper.do(Chose(1, 11))
    desk.wait(1)
    desk.server.now = desk.scheduler.now
    desk.server.start()  # another device
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.wait(65)
    assert desk.session.items[0].theirs
    desk.crash()
    (item, *_) = desk.session.items
    assert (item.answer.selected, item.theirs, item.unsent) == ((14,), True, False)


def test_answers_of_the_server_that_a_full_disk_refuses_at_the_opening_count_as_saved_when_there_is_room() -> None:
    desk = Desk()
    mishaps = Mishaps(Random(1), Trace(), full=True)
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    desk.server.answers[1] = AnswerInput(selected_answers=(14,), review=False)
    desk.sit()
    assert (desk.session.saved_here, desk.session.saved_there) == (0, 1)
    mishaps.full = False
    desk.keeper.tick()
    assert desk.session.saved_here == 1
    restarted(desk)
    assert desk.session.items[0].answer.selected == (14,)


OLDER: dict[str, AnswerInput | None] = {
    "never opened": None,
    "opened only": AnswerInput(selected_answers=(), review=False),
    "an earlier choice": AnswerInput(selected_answers=(11,), review=False),
}
"""Return the answer to question 1 on a server that was restored to an older state."""


def killed_before_the_finding_is_written(older: AnswerInput | None) -> Desk:
    """The comparison found that the server lacks an answer, and the program died before the journal noted it."""
    desk = Desk(duration=7200.0)
    mishaps = Mishaps(Random(1), Trace())
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    desk.sit()
    for event in (Visited(1), Chose(1, 11), Chose(1, 12)):
        desk.keeper.do(event)
        desk.wait(5)
    desk.keeper.do(Visited(2))
    desk.wait(5)
    put_back(desk, 1)
    if older is not None:
        desk.server.answers[1] = older
    mishaps.deadly = 1.0
    with pytest.raises(Killed) as killed:
        desk.wait(950)
    assert "unsettle" in [entry.name for entry in killed.traceback]
    assert desk.journal.newest()[1].acknowledged
    mishaps.deadly = 0.0
    return desk


@pytest.mark.parametrize("older", OLDER.values(), ids=OLDER)
def test_an_answer_that_the_server_lacks_is_found_again_when_the_program_died_before_it_noted_that(
    older: AnswerInput | None,
) -> None:
    desk = killed_before_the_finding_is_written(older).crash()
    assert desk.held(1) != (12,)
    desk.wait(5)
    assert desk.session.items[0].answer.selected == (12,)
    assert desk.held(1) == (12,)


@pytest.mark.parametrize("older", OLDER.values(), ids=OLDER)
def test_an_answer_that_the_server_lacks_is_found_again_after_a_start_without_the_server(
    older: AnswerInput | None,
) -> None:
    desk = restarted(killed_before_the_finding_is_written(older))
    assert desk.session.items[0].answer.selected == (12,)
    desk.wait(60)
    assert desk.held(1) == (12,)
    assert desk.session.saved_there == 1


def test_a_choice_of_a_run_that_began_on_a_full_disk_never_replaces_a_later_one_of_another_device() -> None:
    desk = Desk()
    mishaps = Mishaps(Random(1), Trace(), full=True)
    mortal: Any = MortalJournal(desk.journal, mishaps)
    desk.journal = mortal
    desk.sit()
    mishaps.full = False
    desk.keeper.tick()
    desk.keeper.do(Chose(1, 11))
    desk.server.now = desk.scheduler.now + 1
    desk.server.save(1, AnswerInput(selected_answers=(14,), review=False), "other:1")
    restarted(desk)
    desk.wait(60)
    assert desk.held(1) == (14,)


@pytest.mark.parametrize("offline", [True, False])
def test_another_devices_answer_that_was_cleared_here_stays_cleared_after_a_kill(*, offline: bool) -> None:
    desk = Desk().sit()
    desk.server.answers[3] = AnswerInput(selected_answers=(34,), review=False)
    desk.wait(950)
    assert desk.session.items[2].answer.selected
    desk.line.failures["save 3"] = [Offline("No connection.")] * 99
    desk.keeper.do(Toggled(3, 34))
    desk.wait(1)
    if offline:
        restarted(desk)
    else:
        desk.crash()
    del desk.line.failures["save 3"]
    desk.keeper.do(Visited(1))
    desk.wait(60)
    assert not desk.session.items[2].answer.selected
    assert not desk.held(3)


def test_a_question_that_was_only_opened_before_a_restart_never_replaces_the_choice_of_another_device() -> None:
    desk = Desk().sit()
    desk.line.failures["save 3"] = [Offline("No connection.")] * 99
    desk.server.now = desk.scheduler.now
    desk.server.save(3, AnswerInput(selected_answers=(34,), review=False), "other:1")
    desk.wait(1)
    desk.keeper.do(Visited(3))
    restarted(desk)
    del desk.line.failures["save 3"]
    desk.keeper.do(Visited(1))
    desk.wait(60)
    assert desk.held(3) == (34,)
    assert desk.session.items[2].answer.selected == (34,)
