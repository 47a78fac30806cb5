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


@pytest.mark.case(8)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("trip", [2.0, 10.0, 29.0, 90.0])
def test_a_slow_reply_that_agrees_with_the_known_end_does_not_move_it(trip: float, share: float) -> None:
    """The server read its clock at some moment of the round trip, such as after it was frozen."""
    deadline = Deadline().adopt(Reading(1000.0, 0.0, 0.01))
    reading = Reading(1000.0 - 60.0 - trip * share, asked_at=60.0, received_at=60.0 + trip)
    assert deadline.adopt(reading).ends_at == deadline.ends_at


@pytest.mark.case(8)
def test_an_exact_reply_replaces_the_end_of_a_slow_one() -> None:
    slow = Deadline().adopt(Reading(1000.0, asked_at=0.0, received_at=20.0))
    exact = slow.adopt(Reading(920.0, asked_at=80.0, received_at=80.02))
    assert exact.ends_at == pytest.approx(1000.01)
    assert slow.error == 10.0
    assert exact.error == pytest.approx(0.01)


@pytest.mark.case(4)
def test_a_slow_reply_moves_an_end_that_it_contradicts() -> None:
    deadline = Deadline().adopt(Reading(1000.0, 0.0, 0.01))
    assert deadline.adopt(Reading(1230.0, asked_at=60.0, received_at=70.0)).ends_at == 1295.0
    assert deadline.adopt(Reading(630.0, asked_at=60.0, received_at=70.0)).ends_at == 695.0


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
