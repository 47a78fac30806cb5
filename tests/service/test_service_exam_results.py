"""The results of an exam: a row for each attempt, for staff, and as text, JSON, CSV and XLSX."""

import csv
import io
import os
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from python_calamine import CalamineWorkbook
from sqlalchemy import event

from lms_tui.cli import main
from lms_tui.service.core.database.tables import Exam
from lms_tui.service.grading.gradebook import Kind, as_bytes, as_row, gradebook_of
from lms_tui.service.grading.result_files import Sheet, write_csv
from lms_tui.service.grading.results import AttemptResult, Column, ExamResults, Given
from tests.fakes.json_output import told
from tests.service.class_oracle import rankings_by_hand
from tests.service.service_world import START, Caller, World, choice, every_kind, exam_of
from tests.service.shapes import assert_page, person

RESULTS = "/api/v2.5/admin/exams/{}/results/"
NULL = type(None)
ANSWERS: dict[str, dict[str, Any]] = {
    "S": {},
    "D": {"short_text": "=1+1"},
    "E": {"essay_text": "Two\nlines"},
    "G": {"gap_fill_responses": [{"order": "1", "answer": "a"}, {"order": "2", "answer": "sea"}]},
}


async def take(world: World, caller: Caller, slug: str, right: int, *, ends: bool = True) -> int:
    """Answer the first questions right and the next one wrong."""
    attempt = await caller.create(slug)
    for number, (question, key) in enumerate(world.right_answers(attempt).items()):
        if number <= right:
            await caller.answer(attempt, question, *(key if number < right else [world.wrong_answer(question)]))
    world.clock.move(minutes=3)
    if ends:
        await caller.put(f"/api/v2.2/attempts/{attempt}/end/")
    return attempt


def read(world: World, slug: str = "sums") -> list[AttemptResult]:
    with world.database.read() as session:
        return list(ExamResults(session, session.query(Exam).filter_by(slug=slug).one()).attempts())


@pytest.fixture
def sat(world: World) -> World:
    """An exam of two subjects, each with its own marks."""
    subjects = (("Maths", "Sums"), ("Maths", "Sums"), ("Physics",))
    questions = (choice(f"Sum {n}", subject=path, marks=Decimal(n + 2)) for n, path in enumerate(subjects))
    world.add_exam(exam_of(*questions, max_retakes=-1))
    return world


async def test_a_row_has_marks_counts_times_and_the_rank(sat: World, asha: Caller, ravi: Caller) -> None:
    await take(sat, ravi, "sums", 1)
    await take(sat, asha, "sums", 2)
    first, second = read(sat)
    assert (first.name, first.username, first.score, first.max_score, first.percentage) == (
        *("Asha Nair", "asha", Decimal(4), Decimal(9), "44.44"),
    )
    assert (first.correct, first.incorrect, first.unanswered, first.waiting) == (2, 1, 0, 0)
    assert (second.username, second.score, second.unanswered) == ("ravi", Decimal(1), 1)
    assert [str(row.time_taken) for row in (first, second)] == ["0:03:00", "0:03:00"]
    with sat.database.read() as session:
        assert {row.id: row.ranking for row in (first, second)} == rankings_by_hand(session)


async def test_subjects_have_their_marks_and_questions_their_answers(sat: World, asha: Caller) -> None:
    attempt = await take(sat, asha, "sums", 2)
    with sat.database.read() as session:
        results = ExamResults(session, session.query(Exam).one())
        (row,) = results.of([attempt])
    assert row.by_subject(results.columns) == {"Maths / Sums": Decimal(5), "Physics": Decimal(-1)}
    given = [row.answers[column.id] for column in results.columns]
    assert [(one.answer, one.outcome, one.marks) for one in given] == [
        ("A", "correct", Decimal(2)),
        ("A", "correct", Decimal(3)),
        ("B", "incorrect", Decimal(-1)),
    ]


async def test_a_running_attempt_has_no_marks_yet(sat: World, asha: Caller) -> None:
    await take(sat, asha, "sums", 1, ends=False)
    (row,) = read(sat)
    assert (row.state, row.ended, row.ranking) == ("Running", None, None)
    assert {given.marks for given in row.answers.values()} == {None}


async def test_every_type_is_a_text_and_essays_wait_for_a_person(world: World, asha: Caller) -> None:
    world.add_exam(every_kind())
    attempt = await asha.create("every-kind")
    for question in await asha.questions(attempt):
        answer = ANSWERS.get(question["question"]["type"])
        if answer:
            await asha.put(f"/api/v2.2/attempts/{attempt}/questions/{question['id']}", answer)
    await asha.put(f"/api/v2.2/attempts/{attempt}/end/")
    (row,) = read(world, "every-kind")
    assert {given.answer for given in row.answers.values()} >= {"", "Two\nlines", "1. a; 2. sea"}
    assert row.waiting == 1


