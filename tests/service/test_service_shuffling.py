"""An exam may give each attempt its own order of questions, which stays until the review."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lms_tui.banks.model import Exam, Section
from lms_tui.service.attempts.drawing import Placed, shuffled
from lms_tui.service.core.database.tables import Exam as ExamRow
from tests.service.service_world import Caller, World, choice, sums

_SHAPES = st.lists(st.tuples(st.integers(1, 3), st.sampled_from([None, 1, 2])), max_size=30)


def _placed(shapes: list[tuple[int, int | None]]) -> list[Placed]:
    in_order = sorted(shapes, key=lambda shape: shape[0])
    return [Placed(number, section, passage) for number, (section, passage) in enumerate(in_order, 1)]


@given(_SHAPES, st.text(max_size=8))
def test_sections_and_passages_stay_together(shapes: list[tuple[int, int | None]], seed: str) -> None:
    before = _placed(shapes)
    after = shuffled(before, seed)
    assert sorted(after) == before
    assert [question.section_id for question in after] == [question.section_id for question in before]
    places = {question.id: place for place, question in enumerate(after)}
    for first, second in pairwise(before):
        if first.passage_id is not None and first[1:] == second[1:]:
            assert places[second.id] == places[first.id] + 1


@given(_SHAPES, st.text(max_size=8))
def test_the_order_can_be_made_again_from_its_seed(shapes: list[tuple[int, int | None]], seed: str) -> None:
    before = _placed(shapes)
    assert shuffled(before, seed) == shuffled(before, seed)


def test_every_order_is_equally_likely() -> None:
    """24 orders of 4 questions, 24,000 attempts. The bound is the chi-squared value of 1 in 100,000."""
    before = [Placed(number, 1, None) for number in range(1, 5)]
    attempts = 24_000
    seen = Counter(tuple(each.id for each in shuffled(before, f"attempt {number}")) for number in range(attempts))
    wanted = attempts / 24
    assert set(seen) == set(permutations(range(1, 5)))
    assert sum((count - wanted) ** 2 / wanted for count in seen.values()) < 64.6


def texts(questions: list[Any]) -> list[str]:
    return [question["question"]["question_html"] for question in questions]


async def test_each_attempt_has_its_own_order_until_the_review(world: World, asha: Caller, ravi: Caller) -> None:
    made = world.add_exam(sums(12))
    with world.database.write() as session:
        session.get_one(ExamRow, made).shuffle_questions = True
    orders = []
    for student in (asha, ravi):
        attempt = await student.create("sums")
        shown, again = [texts(await student.questions(attempt)) for _ in range(2)]
        await student.put(f"/api/v2.2/attempts/{attempt}/end/")
        review = (await student.get(f"/api/v2.2/attempts/{attempt}/review/"))["results"]
        assert shown == again == texts(review)
        assert [question["order"] for question in review] == list(range(1, 13))
        orders.append(shown)
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] != orders[1]


async def test_questions_of_other_exams_keep_their_order(world: World, asha: Caller) -> None:
    parts = tuple(Section(name, (choice(f"{name} 1"), choice(f"{name} 2"))) for name in ("A", "B"))
    world.add_exam(replace(Exam("Parts", parts), slug="parts"))
    attempt = await asha.create("parts")
    assert texts(await asha.questions(attempt)) == [f"<p>{text}</p>" for text in ("A 1", "A 2", "B 1", "B 2")]
