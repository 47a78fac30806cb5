"""A server that was restored from a copy: answers of locked sections that it has lost, and does not take any more."""

import pytest

from lms_tui.attempt.events import Chose, EndAsked, Undone
from lms_tui.attempt.values import Goal
from lms_tui.plain.sentences import overview
from lms_tui.views.ending import end_lines
from lms_tui.views.overview import headings
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import AnswerInput, AttemptQuestion
from lms_tui.wire.errors import Forbidden, Offline
from tests.attempt.test_keeper import Desk
from tests.fakes.attempts import AttemptInMemory, a_keeper, an_exam, two_sections
from tests.simulation.server import COMPLETED, NOT_STARTED, RUNNING, SimulatedServer

TOLD = ["Part 1 · 1 of 3 answered · ended", "Part 2 · 1 of 3 answered"]
NO_ANSWERS: dict[str, object] = {"answers": {}, "stamped": {}, "standing": {}}


def in_the_first_section(tells: str) -> Desk:
    """An exam with locked sections of three questions, in its first section. Question 1 is answered."""
    desk = Desk(duration=7200.0)
    desk.server = desk.line.server = SimulatedServer(0.0, 7200.0, questions=6, parts=2, tells=tells)
    desk.sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(5)
    return desk


def in_the_second_section(tells: str = "epoch") -> Desk:
    """The same exam in its second section."""
    desk = in_the_first_section(tells)
    desk.keeper.do(EndAsked(Goal.SECTION))
    desk.wait(30)
    assert desk.session.running_section == 1
    return desk


@pytest.mark.parametrize("restarted", [False, True], ids=["running", "started again"])
@pytest.mark.parametrize("tells", ["epoch", "epoch alone", "numbers"])
def test_an_answer_that_is_lost_with_its_section_is_listed(tells: str, *, restarted: bool) -> None:
    desk = in_the_second_section(tells).crash()
    assert [item.question_id for item in desk.session.items] == [4, 5, 6]
    desk.wait(65)
    desk.server.put_back(NO_ANSWERS)
    if restarted:
        desk.crash()
    desk.wait(65)
    assert desk.session.missing_in_ended == 1
    assert not desk.journal.newest()[1].acknowledged
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert [each.unsent for each in desk.journals.outstanding("http://simulated", 1).unfinished] == [1]


def test_an_answer_that_a_server_which_tells_nothing_has_lost_with_its_section_is_listed_at_the_end() -> None:
    desk = in_the_second_section("").crash()
    desk.server.put_back(NO_ANSWERS)
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert desk.session.missing_in_ended == 1
    assert [each.unsent for each in desk.journals.outstanding("http://simulated", 1).unfinished] == [1]


@pytest.mark.parametrize("other_device", [False, True])
def test_another_answer_of_an_ended_section_is_listed_unless_another_device_is_known(*, other_device: bool) -> None:
    desk = in_the_second_section("").crash()
    # It was sent while the disk was full, a crash came before it was written, and now a restored server holds it.
    desk.server.answers[1] = AnswerInput(selected_answers=(13,), review=False)
    if other_device:
        desk.server.now = desk.scheduler.now
        desk.server.start()
        desk.wait(65)
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert desk.session.missing_in_ended == (0 if other_device else 1)


def test_an_answer_of_an_ended_section_is_sent_and_listed_where_the_program_went_on() -> None:
    desk = in_the_second_section()
    desk.server.put_back(NO_ANSWERS)
    desk.wait(90)
    assert [item.question_id for item in desk.session.refused] == [1]


def test_answers_of_an_ended_section_that_the_server_has_are_not_listed() -> None:
    desk = in_the_second_section().crash()
    desk.server.restores += 1
    desk.wait(65)
    assert desk.session.missing_in_ended == 0
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert list(desk.journals.outstanding("http://simulated", 1).unfinished) == []


def test_a_server_that_does_not_show_ended_sections_is_compared_without_them() -> None:
    desk = in_the_second_section().crash()

    def refused(part: int) -> list[AttemptQuestion]:
        if part == 1:
            raise Forbidden("This section has ended.", status=403)
        return shown(part)

    shown, desk.server.list_section = desk.server.list_section, refused  # type: ignore[method-assign]  # a server that shows less
    desk.keeper.do(Chose(4, 42))
    desk.wait(5)
    desk.server.put_back(NO_ANSWERS)
    desk.wait(65)
    assert desk.held(4) == (42,)
    assert not desk.keeper._sender.sync.restored


def test_an_answer_that_was_never_sent_before_its_section_ended_is_listed() -> None:
    desk = Desk(duration=7200.0)
    desk.server = desk.line.server = SimulatedServer(0.0, 7200.0, questions=6, parts=2)
    desk.sit()
    desk.line.failures["save 1"] = [Offline("No connection.")] * 99
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    desk.server.end_section(1)
    desk.server.start_section(2)
    del desk.line.failures["save 1"]
    desk.crash()
    assert desk.session.missing_in_ended == 1
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert [each.unsent for each in desk.journals.outstanding("http://simulated", 1).unfinished] == [1]


