"""An exam may draw its questions for each attempt. The draw is fair, and a student sees no question twice too early."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from lms_tui.banks.model import Exam, Section
from lms_tui.service.attempts.drawing import Placed, drawn
from lms_tui.service.core.database.tables import Exam as ExamRow
from lms_tui.service.exams.statistics import statistics_of
from tests.service.service_world import Caller, World, choice, exam_of
from tests.service.test_service_shuffling import texts

POOL = [Placed(number, 1, None, 1, f"q{number}") for number in range(8)]


def ids(questions: list[Placed]) -> tuple[int, ...]:
    return tuple(question.id for question in questions)


@pytest.mark.slow
def test_every_draw_is_equally_likely() -> None:
    """56 draws of 3 of 8 questions, 100,000 attempts. The bound is the chi-squared value of 1 in 100,000."""
    attempts = 100_000
    seen = Counter(ids(drawn(POOL, (3,), {}, f"attempt {number}")) for number in range(attempts))
    wanted = attempts / 56
    assert set(seen) == set(combinations(range(8), 3))
    assert sum((count - wanted) ** 2 / wanted for count in seen.values()) < 111.9


def test_draws_of_neighbouring_attempts_are_independent() -> None:
    """64 pairs of the questions of two attempts in a row. The bound is the chi-squared value of 1 in 100,000."""
    attempts = 16_000
    first = [drawn(POOL, (1,), {}, f"attempt {number}")[0].id for number in range(attempts)]
    seen = Counter(pairwise(first))
    wanted = (attempts - 1) / 64
    assert sum((count - wanted) ** 2 / wanted for count in seen.values()) < 123


@given(
    st.lists(st.integers(0, 2), max_size=20),
    st.lists(st.integers(1, 6), min_size=2, max_size=2),
    st.dictionaries(st.integers(0, 19).map(lambda number: f"q{number}"), st.integers(1, 3)),
    st.text(max_size=8),
)
def test_a_draw_takes_what_was_asked_least_often(
    pools: list[int], picks: list[int], asked: dict[str, int], seed: str
) -> None:
    questions = [Placed(number, 1, None, pool, f"q{number}") for number, pool in enumerate(pools)]
    found = drawn(questions, picks, asked, seed)
    assert found == drawn(questions, picks, asked, seed)
    assert [question for question in questions if question in found] == found
    for pool, count in ((0, len(questions)), *enumerate(picks, 1)):
        of_pool = [question for question in questions if question.pool == pool]
        taken = [question for question in of_pool if question in found]
        times = [asked.get(question.digest, 0) for question in of_pool]
        assert len(taken) == min(count, len(of_pool))
        assert sorted(asked.get(question.digest, 0) for question in taken) == sorted(times)[: len(taken)]


def drawing(count: int, pick: int, **fields: Any) -> Exam:
    questions = (choice("Own"), *(choice(f"Drawn {number}", pool=1) for number in range(count)))
    return replace(exam_of(*questions), picks=(pick,), **fields)


async def whole(student: Caller, slug: str) -> tuple[int, list[str]]:
    """The texts of an attempt, which is ended then."""
    attempt = await student.create(slug)
    shown = texts(await student.questions(attempt))
    await student.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert texts((await student.get(f"/api/v2.2/attempts/{attempt}/review/"))["results"]) == shown
    return attempt, shown


async def test_an_attempt_has_its_own_questions_until_the_review(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(drawing(20, 5))
    listed = (await asha.get("/api/v2.2/exams/available/"))["results"]
    assert [exam["number_of_questions"] for exam in listed] == [6]
    found = [await whole(student, "sums") for student in (asha, ravi)]
    for _, shown in found:
        assert (shown[0], len(shown), len(set(shown))) == ("<p>Own</p>", 6, 6)
    assert found[0][1] != found[1][1]


async def test_the_draw_can_be_made_again_from_the_attempt(world: World, asha: Caller) -> None:
    world.add_exam(drawing(20, 5))
    attempt, shown = await whole(asha, "sums")
    pool = [Placed(number, 1, None, 1, f"{number}") for number in range(20)]
    again = drawn(pool, (5,), {}, f"attempt {attempt}")
    assert shown[1:] == [f"<p>Drawn {question.id}</p>" for question in again]


async def test_no_question_is_repeated_until_all_were_asked(world: World, asha: Caller) -> None:
    """Neither in a retake nor in another exam with the same questions."""
    world.add_exam(drawing(6, 2))
    world.add_exam(drawing(6, 2, slug="again", title="Again"))
    drawn_texts = [(await whole(asha, slug))[1][1:] for slug in ("sums", "again", "sums", "again")]
    assert len({text for shown in drawn_texts[:3] for text in shown}) == 6
    assert set(drawn_texts[3]) <= {text for shown in drawn_texts[:3] for text in shown}


async def test_draws_are_shuffled_with_the_other_questions(world: World, asha: Caller) -> None:
    made = world.add_exam(drawing(12, 11))
    with world.database.write() as session:
        session.get_one(ExamRow, made).shuffle_questions = True
    _, shown = await whole(asha, "sums")
    assert len(shown) == 12
    assert shown != sorted(shown, key=lambda text: (text != "<p>Own</p>", len(text), text))


async def test_each_section_draws_its_own_questions(world: World, asha: Caller) -> None:
    sections = tuple(
        Section(name, tuple(choice(f"{name} {number}", pool=pool) for number in range(4)))
        for pool, name in enumerate(("A", "B"), 1)
    )
    world.add_exam(Exam("Parts", sections, slug="parts", picks=(1, 3)))
    _, shown = await whole(asha, "parts")
    assert [text[3] for text in shown] == ["A", "B", "B", "B"]


async def test_statistics_count_the_attempts_that_were_asked(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(drawing(4, 2))
    for student in (asha, ravi):
        await whole(student, "sums")
    whole_row, rows = world_statistics(world)
    assert (whole_row["attempts"], whole_row["reliability"]) == (2, None)
    assert sum(row["answered"] for row in rows) == 0
    assert len(rows) == 5


def world_statistics(world: World) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    with world.database.read() as session:
        return statistics_of(session, session.scalars(select(ExamRow)).one())
