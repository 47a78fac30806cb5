"""Corrections of questions and marks by hand: the same numbers as scoring from scratch, whatever happened before."""

from collections.abc import Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.banks.scoring import mark_all
from lms_tui.service.admin.administration import AdminError, Administration
from lms_tui.service.admin.audit import audit_lines
from lms_tui.service.admin.grading import Mark, correct_question, give_marks, release_marks
from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.ending import answer_of, key_of
from lms_tui.service.attempts.results import question_statistics
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Correction, Exam, HandMark, Question
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.grading.results import Standings
from tests.service.class_oracle import rankings_by_hand, statistics_by_hand
from tests.service.service_world import Caller, World, choice, every_kind, exam_of

STUDENTS = 4
KEYS = {"R": (("B",), ("A", "C")), "C": (("A",), ("B", "D")), "S": (("Delhi", "x*"),), "N": (("1", "2..3"),)}
GAPS = (("1=z",), ("1=a", "2=q"))


def shell(world: World) -> Administration:
    return Administration(world.database, Passwords(), world.clock.now, who="shell: root")


async def write(world: World, caller: Caller, slug: str, random: Random) -> int:
    """Answer most questions somehow, and end the attempt."""
    attempt = await caller.create(slug)
    for question in await caller.questions(attempt):
        options = [option["id"] for option in question["question"]["answers"]]
        text = random.choice(["a", "x", "1", "3.14", "Delhi"])
        bodies: dict[str, dict[str, Any]] = {
            "R": {"selected_answers": random.sample(options, 1) if options else []},
            "C": {"selected_answers": random.sample(options, 2) if options else []},
            "S": {"short_text": text},
            "N": {"short_text": random.choice(["1", "2.5", "3.14"])},
            "E": {"essay_text": text},
            "G": {"gap_fill_responses": [{"order": "1", "answer": text}, {"order": "2", "answer": "b"}]},
        }
        body = bodies.get(question["question"]["type"], {})
        world.clock.move(seconds=random.randint(1, 9))
        if body and random.random() < 0.8:
            await caller.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", body)
    await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return attempt


def check(world: World) -> None:
    """Compare every number that is kept with those of scoring from scratch."""
    with world.database.read() as session:
        attempts = session.scalars(select(Attempt).where(Attempt.state == "Completed")).all()
        for attempt in attempts:
            check_attempt(session, attempt)
        statistics = statistics_by_hand(session)
        assert question_statistics(session, list(statistics)) == statistics
        ranks = {
            attempt.id: Standings(session, attempt.exam_id).of(attempt.user_id, attempt.score) for attempt in attempts
        }
        assert ranks == rankings_by_hand(session)


def check_attempt(session: Session, attempt: Attempt) -> None:
    rows = session.scalars(select(AttemptQuestion).where(AttemptQuestion.attempt_id == attempt.id)).all()
    keys = [key_of(row.question) for row in rows]
    hand: dict[int, Decimal] = {}
    for row in rows:
        found = session.get(HandMark, (row.id, True))
        if found is not None:
            hand[row.question_id] = found.marks
    marked = mark_all(keys, {row.question_id: answer_of(row) for row in rows}, hand)
    expected = scoring.total(keys, marked, attempt.time_taken)
    assert [(row.outcome, row.marks) for row in rows] == [(one.outcome, one.score) for one in marked]
    assert (attempt.score, attempt.max_score, attempt.total_bonus) == (
        *(expected.score, expected.maximum, expected.total_bonus),
    )
    assert (attempt.correct_count, attempt.incorrect_count, attempt.unanswered_count) == (
        *(expected.correct_count, expected.incorrect_count, expected.unanswered_count),
    )
    assert (attempt.total_questions, attempt.speed, attempt.accuracy) == (
        *(expected.questions, expected.speed, expected.accuracy),
    )


def change(world: World, random: Random, questions: Sequence[Question], logins: Sequence[str]) -> None:
    """Correct a question, or mark an answer by hand and sometimes release."""
    question = random.choice(questions)
    fate = random.random()
    if fate < 0.3:
        maximum = question.marks * random.randint(0, 2) / 2
        mark = Mark(question.order, maximum, random.choice(logins), comment="so so", reason="by the book")
        give_marks(shell(world), "every-kind", [mark])
        if random.random() < 0.7:
            release_marks(shell(world), "every-kind")
    elif fate < 0.5:
        kind = Correction.VOID if random.random() < 0.5 or question.kind in "EF" else Correction.FULL_MARKS
        correct_question(shell(world), "every-kind", question.order, kind, apply=True)
    else:
        keys = GAPS if question.kind == "G" else KEYS.get(question.kind)
        if keys:
            key = random.choice(keys)
            correct_question(shell(world), "every-kind", question.order, Correction.KEY, key, apply=True)


@pytest.mark.parametrize("seed", range(2))
async def test_numbers_are_those_of_scoring_from_scratch_whatever_was_corrected(world: World, seed: int) -> None:
    random = Random(seed)
    world.add_exam(every_kind())
    logins = [f"student{number}" for number in range(STUDENTS)]
    for username in logins:
        world.add_user(username)
        await write(world, world.caller(username), "every-kind", random)
    with world.database.read() as session:
        questions = session.scalars(select(Question).order_by(Question.order)).all()
    for _ in range(9):
        change(world, random, questions, logins)
        check(world)
    await write(world, world.caller("ravi"), "every-kind", random)
    check(world)


