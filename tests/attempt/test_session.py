from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import (
    Acknowledged,
    Chose,
    Cleared,
    ClosedElsewhere,
    Differs,
    EndAsked,
    Event,
    Finished,
    Heard,
    Marked,
    NotAccepted,
    NotHeard,
    Recorded,
    RecordFailed,
    SectionBegan,
    SignInExpired,
    Struck,
    TimeRanOut,
    TimeTold,
    Toggled,
    Undone,
    Visited,
    Wrote,
)
from lms_tui.attempt.session import Session, apply, changes
from lms_tui.attempt.values import Answer, Goal, Item, Phase, Section
from lms_tui.wire.attempt_states import AttemptState


def a_session(kinds: str = "RRCRE", **facts: object) -> Session:
    """Questions 1..n with options 10n+1..10n+4."""
    items = tuple(
        Item(question_id=n, number=n, kind=kind, options=tuple(range(10 * n + 1, 10 * n + 5)))
        for n, kind in enumerate(kinds, 1)
    )
    return Session(attempt_id=7, title="Trial", items=items, **facts)  # type: ignore[arg-type]  # tests name the field


def after(session: Session, events: Iterable[Event]) -> Session:
    for event in events:
        session = apply(session, event)
    return session


def chosen(session: Session, question_id: int) -> tuple[int, ...]:
    item = session.find(question_id)
    assert item is not None
    return item.answer.selected


@pytest.mark.parametrize(
    ("events", "selected"),
    [
        ([Chose(1, 11)], (11,)),
        ([Chose(1, 11), Chose(1, 12)], (12,)),
        ([Chose(1, 11), Chose(1, 11)], (11,)),
        ([Chose(1, 11), Toggled(1, 11)], ()),
        ([Chose(1, 99)], ()),
        ([Chose(1, 11), Cleared(1)], ()),
    ],
)
def test_a_question_with_one_correct_answer_holds_at_most_one_choice(
    events: list[Event], selected: tuple[int, ...]
) -> None:
    assert chosen(after(a_session(), events), 1) == selected


def test_a_question_with_several_correct_answers_toggles_each_and_keeps_the_order_of_the_options() -> None:
    session = after(a_session(), [Chose(3, 34), Chose(3, 31), Chose(3, 32), Chose(3, 34)])
    assert chosen(session, 3) == (31, 32)


def test_an_unknown_option_of_the_server_is_never_dropped() -> None:
    item = Item(question_id=1, number=1, kind="C", options=(11, 12), answer=Answer(selected=(99,)))
    session = Session(attempt_id=1, title="", items=(item,))
    assert chosen(apply(session, Chose(1, 12)), 1) == (12, 99)


def test_a_choice_changes_no_question_without_options() -> None:
    session = a_session()
    assert apply(session, Chose(5, 51)) is session


def test_only_the_first_visit_of_a_question_is_a_change() -> None:
    once = apply(a_session(), Visited(2))
    assert once.item.answer.review is False
    assert once.sequence == 1
    assert apply(once, Visited(2)).sequence == 1


def test_a_mark_for_review_survives_answering_and_clearing() -> None:
    session = after(a_session(), [Marked(1), Chose(1, 12), Cleared(1)])
    assert session.items[0].answer == Answer(review=True)
    assert apply(session, Marked(1)).items[0].answer.review is False


def test_a_strike_is_never_sent_and_choosing_the_option_removes_it() -> None:
    struck = apply(a_session(), Struck(1, 11))
    assert struck.items[0].struck == {11}
    assert struck.sequence == 0
    assert apply(struck, Chose(1, 11)).items[0].struck == frozenset()


def test_each_undo_is_a_new_change() -> None:
    session = after(a_session(), [Chose(1, 11), Chose(1, 12), Chose(2, 21)])
    first = apply(session, Undone())
    assert chosen(first, 2) == ()
    assert first.sequence == 4
    second = apply(first, Undone())
    assert chosen(second, 1) == (11,)
    assert second.item.question_id == 1
    assert after(second, [Undone(), Undone(), Undone()]).answered == 0


@pytest.mark.parametrize(
    ("event", "field", "value"),
    [
        (Wrote(4, "short_text", "42"), "short_text", "42"),
        (Wrote(5, "essay_text", "All of it."), "essay_text", "All of it."),
        (Wrote(5, "essay_topic", "Water"), "essay_topic", "Water"),
        (Wrote(4, "2", "gap"), "gaps", (("2", "gap"),)),
    ],
)
def test_every_keystroke_of_a_text_is_a_change(event: Wrote, field: str, value: object) -> None:
    session = apply(a_session(), event)
    item = session.find(event.question_id)
    assert item is not None
    assert getattr(item.answer, field) == value
    assert item.latest == 1


