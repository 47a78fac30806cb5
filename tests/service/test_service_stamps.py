"""The order of answers of several writers: the newest choice wins, in whatever order the requests arrive."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from lms_tui.service.attempts.stamps import Stamp, applied_with, is_superseded
from tests.service.service_world import Caller, World

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NOON = round(NOW.timestamp() * 1000)


def standing(*stamps: Stamp | None) -> Stamp | None:
    """Apply changes in this order; return the one that stands."""
    applied: dict[str, int] = {}
    kept: Stamp | None = None
    for stamp in stamps:
        if not is_superseded(stamp, applied, NOW):
            applied, kept = applied_with(stamp, applied, NOW), stamp
    return kept


def test_the_newest_choice_counts_in_every_order_of_arrival() -> None:
    first, second = Stamp("desk", 1, NOON - 9000), Stamp("desk", 2, NOON - 5000)
    other, newest = Stamp("phone", 7, NOON - 7000), Stamp("laptop", 3, NOON - 1000)
    for order in permutations((first, second, other)):
        assert standing(*order) == second
    for order in permutations((first, second, other, newest)):
        assert standing(*order) == newest


def test_of_two_answers_of_one_millisecond_the_same_counts_in_both_orders() -> None:
    desk, phone = Stamp("desk", 4, NOON), Stamp("phone", 1, NOON)
    assert standing(desk, phone) == standing(phone, desk) == phone


def test_a_repeated_request_never_overwrites_a_newer_choice_of_another_device() -> None:
    ours, theirs = Stamp("desk", 4, NOON - 2000), Stamp("phone", 1, NOON - 1000)
    assert standing(ours, theirs, ours) == theirs


def test_a_later_number_of_one_writer_counts_whatever_its_time_says() -> None:
    assert standing(Stamp("desk", 1, NOON), Stamp("desk", 2, NOON - 400)) == Stamp("desk", 2, NOON - 400)


def test_an_answer_from_the_future_or_without_a_time_counts_as_chosen_when_it_arrives() -> None:
    late, future, plain = Stamp("phone", 1, NOON - 1), Stamp("desk", 1, NOON + 60_000), Stamp("desk", 1)
    assert standing(late, future) == future
    assert standing(future, late) == future
    assert standing(late, plain) == plain
    assert standing(plain, late) == plain
    assert standing(late, None) is None
    assert standing(None, late) is None


def test_opening_a_question_never_overwrites_an_answer_of_another_device() -> None:
    seen, answer = Stamp("phone", 5, 0), Stamp("desk", 1, NOON - 60_000)
    assert standing(answer, seen) == standing(seen, answer) == answer
    assert standing(Stamp("phone", 4, NOON - 9), Stamp("phone", 5, 0)) == Stamp("phone", 5, 0)


def test_stamps_of_many_writers_are_limited_and_keep_the_answer_that_counts() -> None:
    applied: dict[str, int] = {}
    for number in range(40):
        applied = applied_with(Stamp(f"w{number}", number, NOON - 40 + number), applied, NOW)
    assert len(applied) == 17
    assert is_superseded(Stamp("w2", 50, NOON - 38), applied, NOW)


@pytest.mark.parametrize("time", ["", "-1", "1.5", "soon", "1" * 16])
async def test_an_invalid_time_is_refused(asha: Caller, attempt: int, time: str) -> None:
    question = (await asha.questions(attempt))[0]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"
    await asha.put(path, {}, 400, X_Answer_Seq="desk:1", X_Answer_Time=time)


async def test_an_answer_that_was_chosen_earlier_and_arrives_later_is_not_applied(
    world: World, asha: Caller, attempt: int
) -> None:
    question = (await asha.questions(attempt))[0]
    options = [option["id"] for option in question["question"]["answers"]]
    path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"
    now = round(world.clock().timestamp() * 1000)

    async def send(option: int, stamp: str, time: int) -> list[int]:
        body = {"selected_answers": [option]}
        saved = await asha.put(path, body, X_Answer_Seq=stamp, X_Answer_Time=str(time))
        return list(saved["selected_answers"])

    assert await send(options[1], "phone:1", now - 5000) == [options[1]]
    assert await send(options[0], "desk:1", now - 9000) == [options[1]]
    assert await send(options[2], "desk:2", now - 1000) == [options[2]]
