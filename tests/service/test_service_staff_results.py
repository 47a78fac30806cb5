"""Results as files, statistics, reviews and marks by hand for staff over HTTP, on both databases."""

import csv
import io
from decimal import Decimal
from typing import Any

import pytest
from python_calamine import CalamineWorkbook
from sqlalchemy import event

from lms_tui.banks.model import Question, TextKey
from lms_tui.service.core.database import tables
from lms_tui.service.exams.statistics import statistics_of
from lms_tui.wire.question_types import QuestionType
from tests.service.service_world import Caller, World, choice, exam_of

EXAM = "/api/v2.5/admin/exams/sums"


@pytest.fixture
def head(world: World) -> Caller:
    world.add_user("head", role="moderator")
    return world.caller("head")


@pytest.fixture
async def taken(world: World, asha: Caller, ravi: Caller) -> dict[str, int]:
    """Two ended attempts of a choice, an essay and a short text. Returns the attempt of each student."""
    world.add_exam(
        exam_of(
            choice("Sum"),
            Question(QuestionType.ESSAY, "<p>Why?</p>", marks=Decimal(5)),
            Question(QuestionType.SHORT, "capital", texts=(TextKey("Chennai"),)),
        )
    )
    return {name: await take(world, caller, name) for name, caller in (("asha", asha), ("ravi", ravi))}


async def take(world: World, caller: Caller, name: str) -> int:
    attempt = await caller.create("sums")
    written = {"E": {"essay_text": f"Because, says {name}"}, "S": {"short_text": "=Madras"}}
    for question in await caller.questions(attempt):
        if body := written.get(question["question"]["type"]):
            await caller.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", body)
    await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return attempt


async def test_the_file_holds_the_results_without_formulas(head: Caller, taken: dict[str, int]) -> None:
    assert taken
    got = await head.send("GET", f"{EXAM}/results/file/?kind=csv&answers=true")
    rows = list(csv.DictReader(io.StringIO(got.content.decode("utf-8-sig"))))
    assert [(row["username"], row["answer 3"], row["to mark"]) for row in rows] == [
        ("asha", "'=Madras", "1"),
        ("ravi", "'=Madras", "1"),
    ]
    got = await head.send("GET", f"{EXAM}/results/file/?kind=xlsx")
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(got.content)).get_sheet_by_index(0).to_python()
    assert [row[1] for row in sheet] == ["username", "asha", "ravi"]
    await head.get(f"{EXAM}/results/file/?kind=pdf", 400)


async def test_the_gradebook_has_an_item_for_each_exam_or_for_each_question(
    head: Caller, taken: dict[str, int]
) -> None:
    assert taken
    path = "/api/v2.5/admin/gradebook/file/"
    got = await head.send("GET", f"{path}?kind=canvas&exam=sums")
    assert got.text.splitlines()[0].split(",")[-1] == "Sums"
    await give(head, taken["asha"], question=2, marks="3.5")
    await head.post(f"{EXAM}/marks/release/", {}, status=200)
    got = await head.send("GET", f"{path}?kind=csv&exam=sums&questions=true")
    rows = list(csv.reader(io.StringIO(got.content.decode("utf-8-sig"))))
    assert rows[0][3:] == [*(f"Sums: question {number}" for number in (1, 2, 3)), "to mark"]
    assert [(row[1], row[4], row[-1]) for row in rows[2:]] == [("asha", "3.5", "0"), ("ravi", "", "1")]
    await head.get(f"{path}?kind=csv&questions=true", 400)
    await head.get(f"{path}?kind=csv&exam=none", 404)
    await head.get(f"{path}?kind=csv" + f"&exam={'n' * 200}" * 20, 404)
    await head.get(f"{path}?kind=csv" + f"&exam={'n' * 200}" * 21, 400)
    await head.get(f"{path}?kind=pdf", 400)


async def test_the_statistics_are_those_of_the_command(world: World, head: Caller, taken: dict[str, int]) -> None:
    assert taken
    told = await head.get(f"{EXAM}/statistics/")
    with world.database.read() as session:
        whole, questions = statistics_of(session, session.query(tables.Exam).one())
    assert {name: told[name] for name in whole} == whole
    assert [row["facility"] for row in told["questions"]] == [row["facility"] for row in questions]
    assert [row["to_mark"] for row in told["questions"]] == [0, 2, 0]