def test_a_section_that_begins_again_has_the_answers_of_the_journal() -> None:
    desk = Desk(duration=7200.0)
    desk.server = desk.line.server = SimulatedServer(0.0, 7200.0, questions=6, parts=2, tells="epoch")
    desk.sit()
    older = desk.server.backup()
    desk.keeper.do(EndAsked(Goal.SECTION))
    desk.wait(30)
    desk.keeper.do(Chose(4, 42))
    desk.wait(5)
    desk.server.put_back(older)
    desk.crash()
    assert [item.question_id for item in desk.session.items] == [1, 2, 3]
    desk.keeper.do(EndAsked(Goal.SECTION))
    desk.wait(30)
    assert desk.held(4) == (42,)
    assert desk.session.find(4).answer.selected == (42,)  # type: ignore[union-attr]  # it is in the list above


def test_an_answer_that_was_lost_and_is_not_taken_again_stays_listed_after_a_restart() -> None:
    desk = in_the_first_section("")
    desk.server.put_back(NO_ANSWERS)
    desk.line.failures["save 1"] = [Forbidden("This section has ended.", status=403)] * 99
    desk.crash()
    desk.wait(30)
    assert [item.question_id for item in desk.session.refused] == [1]
    desk.server.end_section(1)
    desk.server.start_section(2)
    desk.crash()
    assert desk.session.missing_in_ended == 1


def test_an_answer_of_an_ended_section_that_runs_again_without_it_is_listed() -> None:
    desk = in_the_second_section("").crash()
    desk.server.put_back({**NO_ANSWERS, "states": {1: RUNNING, 2: NOT_STARTED}, "part_left": 3600.0})
    desk.wait(1000)
    assert desk.session.missing_in_ended == 1
    assert not desk.journal.newest()[1].acknowledged


def test_undo_does_not_reach_into_an_earlier_section() -> None:
    desk = in_the_first_section("epoch")
    for states in ({1: COMPLETED, 2: RUNNING}, {1: RUNNING, 2: NOT_STARTED}):
        desk.server.put_back({"states": states, "part_left": 3600.0})
        desk.wait(65)
    assert desk.session.running_section == 0
    desk.keeper.do(Undone())
    assert desk.session.items[0].answer.selected == (12,)


def test_answers_that_an_ended_section_refused_are_sent_when_a_restored_server_runs_it_again() -> None:
    desk = in_the_second_section()
    desk.keeper.do(Chose(4, 42))
    desk.wait(5)
    desk.server.put_back({**NO_ANSWERS, "states": {1: COMPLETED, 2: NOT_STARTED}})
    desk.wait(125)
    assert desk.session.running_section == 1
    desk.keeper.do(EndAsked(Goal.ATTEMPT))
    desk.until_over()
    assert desk.held(4) == (42,)
    assert [item.question_id for item in desk.session.refused] == [1]


@pytest.mark.parametrize("crashes", [1, 2])
def test_an_ended_section_is_counted_after_a_restart_and_the_numbers_stay(crashes: int) -> None:
    desk = in_the_second_section()
    desk.keeper.do(Chose(5, 51))
    desk.wait(5)
    for _ in range(crashes):
        desk.crash()
    assert [item.number for item in desk.session.items] == [4, 5, 6]
    assert [item.number for item in desk.session.ended] == [1, 2, 3]
    assert (desk.session.size, desk.session.answered, desk.session.saved_there) == (6, 2, 2)
    assert not desk.session.unsent
    words = {text.partition(":")[0]: count for count, text in end_lines(desk.session)}
    assert (words["answered"], words["unanswered"], "section never opened" in words) == (2, 4, False)
    found = headings(desk.session)
    assert [*found.ended, *found.named.values(), *found.later] == TOLD
    assert overview(desk.session)[-2:] == [f"{heading.replace(' · ', ', ')}." for heading in TOLD]
    assert all(found.shorter[heading] for heading in TOLD)


async def test_the_numbers_of_the_last_section_are_known_on_another_device() -> None:
    first, second = two_sections()
    sections = [
        first.model_copy(update={"state": AttemptState.COMPLETED}),
        second.model_copy(update={"state": AttemptState.RUNNING}),
    ]
    keeper = await a_keeper(AttemptInMemory(an_exam(6), sections=sections))
    session = keeper.session
    assert [item.number for item in session.items] == [4, 5, 6]
    assert (session.ended, session.unknown) == ((), 3)
    words = [text for _, text in end_lines(session)]
    assert "unanswered: 4, 5, 6" in words
    assert not any("Physics" in text for text in words)


def test_a_section_that_follows_after_a_restart_is_numbered_after_all_before_it() -> None:
    desk = Desk(duration=7200.0)
    desk.server = desk.line.server = SimulatedServer(0.0, 7200.0, questions=6, parts=3, tells="epoch")
    desk.sit()
    for _ in range(2):
        desk.keeper.do(EndAsked(Goal.SECTION))
        desk.wait(30)
        desk.crash()
    assert [item.number for item in desk.session.known] == [1, 2, 3, 4, 5, 6]
    assert len(desk.session.items) == 2
