"""Marking by hand in the app: marks by keys, comments as they are typed, and the release."""

from collections.abc import AsyncIterator
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from lms_tui.banks.model import Question, TextKey
from lms_tui.service.core.database import tables
from lms_tui.views import marking as present
from lms_tui.wire.files import FileReference
from lms_tui.wire.grading import AnswerToMark, Criterion
from lms_tui.wire.question_types import QuestionType
from tests.fakes.looks import SIZES, looks_as_kept
from tests.fakes.served import Served, served
from tests.service.service_world import World, exam_of

pytestmark = pytest.mark.usefixtures("utc")


async def with_essays(world: World) -> None:
    world.add_exam(
        exam_of(
            Question(QuestionType.ESSAY, "<p>Why does ice float?</p>", marks=Decimal(5)),
            Question(QuestionType.SHORT, "<p>Capital</p>", texts=(TextKey("Chennai"),)),
            title="Essays",
        )
    )
    for name in ("asha", "ravi"):
        caller = world.caller(name)
        attempt = await caller.create("essays")
        written = {"E": {"essay_text": f"It is lighter, says {name}."}, "S": {"short_text": "Madras"}}
        for question in await caller.questions(attempt):
            path = f"/api/v2.2/attempts/{attempt}/questions/{question['id']}"
            await caller.put(path, written[question["question"]["type"]])
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")


async def to_marking(run: Served) -> None:
    await run.press("m")
    await run.see("For staff")
    await run.press("end", "enter")
    await run.see("Essays")
    await run.press("enter")
    await run.see("Mark by hand")
    await run.press("down", "down", "enter")
    await run.see("0 of 2 marked", "Question 1 · Asha Nair")


def kept(world: World) -> list[tuple[Any, ...]]:
    with world.database.read() as session:
        rows = session.query(tables.HandMark).order_by(tables.HandMark.attempt_question_id).all()
        return [(row.marks, row.comment, row.reason, row.is_released, row.by) for row in rows]


async def scenes(run: Served) -> AsyncIterator[str]:
    await to_marking(run)
    yield "marking"
    await run.press("3", "h")
    await run.see("1 of 2 marked", "3/5")
    yield "marking-hidden"


@pytest.mark.parametrize("size", SIZES)
async def test_marking_matches_its_snapshots(world: World, tmp_path: Path, size: tuple[int, int]) -> None:
    await with_essays(world)
    different = []
    async with served(world, "staff", tmp_path, size=size) as run:
        async for name in scenes(run):
            await run.settle()
            if not await looks_as_kept(run, name):
                different.append(name)
    assert not different


