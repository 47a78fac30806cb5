"""The log of visits and the replay: what was on the screen when, and which answers were changed."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.events import Chose, Cleared, EndAsked, Marked, Visited
from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal.rows import Row, encode_row
from lms_tui.attempt.journal.snapshot import read_snapshot
from lms_tui.attempt.journal.store import FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, Visit
from lms_tui.attempt.replay import Replay, Stay, replay_of
from lms_tui.attempt.values import Answer
from lms_tui.attempt.visits import MOST_VISITS, STILL
from tests.attempt.test_keeper import KEY, Desk

RUN = 1_000_000


def pause(desk: Desk, seconds: int) -> None:
    """Let time pass with the ticks of each second."""
    for _ in range(seconds):
        desk.wait(1)
        desk.keeper.tick()


def show(desk: Desk, question: int, seconds: int) -> None:
    desk.keeper.do(Visited(question))
    pause(desk, seconds)


def times(replay: Replay) -> list[tuple[int, int]]:
    return [(stay.question_id, round(stay.seconds)) for stay in replay.stays]


def a_journal(*entries: Entry, visits: Sequence[Visit] = ()) -> MemoryJournal:
    journal = MemoryJournal(AttemptKey("http://simulated", 1, 1), "Trial")
    journal.record(*entries, visits=visits)
    return journal


def change(number: int, question: int, boot: float, *selected: int, text: str | None = None) -> Entry:
    return Entry(RUN + number, question, Answer(selected, short_text=text, review=False), boot, 1e9 + boot)


def changed(journal: Journal) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(each.before.selected, each.after.selected) for each in replay_of(journal).changes]


# The log.


def test_the_time_on_each_question_and_the_returns_come_from_the_journal() -> None:
    desk = Desk().sit()
    show(desk, 1, 10)
    show(desk, 2, 20)
    show(desk, 1, 5)
    desk.keeper.do(EndAsked())
    desk.until_over()
    desk.keeper.close()
    replay = replay_of(desk.journal)
    assert times(replay) == [(1, 10), (2, 20), (1, 5)]
    assert len(replay.stays_at(1)) == 2
    assert round(replay.seconds) == 35


def test_a_visit_is_written_together_with_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(journals=FileJournals(tmp_path)).sit()
    show(desk, 1, 2)
    show(desk, 2, 2)
    written: list[tuple[int, int]] = []
    record = desk.journal.record

    def noted(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        written.append((len(entries), len(visits)))
        record(*entries, visits=visits)

    monkeypatch.setattr(desk.journal, "record", noted)
    desk.keeper.do(Visited(1))
    assert written == []
    desk.keeper.do(Chose(1, 12))
    assert written == [(1, 1)]
    desk.keeper.close()


def test_a_kill_leaves_an_open_visit_that_counts_to_the_last_known_moment() -> None:
    desk = Desk().sit()
    show(desk, 1, 10)
    show(desk, 2, round(STILL) * 2 + 30)
    desk.crash()
    show(desk, 2, 10)
    show(desk, 3, 10)
    desk.keeper.close()
    replay = replay_of(desk.journal)
    assert [stay.question_id for stay in replay.stays] == [1, 2, 3]
    assert replay.stays[1].seconds == pytest.approx(2 * STILL + 10, abs=3)
    assert list(replay.breaks) == pytest.approx([10 + 2 * STILL], abs=3)


def test_the_time_in_which_the_computer_slept_does_not_count() -> None:
    desk = Desk(duration=None).sit()
    show(desk, 1, 10)
    desk.wait(3600)
    desk.keeper.tick()
    pause(desk, 10)
    desk.keeper.close()
    assert times(replay_of(desk.journal)) == [(1, 20)]


def test_a_question_that_is_shown_for_less_than_a_second_is_not_a_visit() -> None:
    desk = Desk().sit()
    show(desk, 1, 10)
    for question in (2, 3, 4):
        desk.keeper.do(Visited(question))
        desk.wait(0.3)
    show(desk, 5, 10)
    desk.keeper.close()
    assert times(replay_of(desk.journal)) == [(1, 10), (5, 11)]


def test_a_question_that_is_answered_at_once_is_a_visit() -> None:
    desk = Desk().sit()
    for question in (1, 2, 3):
        desk.keeper.do(Visited(question))
        desk.keeper.do(Chose(question, question * 10 + 1))
        desk.wait(0.2)
    desk.keeper.close()
    assert [stay.question_id for stay in replay_of(desk.journal).stays] == [1, 2, 3]


def test_a_held_key_writes_at_most_one_visit_a_second() -> None:
    desk = Desk().sit()
    for question in range(1, 7):
        show(desk, question, 1)
    before = len(desk.journal.visits())
    for step in range(600):
        desk.keeper.do(Visited(step % 6 + 1))
        desk.wait(1 / 30)
        if step % 30 == 0:
            desk.keeper.tick()
    assert len(desk.journal.visits()) - before <= 41


def test_an_exam_that_is_left_alone_writes_at_most_sixty_rows_for_a_visit() -> None:
    desk = Desk(duration=None).sit()
    pause(desk, 3 * 3600)
    assert len(desk.journal.visits()) <= 62


def test_a_journal_holds_a_bounded_number_of_visits() -> None:
    desk = Desk(duration=None)
    desk.journal.record(visits=[Visit(RUN, n % 2 + 1, float(n)) for n in range(MOST_VISITS - 2)])
    desk.sit()
    for step in range(20):
        show(desk, step % 3 + 1, 2)
    desk.keeper.do(Chose(1, 11))
    assert len(desk.journal.visits()) == MOST_VISITS
    assert desk.session.saved_here == 1


def test_visits_that_the_disk_refused_are_written_when_it_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk().sit()
    show(desk, 1, 2)

    def full(*entries: Entry, visits: Sequence[Visit] = ()) -> None:
        raise JournalError("The disk is full.")

    with monkeypatch.context() as disk:
        disk.setattr(desk.journal, "record", full)
        show(desk, 2, 5)
    show(desk, 1, 5)
    desk.keeper.close()
    assert times(replay_of(desk.journal)) == [(1, 2), (2, 5), (1, 5)]


def test_visits_are_in_the_journal_that_is_opened_again_and_in_one_that_is_written_anew(tmp_path: Path) -> None:
    visits = [Visit(RUN, 1, 1.0), Visit(RUN, 2, 11.0), Visit(RUN, 0, 15.5)]
    journal = FileJournals(tmp_path).open(KEY, "Trial")
    journal.record(change(1, 1, 2.0, 11), visits=visits)
    journal.forget(["nothing"])
    journal.close()
    assert FileJournals(tmp_path).look(KEY).visits() == visits


def test_a_row_of_a_visit_in_another_form_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "1.journal"
    rows: list[Row] = [
        {"journal": "12345678"},
        {"shown": 1, "run": RUN, "boot": 1.5},
        {"shown": "x", "run": None, "boot": []},
    ]
    path.write_bytes(b"".join(encode_row(number, row) for number, row in enumerate(rows, 1)))
    assert read_snapshot(path).visits() == [Visit(RUN, 1, 1.5)]


# The replay.


def test_a_journal_without_visits_has_changes_and_no_times() -> None:
    replay = replay_of(a_journal(change(1, 1, 1.0, 11), change(2, 1, 2.0, 12)))
    assert not replay.timed
    assert [(each.before.selected, each.after.selected, each.at) for each in replay.changes] == [((11,), (12,), None)]


def test_one_option_in_place_of_another_is_a_change_at_once() -> None:
    visits = [Visit(RUN, 1, 0.0), Visit(RUN, 0, 30.0)]
    entries = (change(1, 1, 1.0, 11), change(2, 1, 5.0), change(3, 1, 9.0, 12), change(4, 1, 12.0, 13))
    journal = a_journal(*entries, visits=visits)
    assert changed(journal) == [((11,), (12,)), ((12,), (13,))]
    assert [each.at for each in replay_of(journal).changes] == [9.0, 12.0]


def test_a_text_that_is_typed_in_steps_is_one_answer_until_the_question_is_left() -> None:
    visits = [Visit(RUN, 1, 0.0), Visit(RUN, 2, 10.0), Visit(RUN, 1, 20.0), Visit(RUN, 0, 30.0)]
    typed = [change(n, 1, n, text="Gangtok"[:n]) for n in range(1, 8)]
    again = change(9, 1, 25.0, text="Shillong")
    replay = replay_of(a_journal(*typed, again, visits=visits))
    assert [(each.before.short_text, each.after.short_text) for each in replay.changes] == [("Gangtok", "Shillong")]


def test_several_options_are_put_together_without_a_change() -> None:
    steps = [change(1, 1, 1.0, 11), change(2, 1, 2.0, 11, 12), change(3, 1, 3.0, 12)]
    assert changed(a_journal(*steps, visits=[Visit(RUN, 1, 0.0)])) == []


def test_an_answer_that_is_taken_back_is_a_change_and_one_that_returns_is_none() -> None:
    desk = Desk().sit()
    show(desk, 1, 2)
    desk.keeper.do(Chose(1, 11))
    desk.keeper.do(Cleared(1))
    desk.keeper.do(Chose(1, 11))
    desk.keeper.do(Marked(1))
    show(desk, 2, 2)
    desk.keeper.do(Chose(2, 21))
    show(desk, 3, 2)
    show(desk, 2, 2)
    desk.keeper.do(Cleared(2))
    desk.keeper.close()
    assert [(each.question_id, each.before.selected, each.after.given) for each in replay_of(desk.journal).changes] == [
        (2, (21,), False)
    ]


def test_an_answer_that_another_device_had_given_is_where_a_change_begins() -> None:
    there = Entry(0, 1, Answer((11,), review=False), 5.0, 1e9)
    journal = a_journal(there, change(1, 1, 8.0, 12), visits=[Visit(RUN, 1, 6.0)])
    assert changed(journal) == [((11,), (12,))]


def test_runs_of_a_restarted_computer_are_joined_by_their_numbers() -> None:
    visits = [Visit(RUN, 1, 9000.0), Visit(RUN, 0, 9010.0), Visit(2 * RUN, 2, 30.0), Visit(2 * RUN, 0, 50.0)]
    later = Entry(2 * RUN + 1, 2, Answer((21,), review=False), 40.0, 1e9)
    replay = replay_of(a_journal(change(1, 1, 9004.0, 11), later, visits=visits))
    assert replay.stays == (Stay(1, 0.0, 10.0), Stay(2, 10.0, 20.0))
    assert replay.breaks == (10.0,)


OPTIONS = st.sampled_from([(), (11,), (12,), (13,)])
STEPS = st.lists(st.tuples(st.integers(1, 3), st.floats(0.1, 40.0), OPTIONS), max_size=40)


@given(STEPS)
def test_times_add_up_and_changes_of_a_question_follow_one_another(
    steps: list[tuple[int, float, tuple[int, ...]]],
) -> None:
    """The changes of a question lead from its first answer to its last one, and the visits fill the whole time."""
    now, visits, entries = 0.0, [Visit(RUN, 1, 0.0)], list[Entry]()
    for number, (question, seconds, selected) in enumerate(steps, 1):
        visits.append(Visit(RUN, question, now))
        entries.append(change(number, question, now, *selected))
        now += seconds
    replay = replay_of(a_journal(*entries, visits=[*visits, Visit(RUN, 0, now)]))
    assert replay.seconds <= now + 1e-6
    assert all(before.start + before.seconds == pytest.approx(after.start) for before, after in pairwise(replay.stays))
    assert all(before.question_id != after.question_id for before, after in pairwise(replay.stays))
    for question in (1, 2, 3):
        chain = replay.changes_of(question)
        answers = [entry.answer.selected for entry in entries if entry.question_id == question]
        chosen = [answer for answer in answers if answer]
        assert all(before.after.selected == after.before.selected for before, after in pairwise(chain))
        assert all(each.before.selected != each.after.selected and each.before.given for each in chain)
        if chain:
            assert chain[-1].after.selected == answers[-1]
        elif chosen:
            assert set(chosen) == {answers[-1]}
