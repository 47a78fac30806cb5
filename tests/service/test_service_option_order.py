"""An exam may give each attempt its own order of options. Every reply about the attempt has that order."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lms_tui.banks.model import Exam, Option, Question
from lms_tui.service.attempts.drawing import option_order
from lms_tui.service.core.database.tables import Exam as ExamRow
from lms_tui.wire.question_types import QuestionType
from tests.service.service_world import Caller, World, choice, every_kind, exam_of

_OPTIONS = st.lists(st.booleans(), max_size=8).map(lambda fixed: list(enumerate(fixed)))


@given(_OPTIONS, st.text(max_size=8))
def test_fixed_options_keep_their_place(options: list[tuple[int, bool]], seed: str) -> None:
    found = option_order(options, seed)
    assert sorted(found) == [id_ for id_, _ in options]
    assert all(found[place] == id_ for place, (id_, is_fixed) in enumerate(options) if is_fixed)
    assert found == option_order(options, seed)


def test_every_order_is_equally_likely() -> None:
    """24 orders of 4 options, 24,000 questions. The bound is the chi-squared value of 1 in 100,000."""
    options = [(number, False) for number in range(4)]
    asked = 24_000
    seen = Counter(tuple(option_order(options, f"attempt 1 question {number}")) for number in range(asked))
    wanted = asked / 24
    assert set(seen) == set(permutations(range(4)))
    assert sum((count - wanted) ** 2 / wanted for count in seen.values()) < 64.6


def shuffling(world: World, exam: Exam) -> None:
    made = world.add_exam(exam)
    with world.database.write() as session:
        session.get_one(ExamRow, made).shuffle_options = True


def shown(question: Any) -> list[str]:
    return [option["text_html"] for option in question["question"]["answers"]]


async def test_the_order_stays_until_the_review_and_the_key_is_the_same(world: World, asha: Caller) -> None:
    shuffling(world, exam_of(*(choice(f"Sum {number}") for number in range(6))))
    attempt = await asha.create("sums")
    questions = await asha.questions(attempt)
    orders = [shown(question) for question in questions]
    assert orders == [shown(question) for question in await asha.questions(attempt)]
    assert any(order != sorted(order) for order in orders)
    for question, right in zip(questions, world.right_answers(attempt).values(), strict=True):
        answered = await asha.answer(attempt, question["id"], *right)
        assert answered["question"] == question["question"]
    ended = await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert ended["correct_count"] == 6
    review = (await asha.get(f"/api/v2.2/attempts/{attempt}/review/"))["results"]
    assert [shown(question) for question in review] == orders
    for question in review:
        correct = [option["text_html"] for option in question["question"]["answers"] if option["is_correct"]]
        assert correct == [f"{question['question']['question_html'].removesuffix('</p>')} 0</p>"]


async def test_two_attempts_have_different_orders(world: World, asha: Caller, ravi: Caller) -> None:
    shuffling(world, exam_of(*(choice(f"Sum {number}") for number in range(6))))
    orders = [
        [shown(question) for question in await student.questions(await student.create("sums"))]
        for student in (asha, ravi)
    ]
    assert orders[0] != orders[1]


async def test_options_that_speak_of_others_keep_their_place(world: World, asha: Caller) -> None:
    texts = ("one", "two", "three", "<p>None of the above.</p>")
    above = tuple(Option(text, correct=not place) for place, text in enumerate(texts))
    pinned = tuple(Option(f"{place}", not place, fixed=place == 1) for place in range(4))
    either = (Option("True", correct=True), Option("False"))
    questions = [Question(QuestionType.SINGLE, "Q", options) for options in (above, pinned, either) for _ in range(8)]
    shuffling(world, exam_of(*questions))
    found = [shown(question) for question in await asha.questions(await asha.create("sums"))]
    assert {order[3] for order in found[:8]} == {texts[3]}
    assert {order[1] for order in found[8:16]} == {"1"}
    assert {tuple(order) for order in found[16:]} == {("True", "False")}


async def test_a_change_of_the_setting_keeps_the_order_of_a_running_attempt(world: World, asha: Caller) -> None:
    made = world.add_exam(exam_of(*(choice(f"Sum {number}") for number in range(6))))
    attempt = await asha.create("sums")
    before = await asha.questions(attempt)
    with world.database.write() as session:
        session.get_one(ExamRow, made).shuffle_options = True
    assert await asha.questions(attempt) == before


async def test_matches_and_gaps_are_asked_as_before(world: World, asha: Caller) -> None:
    world.add_exam(replace(every_kind(), slug="plain"))
    shuffling(world, replace(every_kind(), slug="shuffled"))
    plain, shuffled = [await asha.questions(await asha.create(slug)) for slug in ("plain", "shuffled")]
    for one, other in zip(plain[2:], shuffled[2:], strict=True):
        assert one["question"] == other["question"]
