import pytest
from hypothesis import given
from hypothesis import strategies as st

from lms_tui.attempt.deadline import Deadline, Reading


@pytest.mark.case(8)
def test_half_the_round_trip_is_taken_off_the_time_left() -> None:
    deadline = Deadline().adopt(Reading(remaining=100.0, asked_at=10.0, received_at=14.0))
    assert deadline.left(14.0) == pytest.approx(98.0)


@pytest.mark.case(8)
def test_an_older_reply_that_arrives_late_never_raises_the_time_shown() -> None:
    deadline = Deadline().adopt(Reading(60.0, asked_at=100.0, received_at=100.0))
    assert deadline.adopt(Reading(90.0, asked_at=70.0, received_at=125.0)) == deadline


@pytest.mark.case(4)
def test_a_change_of_the_end_is_adopted_above_one_second() -> None:
    deadline = Deadline().adopt(Reading(60.0, 0.0, 0.0))
    assert deadline.adopt(Reading(300.0, 10.0, 10.0)).left(10.0) == 300.0
    assert deadline.adopt(Reading(20.0, 10.0, 10.0)).left(10.0) == 20.0
    assert deadline.adopt(Reading(50.4, 10.0, 10.0)).left(10.0) == 50.0


@pytest.mark.parametrize(("remaining", "over"), [(0.0, True), (-5.0, True), (0.5, False), (None, False)])
def test_time_is_over_at_zero_and_never_without_a_time_limit(remaining: float | None, over: bool) -> None:
    assert Deadline().adopt(Reading(remaining, 0.0, 0.0)).over(0.0) is over


@given(
    st.lists(st.tuples(st.floats(0, 1e4), st.floats(0, 29.9), st.floats(0, 1)), max_size=20),
    st.floats(10, 1e4),
)
def test_the_time_left_is_exact_within_half_the_round_trip(
    replies: list[tuple[float, float, float]], ends_at: float
) -> None:
    deadline, slack = Deadline(), 0.0
    for asked_at, trip, share in sorted(replies):
        remaining = max(0.0, ends_at - (asked_at + trip * share))
        deadline = deadline.adopt(Reading(remaining, asked_at, asked_at + trip))
        slack = max(slack, trip / 2) + 1.0
        if deadline.ends_at is not None and remaining > 0:
            assert abs(deadline.ends_at - ends_at) <= slack