async def count_queries(world: World, caller: Caller) -> int:
    statements: list[str] = []
    engine = world.database._reader

    def note(*given: Any) -> None:
        statements.append(given[2])

    event.listen(engine, "before_cursor_execute", note)
    try:
        await caller.get(RESULTS.format("sums"))
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return len(statements)


async def test_the_number_of_queries_does_not_grow_with_the_attempts(sat: World, asha: Caller) -> None:
    staff = person(sat, "prakash", "moderator")
    await take(sat, asha, "sums", 1)
    few = await count_queries(sat, staff)
    for number in range(5):
        await take(sat, person(sat, f"student{number}", "student"), "sums", number % 3)
    assert await count_queries(sat, staff) == few > 0


async def test_staff_read_pages_of_results(sat: World, asha: Caller) -> None:
    staff = person(sat, "prakash", "moderator")
    for number in range(20):
        await take(sat, person(sat, f"student{number}", "student"), "sums", number % 3)
    await take(sat, asha, "sums", 3)
    page = await staff.get(RESULTS.format("sums"))
    assert (page["count"], len(page["results"])) == (21, 20)
    (row,) = assert_page(
        await staff.get(RESULTS.format("sums") + "?page=2"),
        dict.fromkeys(("username", "display_name", "state", "score", "max_score", "percentage", "date"), str)
        | dict.fromkeys(("id", "rank", "correct_count", "incorrect_count", "unanswered_count", "to_mark"), int)
        | {"ended": (str, NULL), "time_taken": str, "subjects": list, "answers": list},
    )
    assert (row["username"], row["score"], row["percentage"], row["rank"]) == ("asha", "9.00", "100.00", 1)
    assert row["subjects"][0] == {"subject": "Maths / Sums", "marks": "5.00"}
    assert row["answers"][0] == {"question": 1, "answer": "A", "outcome": "correct", "marks": "2.00"}


async def test_results_of_an_unknown_exam_are_not_found(world: World) -> None:
    assert (await person(world, "prakash", "moderator").send("GET", RESULTS.format("nothing"))).status_code == 404


@dataclass
class Shell:
    world: World
    capsys: pytest.CaptureFixture[str]

    def run(self, *options: str, code: int = 0) -> str:
        settings = self.world.settings
        url = ["--database-url", settings.database_url] if settings.database_url else []
        assert main(["exam", "results", "sums", "--data-dir", str(settings.data_dir.parent), *url, *options]) == code
        said = self.capsys.readouterr()
        return said.out + said.err


