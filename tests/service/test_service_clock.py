"""The clock of an attempt as a pure value."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.service.attempts.clock import AttemptClock, SectionClock
from lms_tui.wire.attempt_states import AttemptState

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PAUSE = timedelta(seconds=90)
NOTHING = timedelta()


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def timed(allowed: float | None = 30) -> AttemptClock:
    return AttemptClock(None if allowed is None else minutes(allowed), NOTHING, START)


def locked(*allowed: float) -> AttemptClock:
    states = [AttemptState.RUNNING, *[AttemptState.NOT_STARTED] * (len(allowed) - 1)]
    sections = tuple(SectionClock(minutes(n), NOTHING, state) for n, state in zip(allowed, states, strict=True))
    return AttemptClock(minutes(sum(allowed)), NOTHING, START, sections)


@pytest.mark.parametrize(
    ("gap", "worked", "left"),
    [
        (0, None, 30),
        (1, None, 29),
        (1.5, None, 28.5),
        (1.6, None, 30),
        (20, None, 30),
        (20, 5, 25),
        (20, 20, 10),
        (1, 0.5, 29),
        (20, -5, 30),
        (20, 60, 10),
    ],
)
def test_a_pause_costs_only_the_work_before_it(gap: float, worked: float | None, left: float) -> None:
    sign = None if worked is None else START + minutes(worked)
    clock = timed().resumed(START + minutes(gap), sign, PAUSE)
    assert (clock.left, clock.contact) == (minutes(left), START + minutes(gap))


@pytest.mark.parametrize(("gap", "left"), [(29.9, 30), (30, 0), (30.1, 0), (99, 0)])
def test_a_pause_is_not_charged_before_the_end_of_the_time(gap: float, left: float) -> None:
    assert timed().resumed(START + minutes(gap), None, PAUSE).left == minutes(left)


def test_a_clock_that_is_set_back_changes_no_time_left() -> None:
    clock = timed().at(START + minutes(10))
    assert clock.at(START) == clock


def test_sections_run_in_order_and_keep_their_end() -> None:
    clock = locked(10, 20, 5).at(START + minutes(31))
    assert [section.state for section in clock.sections] == [
        AttemptState.COMPLETED,
        AttemptState.COMPLETED,
        AttemptState.RUNNING,
    ]
    assert [section.over for section in clock.sections] == [START + minutes(10), START + minutes(30), None]
    assert (clock.left, clock.deadline) == (minutes(4), START + minutes(35))


def test_the_next_section_starts_in_the_second_in_which_one_ends() -> None:
    clock = locked(10, 20).at(START + minutes(10))
    assert [section.state for section in clock.sections] == [AttemptState.COMPLETED, AttemptState.RUNNING]


@given(
    st.lists(st.floats(0.1, 60), min_size=1, max_size=5),
    st.lists(st.floats(0, 40), max_size=12),
    st.booleans(),
)
def test_the_time_left_does_not_depend_on_the_number_of_requests(
    sections: list[float], steps: list[float], lock: bool
) -> None:
    start = locked(*sections) if lock else timed(sum(sections))
    clock, now = start, START
    for step in steps:
        now += minutes(step)
        clock = clock.at(now)
    assert clock == start.at(now)
    assert clock.left is not None
    assert clock.left >= NOTHING
    assert start.left == clock.left + clock.taken
    assert sum(section.state is AttemptState.RUNNING for section in clock.sections) == (lock and bool(clock.left))


@given(st.lists(st.tuples(st.sampled_from(["beat", "start"]), st.floats(0, 1.5)), max_size=30))
def test_no_order_of_calls_within_the_heartbeat_stops_the_clock(calls: list[tuple[str, float]]) -> None:
    clock, now = timed(1000), START
    for call, step in calls:
        now += minutes(step)
        clock = clock.at(now) if call == "beat" else clock.resumed(now, None, PAUSE)
    assert clock.taken == now - START


@pytest.mark.parametrize("late", [0, 9, 10, 11])
def test_answers_of_a_section_are_accepted_until_the_grace_is_over(late: int) -> None:
    grace = timedelta(seconds=10)
    clock = locked(10, 20).at(START + minutes(10) + timedelta(seconds=late))
    assert clock.takes_answers(0, grace) is (late <= 10)
    assert clock.takes_answers(1, grace)


def test_a_section_ended_by_the_student_accepts_no_answers_in_transit() -> None:
    clock = locked(10, 20).at(START + minutes(3)).with_section_ended()
    assert not clock.takes_answers(0, timedelta(seconds=10))
    assert clock.left == minutes(20)


def test_an_untimed_attempt_counts_the_time_used() -> None:
    clock = timed(None).at(START + timedelta(days=3))
    assert (clock.left, clock.deadline, clock.taken) == (None, None, timedelta(days=3))