async def test_staff_read_the_review_of_any_ended_attempt(
    world: World, asha: Caller, head: Caller, taken: dict[str, int]
) -> None:
    path = "/api/v2.5/admin/attempts/{}/review/"
    with world.database.write() as session:
        exam = session.query(tables.Exam).one()
        exam.show_answers, exam.allow_retake, exam.max_retakes = False, True, 3
    await asha.get(f"/api/v2.2/attempts/{taken['asha']}/review/", 403)
    told = (await head.get(path.format(taken["asha"])))["results"]
    assert [question["essay_text"] for question in told][1] == "Because, says asha"
    running = await asha.create("sums")
    await head.get(path.format(running), 403)
    await head.get(path.format(4711), 404)


async def to_mark(head: Caller, question: int = 0) -> list[Any]:
    return list((await head.get(f"{EXAM}/answers-to-mark/?question={question}"))["results"])


async def give(head: Caller, attempt: int, status: int = 200, **body: Any) -> Any:
    return await head.put(f"{EXAM}/marks/", {"question": 2, "attempt": attempt, **body}, status)


async def test_marks_are_kept_and_count_once_they_are_released(
    asha: Caller, head: Caller, taken: dict[str, int]
) -> None:
    first, second = await to_mark(head)
    assert (first["name"], first["answer"], first["question_html"]) == (
        *("Asha Nair", "Because, says asha", "<p>Why?</p>"),
    )
    assert (first["marks"], first["max_marks"], first["automatic"]) == (None, "5.00", False)
    given = await give(head, taken["asha"], marks=3.5, comment="Good idea")
    assert (given["marks"], given["comment"], given["is_released"]) == ("3.50", "Good idea", False)
    assert (await asha.get(f"/api/v2.2/attempts/{taken['asha']}/"))["score"] == "-1.00"
    assert await head.post(f"{EXAM}/marks/release/", {}, status=200) == {"released": 1, "to_mark": 1}
    assert (await asha.get(f"/api/v2.2/attempts/{taken['asha']}/"))["score"] == "2.50"
    assert [(row["marks"], row["is_released"]) for row in await to_mark(head)] == [("3.50", True), (None, False)]
    assert second["username"] == "ravi"


async def test_short_texts_take_other_marks_with_a_reason(head: Caller, taken: dict[str, int]) -> None:
    first, _ = await to_mark(head, 3)
    assert (first["answer"], first["automatic"]) == ("=Madras", True)
    refused = await give(head, taken["asha"], 400, question=3, marks=4)
    assert list(refused) == ["reason"]
    given = await give(head, taken["asha"], question=3, marks=4, reason="The old name is right too")
    assert given["marks"] == "4.00"


@pytest.mark.parametrize("marks", [6, -1, 1.234, "x"])
async def test_marks_that_a_question_cannot_have_are_refused(head: Caller, taken: dict[str, int], marks: Any) -> None:
    assert list(await give(head, taken["asha"], 400, marks=marks)) == ["marks"]


@pytest.mark.parametrize(
    ("path", "per_page"),
    [
        ("/results/", 20),
        ("/results/file/?kind=csv&answers=true", 0),
        ("/statistics/", 0),
        ("/answers-to-mark/", 50),
        ("/answers-to-mark/?question=3", 50),
        ("/board/", 0),
        ("/../../gradebook/file/?kind=csv", 0),
        ("/../../gradebook/file/?kind=csv&exam=sums&questions=true", 0),
    ],
)
async def test_the_queries_do_not_grow_with_the_students(
    world: World, head: Caller, taken: dict[str, int], path: str, per_page: int
) -> None:
    assert taken
    few = await counted(world, head, path)
    for name in ("meera", "imran", "zoya"):
        world.add_user(name)
        await take(world, world.caller(name), name)
    assert await counted(world, head, path) == few
    if per_page:
        page = await head.send("GET", EXAM + path)
        assert (page.json()["per_page"], page.json()["count"]) == (per_page, 5)


async def counted(world: World, head: Caller, path: str) -> int:
    queries: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        queries.append(statement)

    engine = world.database._reader
    event.listen(engine, "before_cursor_execute", note)
    assert (await head.send("GET", EXAM + path)).status_code == 200
    event.remove(engine, "before_cursor_execute", note)
    return len(queries)