@pytest.fixture
def shell(sat: World, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(sat, capsys)


async def test_the_command_prints_a_table_json_and_one_student(shell: Shell, asha: Caller, ravi: Caller) -> None:
    await take(shell.world, asha, "sums", 2)
    await take(shell.world, ravi, "sums", 1)
    assert "Asha Nair" in shell.run()
    assert "0:03:00" in shell.run()
    found = told(shell.run("--json"), "exam", "results")
    assert [row["username"] for row in found["results"]] == ["asha", "ravi"]
    assert found["results"][0]["subjects"] == {"Maths / Sums": 5.0, "Physics": -1.0}
    assert found["questions"][2] == {"number": 3, "title": "Sum 2", "type": "R", "subject": "Physics", "marks": 4.0}
    sheet = shell.run("--user", "RAVI")
    assert "Sum 1" in sheet
    assert "asha" not in sheet
    assert "There is no user nobody." in shell.run("--user", "nobody", code=1)


@pytest.mark.parametrize("name", ["=cmd|'/C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1"])
def test_no_text_is_a_formula_in_csv(name: str) -> None:
    column = Column(1, 1, "D", "Sum", f"{name} subject", Decimal(1))
    answers = {1: Given(name, "incorrect", Decimal(-1))}
    ended = (START, START, timedelta(), None, 0, answers)
    row = AttemptResult(1, name, name, "Completed", Decimal(-1), Decimal(1), 0, 1, 0, *ended)
    stream = io.StringIO()
    write_csv(Sheet("Sums", [column], [row], with_answers=True), stream)
    head, written = csv.reader(io.StringIO(stream.getvalue(), newline=""))
    texts = (written[head.index(cell)] for cell in ("name", "username", "answer 1"))
    assert {text[0] for text in texts} == {"'"}
    assert written[head.index("score")] == written[head.index("marks 1")] == "-1", "a number stays a number"


async def test_a_workbook_has_texts_and_numbers_but_no_formulas(shell: Shell, tmp_path: Path, asha: Caller) -> None:
    shell.world.add_user("mallory", first_name="=1+1", last_name="\x1b[31m")
    await take(shell.world, shell.world.caller("mallory"), "sums", 1)
    await take(shell.world, asha, "sums", 3)
    file = tmp_path / "sums.xlsx"
    shell.run("--xlsx", str(file))
    book = CalamineWorkbook.from_path(file)
    head, mallory, _ = book.get_sheet_by_name("Results").to_python()
    assert mallory[0] == "=1+1 ␛[31m"
    assert mallory[head.index("score")] == 1.0
    assert mallory[head.index("marks 1")] == 2.0
    assert book.get_sheet_by_name("Questions").to_python()[1] == [1.0, "Sum 0", "R", "Maths / Sums", 2.0]


async def test_a_file_is_private_and_replaced_only_by_force(shell: Shell, tmp_path: Path, asha: Caller) -> None:
    await take(shell.world, asha, "sums", 3)
    file = tmp_path / "sums.csv"
    shell.run("--csv", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    assert "--force" in shell.run("--csv", str(file), code=1)
    shell.run("--csv", str(file), "--force", "--answers")
    assert file.read_bytes() != before
    assert [name for name in os.listdir(tmp_path) if "sums" in name] == ["sums.csv"]  # noqa: PTH208  # no Path in a coroutine


async def test_the_gradebook_has_the_best_score_of_each_student_in_each_exam(
    sat: World, asha: Caller, ravi: Caller, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sat.clock.move(minutes=1)
    sat.add_exam(exam_of(choice("One"), title="=Second"), start_date=START)
    for right in (1, 3, 0):
        await take(sat, asha, "sums", right)
    await take(sat, ravi, "second", 0)

    def gradebook(*options: str) -> str:
        url = ["--database-url", sat.settings.database_url] if sat.settings.database_url else []
        where = ["--data-dir", str(sat.settings.data_dir.parent), *url]
        assert main(["exam", "gradebook", *options, *where]) == 0
        return capsys.readouterr().out

    book = told(gradebook("--json"), "exam", "gradebook")
    assert [(exam["slug"], exam["max_score"]) for exam in book["exams"]] == [("sums", 9.0), ("second", 4.0)]
    assert [(one["username"], one["scores"]) for one in book["students"]] == [
        ("asha", {"sums": 9.0}),
        ("ravi", {"second": -1.0}),
    ]
    assert list(book["students"][0]) == ["name", "username", "email", "scores", "to_mark"]
    assert "Asha Nair" in gradebook("sums")
    assert "ravi" not in gradebook("sums")
    email = book["students"][0]["email"]
    moodle = list(csv.reader(io.StringIO(gradebook("--moodle", "-"))))
    assert moodle[0] == ["username", "email", "firstname", "lastname", "Sums", "'=Second"]
    assert moodle[1] == ["asha", email, "Asha", "Nair", "9", ""]
    target = tmp_path / "canvas.csv"
    gradebook("--canvas", str(target))
    assert target.read_bytes().startswith(b"Student,")
    canvas = list(csv.reader(io.StringIO(target.read_text(encoding="utf-8"))))
    assert canvas[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sums", "'=Second"]
    assert canvas[1] == ["    Points Possible", "", "", "", "", "9", "4"]
    assert canvas[2] == ["Nair, Asha", "", "", "asha", "", "9", ""]
    assert canvas[3][3:] == ["ravi", "", "", "-1"]
    assert gradebook("--csv", "-").splitlines()[1] == "most marks,,,9,4"
    book = told(gradebook("sums", "--questions", "--json"), "exam", "gradebook")
    assert [exam["slug"] for exam in book["exams"]] == [f"sums-{number}" for number in range(1, len(book["exams"]) + 1)]
    assert sum(exam["max_score"] for exam in book["exams"]) >= 9.0
    (student,) = book["students"]
    assert (student["username"], sum(student["scores"].values())) == ("asha", 9.0)
    moodle = list(csv.reader(io.StringIO(gradebook("second", "--questions", "--moodle", "-"))))
    assert [moodle[0][4:], moodle[1][4:]] == [["'=Second: question 1"], ["-1"]]


async def test_no_two_columns_of_a_gradebook_have_the_same_name(sat: World, asha: Caller) -> None:
    """Gradebooks find a column by its name, and the titles of exams are free."""
    titles = {"first": "Final", "second": "final", "third": "Final (second)", "email": "Email", "name": "Student"}
    for slug, title in titles.items():
        sat.add_exam(exam_of(choice("One"), title=title, slug=slug), start_date=START)
        await take(sat, asha, slug, 1)
    with sat.database.read() as session:
        book = gradebook_of(session, list(titles))
    for kind in Kind:
        head = next(csv.reader(io.StringIO(as_bytes(book, kind).decode("utf-8-sig"))))
        assert len({name.casefold() for name in head}) == len(head), head
        assert "Final (first)" in head
    assert as_row(book, book.lines[0]) == {
        "name": "Asha Nair",
        "username": "asha",
        **dict.fromkeys(["first", "second", "third", "email", "name (exam)"], "4"),
    }