async def test_marks_and_comments_are_kept_as_they_are_given_and_released(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.press("c")
        assert "Give marks first." in run.notices
        await run.press("4")
        await run.see("4/5")
        await run.press("c", *"Good")
        await run.until(lambda: kept(world) == [(Decimal(4), "Good", "", False, "staff")])
        await run.press("escape", "n")
        await run.see("Question 1 · Ravi Kumar")
        await run.press("m")
        await run.type("3.25")
        await run.press("enter")
        await run.see("2 of 2 marked", "2 not released", "3.25/5")
        await run.press("n")
        assert "Every answer has marks." in run.notices
        await run.press("9")
        await run.see("takes marks from 0 to 5")
        await run.press("enter", "x")
        await run.see("Release the marks?")
        await run.press("y")
        await run.see("Students see these marks.")
        assert "2 answers released." in run.notices
    assert [row[3] for row in kept(world)] == [True, True]


async def test_short_texts_of_a_question_get_other_marks_with_a_reason(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    async with served(world, "staff", tmp_path, size=(80, 24)) as run:
        await to_marking(run)
        await run.press("t", "2", "enter")
        await run.see("Question 2 · Asha Nair")
        await run.press("f")
        await run.see("Why do they", "get other marks?")
        await run.type("Old name")
        await run.press("enter")
        await run.see("1 of 2 marked")
        await run.press("down", "2")
        await run.see("2 of 2 marked")
    assert [row[:3] for row in kept(world)] == [
        (Decimal(4), "", "Old name"),
        (Decimal(2), "", "Old name"),
    ]


async def test_the_files_of_an_answer_are_saved_where_the_marker_wants_them(world: World, tmp_path: Path) -> None:
    world.add_exam(
        exam_of(Question(QuestionType.FILES, "<p>Hand in your report.</p>", marks=Decimal(5)), title="Essays")
    )
    for name, content in (("asha", b"%PDF of asha"), ("ravi", b"%PDF of ravi")):
        caller = world.caller(name)
        attempt = await caller.create("essays")
        file = FileReference(sha256(content).hexdigest(), len(content), "my report.pdf")
        path = f"/api/v2.2/attempts/{attempt}/files/{file.digest}?size={file.size}"
        assert (await caller.send("PUT", path, content=content)).status_code == 200
        [question] = await caller.questions(attempt)
        gaps = {"gap_fill_responses": [{"order": "1", "answer": file.text}]}
        await caller.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", gaps)
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.see("my report.pdf (12 bytes)")
        await run.press("w")
        await run.see("Save the file my report.pdf")
        await run.press("ctrl+u")
        await run.type(str(tmp_path / "saved.pdf"))
        await run.press("enter")
        await run.until((tmp_path / "saved.pdf").exists)
        await run.press("w")
        await run.see("Save the file my report.pdf")
        offered = run.app.screen.query_one(Input).value
        await run.press("enter")
        await run.until(lambda: "my report.pdf" in run.notices)
    assert offered.endswith("-1-1-my report.pdf")
    assert (tmp_path / offered).read_bytes() == b"%PDF of asha"
    assert (tmp_path / "saved.pdf").read_bytes() == b"%PDF of asha"


def answers() -> list[AnswerToMark]:
    places = ((1, 1, 1), (2, 1, 2), (3, 2, 1))
    return [AnswerToMark(id=key, attempt=attempt, question=question, max_marks=5) for key, attempt, question in places]


def test_the_order_is_question_by_question_or_student_by_student() -> None:
    assert [one.id for one in present.ordered(answers(), by_student=False)] == [1, 3, 2]
    assert [one.id for one in present.ordered(answers(), by_student=True)] == [1, 2, 3]


def test_the_next_answer_without_marks_comes_after_the_last_one_again() -> None:
    found = answers()
    found[1] = found[1].model_copy(update={"marks": Decimal(2)})
    assert present.next_unmarked(found, "1") == "3"
    assert present.next_unmarked(found, "3") == "1"
    assert present.next_unmarked([found[1]], "2") == ""


@pytest.mark.parametrize(("text", "marks"), [("3,5", "3.5"), ("0", "0"), ("-1", "-1"), ("x", None), ("1.234", None)])
def test_typed_marks_have_at_most_two_decimals(text: str, marks: str | None) -> None:
    assert present.typed_marks(text) == (None if marks is None else Decimal(marks))
    answer = AnswerToMark(max_marks=Decimal(5))
    assert (present.fault_of_marks(answer, text) == "") is (marks is not None and not marks.startswith("-"))


RUBRIC = (Criterion(criterion="Argument (1)", points=Decimal(3)), Criterion(criterion="Language", points=Decimal(2)))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("2+1.5", ""),
        ("5", ""),
        ("2+3", "Type one number for each criterion: Argument (1) 0 to 3, Language 0 to 2."),
        ("2+1+1", "Type one number for each criterion: Argument (1) 0 to 3, Language 0 to 2."),
        ("6", "Type marks from 0 to 5."),
    ],
)
def test_marks_that_do_not_fit_are_told_where_they_are_typed(text: str, fault: str) -> None:
    assert present.fault_of_marks(AnswerToMark(max_marks=Decimal(5), rubric=RUBRIC), text) == fault


def test_a_question_that_is_marked_automatically_may_get_negative_marks() -> None:
    assert present.fault_of_marks(AnswerToMark(max_marks=Decimal(4), automatic=True), "-1") == ""


def test_points_need_a_rubric() -> None:
    fault = present.fault_of_marks(AnswerToMark(max_marks=Decimal(5)), "2+1")
    assert fault == "This question has no rubric. Type its marks as one number."