@pytest.fixture
async def sat(world: World, asha: Caller, ravi: Caller) -> World:
    """Asha chose A, the key, in both questions. Ravi chose B in the first."""
    world.add_exam(exam_of(choice("First"), choice("Second")))
    for caller, places in ((asha, (0, 0)), (ravi, (1, 0))):
        attempt = await caller.create("sums")
        for question, place in zip(await caller.questions(attempt), places, strict=True):
            await caller.answer(attempt, question["id"], question["question"]["answers"][place]["id"])
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return world


def scores(world: World) -> list[Decimal]:
    with world.database.read() as session:
        return list(session.scalars(select(Attempt.score).order_by(Attempt.id)))


async def test_a_correction_is_shown_first_and_changes_nothing(sat: World) -> None:
    rows = correct_question(shell(sat), "sums", 1, Correction.KEY, ["B"], apply=False)
    assert [(row["username"], row["score"], row["new_score"], row["rank"], row["new_rank"]) for row in rows] == [
        ("ravi", 3.0, 8.0, 2, 1),
        ("asha", 8.0, 3.0, 1, 2),
    ]
    assert scores(sat) == [8, 3]
    assert audit_lines(sat.database) == []


async def test_a_correction_is_one_change_with_a_line_in_the_audit(sat: World) -> None:
    correct_question(shell(sat), "sums", 1, Correction.KEY, ["B"], apply=True)
    assert scores(sat) == [3, 8]
    (line,) = audit_lines(sat.database)
    assert (line["who"], line["what"], line["about"]) == ("shell: root", "question.correct", "exam sums, question 1")
    assert (line["before"]["key"], line["after"]["key"]) == (["A"], ["B"])
    assert line["after"]["changed"] == 2


@pytest.mark.parametrize(
    ("kind", "key", "expected"),
    [
        (Correction.KEY, ["A", "B"], [8, 8]),
        (Correction.VOID, [], [4, 4]),
        (Correction.FULL_MARKS, [], [8, 8]),
    ],
)
async def test_each_correction_has_its_marks(
    sat: World, kind: Correction, key: list[str], expected: list[Decimal]
) -> None:
    correct_question(shell(sat), "sums", 1, kind, key, apply=True)
    assert scores(sat) == expected
    check(sat)


async def test_a_correction_can_be_corrected(sat: World) -> None:
    for kind in (Correction.VOID, Correction.FULL_MARKS):
        correct_question(shell(sat), "sums", 1, kind, apply=True)
    correct_question(shell(sat), "sums", 1, Correction.KEY, ["A"], apply=True)
    assert scores(sat) == [8, 3]
    check(sat)


@pytest.mark.parametrize(("number", "key"), [(1, ["E"]), (1, []), (3, ["A"])])
async def test_a_key_that_the_question_cannot_have_is_refused(sat: World, number: int, key: list[str]) -> None:
    with pytest.raises(AdminError):
        correct_question(shell(sat), "sums", number, Correction.KEY, key, apply=True)
    assert scores(sat) == [8, 3]


async def test_a_student_reads_the_corrected_truth_and_that_it_was_corrected(sat: World, ravi: Caller) -> None:
    correct_question(shell(sat), "sums", 1, Correction.KEY, ["B"], apply=True)
    (attempt,) = (await ravi.get("/api/v2.2/attempts/"))["results"]
    assert (attempt["score"], attempt["rank"]) == ("8.00", 1)
    first, second = (await ravi.get(f"/api/v2.2/attempts/{attempt['id']}/review/"))["results"]
    assert [option["is_correct"] for option in first["question"]["answers"]] == [False, True, False, False]
    assert (first["correction"], first["outcome"], first["score"]) == ("key", "correct", "4.00")
    assert (second["correction"], second["outcome"], second["score"]) == ("", "", "4.00")


async def test_an_attempt_that_runs_ends_with_the_corrected_key(sat: World) -> None:
    sat.add_user("meera")
    meera = sat.caller("meera")
    attempt = await meera.create("sums")
    question = (await meera.questions(attempt))[0]
    await meera.answer(attempt, question["id"], question["question"]["answers"][1]["id"])
    correct_question(shell(sat), "sums", 1, Correction.KEY, ["B"], apply=True)
    await meera.put(f"/api/v2.2/attempts/{attempt}/end/")
    assert scores(sat)[-1] == 4
    check(sat)


async def test_only_the_exam_of_the_question_is_touched(sat: World, asha: Caller) -> None:
    sat.add_exam(exam_of(choice("Other"), title="Other"))
    attempt = await asha.create("other")
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    correct_question(shell(sat), "sums", 1, Correction.VOID, apply=True)
    with sat.database.read() as session:
        other = session.query(Exam).filter_by(slug="other").one()
        assert Standings(session, other.id).of(1, Decimal(0)).max_rank == 1
    check(sat)
