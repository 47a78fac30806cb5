"""Parts of a result besides right and wrong: bonus questions, cut-offs, feedback, and figures of all students."""

from datetime import timedelta
from decimal import Decimal

import pytest
from sqlalchemy import update

from lms_tui.banks.model import Exam, Section
from lms_tui.service.core.database import tables
from tests.service.service_world import Caller, World, choice, exam_of, sums
from tests.service.test_service_papers import text_of


async def sat(world: World, caller: Caller, slug: str, *right: bool | None) -> int:
    """Sit an exam, a question each ten seconds: answered rightly, wrongly, or not at all; and end it."""
    attempt = await caller.create(slug)
    for (question, key), rightly in zip(world.right_answers(attempt).items(), right, strict=True):
        world.clock.move(seconds=10)
        if rightly is not None:
            await caller.answer(attempt, question, *(key if rightly else [world.wrong_answer(question)]))
    await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return attempt


@pytest.mark.parametrize("answered", [True, False, None])
async def test_every_student_earns_the_marks_of_a_bonus_question(
    world: World, asha: Caller, answered: bool | None
) -> None:
    exam = world.add_exam(sums(2))
    with world.database.write() as session:
        session.execute(update(tables.Question).where(tables.Question.order == 1).values(is_bonus=True))
    attempt = await asha.get(f"/api/v2.2/attempts/{await sat(world, asha, 'sums', answered, False)}")
    assert exam
    assert (attempt["score"], attempt["total_bonus"], attempt["percentage"]) == ("3.00", 4, "37.50")
    assert (attempt["correct_count"], attempt["incorrect_count"], attempt["unanswered_count"]) == (1, 1, 0)
    review = (await asha.get(f"/api/v2.2/attempts/{attempt['id']}/review/"))["results"]
    assert [row["correct_percentage"] for row in review] == [100, 0]


async def test_times_and_share_correct_cover_all_ended_attempts(world: World, asha: Caller, ravi: Caller) -> None:
    world.add_exam(exam_of(choice("one"), choice("two"), choice("three")))
    world.add_user("noor")
    running = await ravi.create("sums")
    question, right = next(iter(world.right_answers(running).items()))
    await ravi.answer(running, question, *right)
    world.clock.move(minutes=5)
    noor = world.caller("noor")
    await sat(world, noor, "sums", True, None, False)
    attempt = await asha.create("sums")
    for seconds, (question, right) in zip((4, 40, 6), world.right_answers(attempt).items(), strict=True):
        world.clock.move(seconds=seconds)
        await asha.answer(attempt, question, *right)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    rows = (await asha.get(f"/api/v2.2/attempts/{attempt}/review/"))["results"]
    assert [row["duration"] for row in rows] == ["0:00:04", "0:00:40", "0:00:06"]
    # Ravi's attempt still runs and counts for nothing; Noor never came to the second question, and erred in the third.
    assert [row["best_duration"] for row in rows] == [4, 40, 6]
    assert [row["average_duration"] for row in rows] == [7, 40, 13]
    assert [row["correct_percentage"] for row in rows] == [100, 50, 50]


async def test_immediate_feedback_is_returned_without_a_key(world: World, asha: Caller) -> None:
    world.add_exam(sums(immediate_feedback=True))
    attempt = await asha.create("sums")
    question, right = next(iter(world.right_answers(attempt).items()))
    saved = await asha.send(
        "PUT", f"/api/v2.2/attempts/{attempt}/questions/{question}", json={"selected_answers": right}
    )
    shown = await asha.get(f"/api/v2.2/attempts/{attempt}")
    assert shown["exam"]["immediate_feedback"] is True
    assert "is_correct" not in saved.text


async def test_cut_offs_are_in_the_exam_and_in_the_pdf(world: World, asha: Caller) -> None:
    def part(name: str, cut_off: int) -> Section:
        return Section(name, (choice(f"{name} one"), choice(f"{name} two")), cut_off=cut_off)

    parts = Exam(
        "Parts",
        (part("Physics", 8), part("Chemistry", 4), part("Biology", 0)),
        duration=timedelta(minutes=30),
        mark_per_question=Decimal(4),
        negative_marks=Decimal(1),
    )
    world.add_exam(parts, allow_pdf=True)
    assert [part["cut_off"] for part in (await asha.get("/api/v2.2/exams/parts"))["sections"]] == [8, 4, 0]
    attempt = await sat(world, asha, "parts", True, False, True, None, None, False)
    paper = await asha.send("GET", f"/api/v2.2/attempts/{attempt}/review/pdf/")
    text = text_of(paper.content)
    assert "Physics: score 3.00, cut-off 8 not reached" in text
    assert "Chemistry: score 4.00, cut-off 4 reached" in text
    assert "Biology: score -1.00" in text
    assert text.count("cut-off") == 2