@pytest.mark.parametrize(
    ("comment", "parts"),
    [
        ("Argument (1) 2/3 · Language 1.5/2", ("Argument (1) 2/3 · Language 1.5/2", "")),
        ("Argument (1) 2/3 · Language 1.5/2\nGood.", ("Argument (1) 2/3 · Language 1.5/2", "Good.")),
        ("Language 1.5/2", ("", "Language 1.5/2")),
        ("Good.\nBut short.", ("", "Good.\nBut short.")),
    ],
)
def test_the_points_of_the_rubric_are_told_from_the_comment(comment: str, parts: tuple[str, str]) -> None:
    assert present.parts_of_comment(AnswerToMark(rubric=RUBRIC, comment=comment)) == parts
    assert present.parts_of_comment(AnswerToMark(comment=comment)) == ("", comment)


def with_rubric(world: World) -> None:
    with world.database.write() as session:
        essay = session.query(tables.Question).filter_by(kind="E").one()
        essay.rubric = [{"criterion": "Argument", "points": "3"}, {"criterion": "Language", "points": "2"}]


async def test_points_of_a_rubric_are_typed_as_the_screen_says(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    with_rubric(world)
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.see("Type the points of each, such as 2+1.5.")
        await run.press("2", "+", "9")
        assert kept(world) == []
        await run.press("enter")
        await run.see("Language 0 to 2.")
        await run.press("backspace", "1", "enter")
        await run.see("3/5 marks", "Points: Argument 2/3 · Language 1/2")
    assert kept(world) == [(Decimal(3), "Argument 2/3 · Language 1/2", "", False, "staff")]


async def test_a_comment_stays_apart_from_the_points_and_outlives_them(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    with_rubric(world)
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.press("2", "+", "1", "enter")
        await run.see("Points: Argument 2/3")
        await run.press("c", *"Good", "enter")
        await run.see("Comment: Good")
        await run.until(lambda: [row[1] for row in kept(world)] == ["Argument 2/3 · Language 1/2\nGood"])
        await run.press("3", "+", "1", "enter")
        await run.until(lambda: [row[1] for row in kept(world)] == ["Argument 3/3 · Language 1/2\nGood"])
        await run.press("f")
        await run.until(lambda: [row[:2] for row in kept(world)] == [(Decimal(5), "Good")])


async def test_marks_from_ten_are_typed_whole(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    with world.database.write() as session:
        session.query(tables.Question).filter_by(kind="E").one().marks = Decimal(12)
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.press("1", "0", "enter")
        await run.see("10/12 marks")
    assert [row[0] for row in kept(world)] == [Decimal(10)]


async def test_second_marks_hide_the_first_ones_and_points_add_up(world: World, tmp_path: Path) -> None:
    await with_essays(world)
    with_rubric(world)
    async with served(world, "staff", tmp_path) as run:
        await to_marking(run)
        await run.see("Rubric: Argument 3, Language 2.")
        await run.press("m")
        await run.see("or the points of each", "criterion")
        await run.type("2+1.5")
        await run.press("enter")
        await run.see("3.5/5", "Points: Argument 2/3")
        await run.press("d")
        await run.see("Second marks: –/5. The first marks are")
        assert "3.5/5" not in run.text()
        await run.press("1", "enter")
        await run.see("Another person must have given the first marks")
    with world.database.write() as session:
        (draft,) = session.query(tables.HandMark).all()
        draft.by = "meera"
    async with served(world, "staff", tmp_path / "again") as run:
        await run.press("m")
        await run.see("For staff")
        await run.press("end", "enter")
        await run.see("Essays")
        await run.press("enter")
        await run.see("Mark by hand")
        await run.press("down", "down", "enter")
        await run.see("1 of 2 marked")
        await run.press("d", "1", "enter")
        await run.see("Second marks: 1/5.", "1 of 2 with second marks")
        await run.press("d")
        await run.see("3.5|1/5")
        await run.press("4", "enter")
        await run.see("4/5 marks.")
    with world.database.read() as session:
        assert session.query(tables.SecondMark).count() == 0
    assert [row[0] for row in kept(world)] == [Decimal(4)]
