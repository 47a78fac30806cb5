"""Looking on at an exam that is sat elsewhere on this computer: the same facts, and no way to change any."""

from collections.abc import Iterator

import pytest

from lms_tui.attempt.desk import note_of
from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Struck, Toggled, Undone, UserEvent, Visited
from lms_tui.attempt.keeper import AttemptOverError
from lms_tui.attempt.ports import JournalError
from lms_tui.attempt.read_only_keeper import EVERY, ReadOnlyKeeper
from lms_tui.attempt.values import Phase
from tests.attempt.test_keeper import KEY, Desk


@pytest.fixture(autouse=True)
def _clear_desks() -> Iterator[None]:
    yield
    while Desk.taken:
        Desk.taken.pop().scheduler.kill("computer")


def looking_on(desk: Desk) -> ReadOnlyKeeper:
    found: list[ReadOnlyKeeper | Exception] = []

    async def look() -> None:
        try:
            found.append(await ReadOnlyKeeper.look(desk.line, desk.journals, desk.clock, KEY))
        except (AttemptOverError, JournalError) as error:
            found.append(error)

    desk.scheduler.spawn(look(), "other window")
    desk.scheduler.run(desk.scheduler.now + 5, lambda: bool(found))
    if isinstance(found[0], Exception):
        raise found[0]
    return found[0]


@pytest.mark.case(14)
def test_answers_question_and_time_are_those_of_the_other_window() -> None:
    desk = Desk(duration=1800.0).sit()
    desk.keeper.do(Chose(1, 12))
    desk.keeper.do(Visited(4))
    desk.keeper.tick()
    desk.wait(150)
    desk.line.log.clear()
    onlooker = looking_on(desk)
    assert desk.line.log == ["read", "questions"]
    assert onlooker.session.item.question_id == 4
    assert onlooker.session.items[0].answer.selected == (12,)
    assert onlooker.time_left() == pytest.approx(desk.keeper.time_left(), abs=1)
    desk.keeper.do(Chose(4, 41))
    desk.wait(EVERY)
    onlooker.tick()
    assert onlooker.session.items[3].answer.selected == (41,)


@pytest.mark.case(14)
@pytest.mark.parametrize(
    "event",
    [Chose(1, 13), Toggled(1, 12), Cleared(1), Marked(1), Struck(1, 11), Undone(), EndAsked()],
    ids=lambda event: type(event).__name__,
)
def test_a_read_only_keeper_changes_and_sends_nothing(event: UserEvent) -> None:
    desk = Desk().sit()
    desk.keeper.do(Chose(1, 12))
    desk.wait(1)
    onlooker = looking_on(desk)
    before, kept = onlooker.session, desk.journal.history()
    desk.line.log.clear()
    onlooker.do(event)
    onlooker.tick()
    onlooker.retry()
    onlooker.close()
    desk.wait(1)
    assert onlooker.session == before
    assert desk.journal.history() == kept
    assert desk.line.log == []
    desk.keeper.do(Chose(1, 14))
    assert desk.session.items[0].answer.selected == (14,)


def test_a_read_only_view_ends_with_the_exam() -> None:
    desk = Desk().sit()
    onlooker = looking_on(desk)
    desk.keeper.do(EndAsked())
    desk.until_over()
    desk.wait(EVERY)
    onlooker.tick()
    assert onlooker.session.phase is Phase.CLOSED
    with pytest.raises(AttemptOverError):
        looking_on(desk)


def test_the_notes_of_the_other_window_are_shown() -> None:
    desk = Desk().sit()
    desk.keeper.desk.keep(note_of(2), "from the other window")
    onlooker = looking_on(desk)
    assert onlooker.desk.text(note_of(2)) == "from the other window"
    desk.keeper.desk.keep(note_of(2), "changed there")
    desk.wait(EVERY)
    onlooker.tick()
    assert onlooker.desk.text(note_of(2)) == "changed there"