def test_an_answer_shows_as_saved_when_durable_and_as_sent_when_acknowledged() -> None:
    session = apply(a_session(), Chose(1, 11))
    assert (session.saved_here, session.saved_there) == (0, 0)
    session = apply(session, Recorded(1))
    assert (session.saved_here, session.saved_there) == (1, 0)
    session = apply(session, Acknowledged(1, 1))
    assert (session.saved_here, session.saved_there) == (1, 1)


def test_a_late_acknowledgement_of_an_older_change_does_not_show_the_newer_one_as_sent() -> None:
    session = after(a_session(), [Chose(1, 11), Chose(1, 12), Recorded(2), Acknowledged(1, 1)])
    assert session.saved_there == 0
    assert [item.question_id for item in session.unsent] == [1]


def test_a_late_refusal_of_an_older_change_does_not_refuse_the_newer_one() -> None:
    session = after(a_session(), [Chose(1, 11), Chose(1, 12), NotAccepted(1, 1, "no")])
    assert session.refused == ()


def test_a_refused_answer_is_listed_until_it_is_changed() -> None:
    session = after(a_session(), [Chose(1, 11), NotAccepted(1, 1, "no")])
    assert [item.refused for item in session.refused] == ["no"]
    assert session.unsent == ()
    assert apply(session, Chose(1, 12)).refused == ()


def test_no_answer_shows_as_saved_on_a_full_disk() -> None:
    session = after(a_session(), [Chose(1, 11), RecordFailed("The disk is full.")])
    assert session.journal_trouble == "The disk is full."
    assert session.saved_here == 0
    assert apply(session, Recorded(1)).journal_trouble == ""


def test_after_the_time_answers_cannot_change_but_are_still_acknowledged() -> None:
    session = after(a_session(), [Chose(1, 11), TimeRanOut(), Chose(1, 12), Marked(1), Undone()])
    assert session.phase is Phase.TIME_OVER
    assert chosen(session, 1) == (11,)
    assert apply(session, Acknowledged(1, 1)).unsent == ()


def test_answers_cannot_change_after_the_student_has_ended_the_exam() -> None:
    session = after(a_session(), [EndAsked(), Chose(1, 11), TimeRanOut()])
    assert session.phase is Phase.ENDING
    assert session.answered == 0


def test_an_attempt_that_ended_elsewhere_stays_closed_after_late_replies() -> None:
    session = after(a_session(), [Chose(1, 11), ClosedElsewhere("Ended on another device."), Finished(), TimeRanOut()])
    assert session.phase is Phase.CLOSED
    assert session.reason == "Ended on another device."
    assert apply(session, Acknowledged(1, 1)).unsent == ()
    assert apply(session, Visited(3)).current == 2


def test_an_answer_that_differs_on_the_server_is_unsent_again() -> None:
    session = apply(a_session(), Differs(2))
    assert [item.question_id for item in session.unsent] == [2]
    assert apply(session, Acknowledged(2, 0)).unsent == ()


def test_a_connection_error_is_shown_until_the_server_replies() -> None:
    session = after(a_session(), [NotHeard("No connection."), SignInExpired()])
    assert session.contact.trouble == "No connection."
    assert session.contact.sign_in_needed
    heard = apply(session, Heard(12.0)).contact
    assert (heard.trouble, heard.sign_in_needed, heard.since) == ("", False, 12.0)


def test_the_next_unanswered_question_is_found_past_both_ends() -> None:
    session = after(a_session("RRRR"), [Visited(3), Chose(4, 41), Chose(1, 11)])
    assert session.next_unanswered() == 1
    assert session.next_unanswered(backwards=True) == 1
    assert after(session, [Chose(2, 21), Chose(3, 31)]).next_unanswered() is None
    assert after(session, [Marked(2)]).next_marked() == 1


# Sections that follow one another.

ALGEBRA = Section(1, "Algebra", AttemptState.RUNNING, timed=True)
LOGIC = Section(2, "Logic", AttemptState.NOT_STARTED, timed=True)


def a_locked_session() -> Session:
    first = tuple(Item(question_id=n, number=n, kind="R", options=(10 * n,), section=0) for n in (1, 2))
    return Session(attempt_id=7, title="", items=first, sections=(ALGEBRA, LOGIC))


def test_sections_lock_only_when_there_are_two_and_each_has_a_duration() -> None:
    grouped = (ALGEBRA, Section(2, "Logic", AttemptState.NOT_STARTED))
    assert a_locked_session().locked
    assert not a_session(sections=(ALGEBRA,)).locked
    assert not a_session(sections=grouped).locked


def test_after_the_time_of_a_section_the_next_section_starts() -> None:
    session = apply(a_locked_session(), TimeRanOut())
    assert (session.phase, session.goal) == (Phase.TIME_OVER, Goal.SECTION)
    told = (Section(1, "Algebra", AttemptState.COMPLETED, timed=True), Section(2, "Logic", AttemptState.RUNNING, True))
    more = (Item(question_id=3, number=1, kind="R", options=(30,), section=1),)
    began = apply(session, SectionBegan(more, told, Deadline(500.0)))
    assert (began.phase, began.item.question_id, began.item.number) == (Phase.RUNNING, 3, 3)
    assert apply(began, Chose(1, 10)) is began
    assert chosen(apply(began, Chose(3, 30)), 3) == (30,)
    assert apply(began, TimeRanOut()).goal is Goal.ATTEMPT


def test_answers_of_a_section_cannot_change_after_the_server_ended_it() -> None:
    told = (Section(1, "Algebra", AttemptState.COMPLETED, timed=True), Section(2, "Logic", AttemptState.RUNNING, True))
    session = apply(a_locked_session(), Heard(1.0, told))
    assert apply(session, Chose(1, 10)) is session


def test_the_next_unanswered_question_is_never_in_a_section_that_has_ended() -> None:
    told = (Section(1, "Algebra", AttemptState.COMPLETED, timed=True), Section(2, "Logic", AttemptState.RUNNING, True))
    more = tuple(Item(question_id=n, number=n, kind="R", options=(10 * n,), section=1) for n in (3, 4))
    session = apply(apply(a_locked_session(), TimeRanOut()), SectionBegan(more, told, Deadline(500.0)))
    assert session.next_unanswered() == 3
    assert session.next_unanswered(backwards=True) == 3
    assert after(session, [Chose(3, 30), Chose(4, 40)]).next_unanswered() is None


def test_sections_without_a_lock_cannot_be_ended() -> None:
    session = a_session()
    assert apply(session, EndAsked(Goal.SECTION)) is session


# Properties.

EVENTS = st.one_of(
    st.builds(Visited, st.integers(1, 6)),
    st.builds(Chose, st.integers(1, 6), st.integers(10, 65)),
    st.builds(Toggled, st.integers(1, 6), st.integers(10, 65)),
    st.builds(Cleared, st.integers(1, 6)),
    st.builds(Marked, st.integers(1, 6)),
    st.builds(Struck, st.integers(1, 6), st.integers(10, 65)),
    st.builds(Wrote, st.integers(1, 6), st.sampled_from(["short_text", "1"]), st.text(max_size=3)),
    st.builds(Undone),
    st.builds(Recorded, st.integers(0, 30)),
    st.builds(Acknowledged, st.integers(1, 6), st.integers(0, 30)),
    st.builds(NotAccepted, st.integers(1, 6), st.integers(0, 30), st.just("no")),
    st.builds(Differs, st.integers(1, 6)),
    st.builds(TimeTold, st.builds(Reading, st.floats(0, 100), st.floats(0, 50), st.floats(50, 60))),
    st.builds(TimeRanOut),
    st.builds(EndAsked),
    st.builds(Finished),
)


@given(st.lists(EVENTS, max_size=40))
def test_every_change_of_an_answer_gets_a_new_number_and_is_offered_to_the_journal(events: list[Event]) -> None:
    session = a_session()
    for event in events:
        before, session = session, apply(session, event)
        changed = {
            old.question_id for old, new in zip(before.items, session.items, strict=True) if old.answer != new.answer
        }
        assert {item.question_id for item in changes(before, session)} == changed
        assert session.sequence == before.sequence + len(changed)


@given(st.lists(EVENTS, max_size=40))
def test_no_answer_changes_once_the_attempt_is_not_running(events: list[Event]) -> None:
    session = a_session()
    for event in events:
        before, session = session, apply(session, event)
        if before.phase is not Phase.RUNNING:
            assert [item.answer for item in session.items] == [item.answer for item in before.items]
            given_more = before.phase is Phase.TIME_OVER and isinstance(event, TimeTold)
            assert session.phase is not Phase.RUNNING or given_more


@given(st.lists(EVENTS, max_size=40))
def test_a_question_with_one_correct_answer_never_holds_two(events: list[Event]) -> None:
    session = after(a_session(), events)
    assert all(len(item.answer.selected) <= 1 for item in session.items if item.kind == "R")
    assert all(set(item.answer.selected) <= set(item.options) for item in session.items)


@given(st.lists(EVENTS, max_size=40))
def test_answering_and_undoing_everything_leaves_every_answer_as_it_was(events: list[Event]) -> None:
    kinds = (Chose, Toggled, Cleared, Marked, Wrote)
    session = after(a_session(), [event for event in events if isinstance(event, kinds)])
    for _ in range(len(session.undo)):
        session = apply(session, Undone())
    assert session.answered == session.marked == 0
