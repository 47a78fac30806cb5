"""An exam of a school from its file to the corrected results, by the commands and a real service.

30 students take it. Two have more time, one loses the line, one essay is disputed, and one key was wrong.
"""

import asyncio
import csv
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from python_calamine import CalamineWorkbook

from lms_tui.cli import main
from lms_tui.client.port import TOKEN_PATH
from lms_tui.runtime.service_process import ServiceProcess
from tests.fakes.json_output import told
from tests.fakes.tutorials import file, sections

pytestmark = pytest.mark.slow

EXAM: Final = """\
title: Final exam
duration: 40 min
marks: 4
negative marks: 1
questions:
  - question: 1 + 1?
    options: [{right: 2}, 3, 4]
  - question: What is $g$ in m/s²?
    number: 9.81 ± 0.02
  - question: The capital of Australia?
    options: [{right: Sydney}, Canberra, Perth]
  - question: Explain the tides.
    essay: yes
    rubric: {Content: 7, Language: 3}
    marks: 10
    negative marks: 0
"""
STUDENTS: Final = [f"student{number:02}" for number in range(1, 31)]
MORE_TIME: Final = {"student01": "0:50:00", "student02": "0:55:00"}
"""Their time limits of 40 minutes by a factor of 1.25, and with 15 minutes more."""
LOST: Final = "student03"
DISPUTED: Final = "student04"


def plan(name: str) -> tuple[int, str, int, str]:
    """What a student answers: two options by their place, a number and a text."""
    number = int(name[-2:])
    return number % 3, "9.81" if number % 2 else "9.5", 1 if number % 5 else 0, f"The moon pulls, says {name}."


def marks(name: str, *, capital: int, essay: Decimal) -> Decimal:
    """What the answers are worth, computed here a second time. `capital`: the place of the right option."""
    first, number, third, _ = plan(name)
    right = (first == 0, number == "9.81", third == capital)
    return sum((Decimal(4) if each else Decimal(-1) for each in right), Decimal()) + essay


def essay_marks(name: str) -> Decimal:
    return Decimal(int(name[-2:]) % 11)


@dataclass
class School:
    folder: Path
    database_url: str
    capsys: pytest.CaptureFixture[str]

    @property
    def where(self) -> tuple[str, ...]:
        return ("--data-dir", str(self.folder), *(("--database-url", self.database_url) if self.database_url else ()))

    def ask(self, *command: str) -> Any:
        """Run a command of the instructor in this process, and return what it prints as JSON."""
        code = main([*command, "--json", *self.where])
        said = self.capsys.readouterr()
        assert code == 0, said.err
        return told(said.out, *command)

    def results(self, name: str) -> dict[str, dict[str, str]]:
        """Write the results to a CSV file, and return its rows by user name."""
        target = self.folder / f"{name}.csv"
        self.ask("exam", "results", "final", "--csv", str(target))
        with target.open(encoding="utf-8-sig", newline="") as stream:
            return {row["username"]: row for row in csv.DictReader(stream)}


@dataclass
class Student:
    """A student's program, as far as the service sees it."""

    http: httpx.AsyncClient
    name: str
    attempt: str = ""

    async def begin(self, password: str) -> dict[str, Any]:
        reply = await self.http.post(TOKEN_PATH, json={"username": self.name, "password": password})
        self.http.headers["Authorization"] = f"JWT {reply.raise_for_status().json()['token']}"
        made = (await self.http.post("/api/v2.2/exams/final/attempts/")).raise_for_status().json()
        self.attempt = f"/api/v2.2/attempts/{made['id']}/"
        return await self.put("start/")

    async def put(self, path: str, body: object = None) -> dict[str, Any]:
        reply = (await self.http.put(f"{self.attempt}{path}", json=body)).raise_for_status()
        found: dict[str, Any] = reply.json()
        return found

    async def answer(self, *places: int) -> None:
        """Answer the questions of these places as planned."""
        shown = (await self.http.get(f"{self.attempt}questions/")).raise_for_status().json()["results"]
        first, number, third, essay = plan(self.name)
        options = [[option["id"] for option in question["question"]["answers"]] for question in shown]
        bodies: list[dict[str, object]] = [
            {"selected_answers": [options[0][first]]},
            {"short_text": number},
            {"selected_answers": [options[2][third]]},
            {"essay_text": essay},
        ]
        for place in places:
            await self.put(f"questions/{shown[place]['id']}/", bodies[place])

    async def result(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.http.get(self.attempt)).raise_for_status().json()
        return found


PAGE: Final = "tutorial-instructor.md"


def write_files_of_tutorial() -> None:
    assert file(PAGE, "yaml") == EXAM
    Path("final.yaml").write_text(EXAM, encoding="utf-8")
    lines = [f"{name},Student,{name[-2:]},Evening" for name in STUDENTS[:4]]
    Path("people.csv").write_text("\n".join(["username,first_name,last_name,batches", *lines]), encoding="utf-8")


def first_passwords(handout: Path) -> dict[str, str]:
    with handout.open(encoding="utf-8", newline="") as stream:
        return {row["username"]: row["password"] for row in csv.DictReader(stream)}


async def test_the_commands_of_the_tutorial_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files_of_tutorial()

    def run(commands: list[list[str]]) -> str:
        for command in commands:
            assert main(command) == 0, (command, capsys.readouterr().err)
        return capsys.readouterr().out

    written, people, watched, marked, corrected, results = (each.commands for each in sections(PAGE))
    run(written)
    run(people)
    passwords = first_passwords(Path("passwords.csv"))
    service = ServiceProcess(("--data-dir", str(tmp_path / "school")), tmp_path / "service.log")
    address = await service.start()
    students = [Student(httpx.AsyncClient(base_url=address, timeout=60), name) for name in STUDENTS[:4]]
    try:
        for student in students:
            await student.begin(passwords[student.name])
            await student.answer(0, 1, 2, 3)
        assert "running" in run(watched)
        for student in students:
            await student.put("end/")
        run(marked)
        assert "correct" in run(corrected[:1])
        run(corrected[1:])
        assert "question.correct" in run(results)
        assert Decimal((await students[3].result())["score"]) == marks(students[3].name, capital=1, essay=Decimal(8))
    finally:
        for student in students:
            await student.http.aclose()
        service.stop()


@pytest.fixture
def school(tmp_path: Path, database_url: str, capsys: pytest.CaptureFixture[str]) -> School:
    return School(tmp_path, database_url, capsys)


def _prepare(school: School) -> dict[str, str]:
    """Make the exam and the people. Return the first passwords by user name."""
    file, people, handout = (school.folder / name for name in ("final.yaml", "people.csv", "passwords.csv"))
    assert main(["exam", "new", str(file)]) == 0
    assert main(["exam", "check", str(file)]) == 0
    file.write_text(EXAM, encoding="utf-8")
    assert main(["exam", "check", str(file)]) == 0
    school.capsys.readouterr()
    lines = [f"{name},Student,{name[-2:]},Evening" for name in STUDENTS]
    people.write_text("\n".join(["username,first_name,last_name,batches", *lines]), encoding="utf-8")
    assert len(school.ask("user", "import", str(people), "--passwords", str(handout))) == len(STUDENTS)
    (row,) = school.ask("exam", "import", str(file), "--course", "Science", "--batch", "Evening")
    assert (row["retakes"], row["answers"], row["questions"]) == ("none", "always", 4)
    school.ask("user", "allow", "student01", "--factor", "1.25")
    school.ask("user", "allow", "student02", "--minutes", "15")
    return first_passwords(handout)


async def test_a_school_sets_watches_marks_and_mends_an_exam(school: School) -> None:
    passwords = _prepare(school)
    service = ServiceProcess(school.where, school.folder / "service.log")
    address = await service.start()
    students = [Student(httpx.AsyncClient(base_url=address, timeout=60), name) for name in STUDENTS]
    try:
        await _take(school, students, passwords)
        await _mark_and_mend(school, students)
    finally:
        for student in students:
            await student.http.aclose()
        service.stop()


async def _take(school: School, students: list[Student], passwords: dict[str, str]) -> None:
    begun = await asyncio.gather(*(student.begin(passwords[student.name]) for student in students))
    for student, attempt in zip(students, begun, strict=True):
        limit = MORE_TIME.get(student.name, "0:40:00")
        assert attempt["remaining_time"][:4] in {limit[:4], f"0:{int(limit[2:4]) - 1}"}, student.name

    # One student loses the line after the first answer. All others go on.
    lost = next(student for student in students if student.name == LOST)
    others = [student for student in students if student is not lost]
    await lost.answer(0)
    await asyncio.gather(*(student.answer(0, 1, 2, 3) for student in others))

    # The instructor gives everyone ten minutes, and the apps hear of it with a heartbeat.
    before = await others[-1].put("heartbeat/")
    assert len(school.ask("exam", "time", "final", "--add", "10")) == len(students)
    after = await others[-1].put("heartbeat/")
    assert _minutes(after["remaining_time"]) - _minutes(before["remaining_time"]) in {9, 10}
    board = {row["username"]: row for row in school.ask("exam", "board", "final")}
    assert (board[LOST]["answered"], board[LOST]["questions"]) == (1, 4)

    # The student with the lost line comes back and answers the rest.
    await lost.put("start/")
    await lost.answer(1, 2, 3)
    await asyncio.gather(*(student.put("end/") for student in students))
    results = school.results("first")
    assert set(results) == set(STUDENTS)


def _minutes(time: str) -> int:
    hours, minutes, _ = time.split(":")
    return int(hours) * 60 + int(minutes)


async def _mark_and_mend(school: School, students: list[Student]) -> None:
    # Marks by hand count when they are released.
    for name in STUDENTS:
        school.ask("exam", "mark", "final", "--user", name, "--question", "4", "--marks", str(essay_marks(name)))
    unmarked = {student.name: (await student.result())["score"] for student in students[:3]}
    for name, score in unmarked.items():
        assert Decimal(score) == marks(name, capital=0, essay=Decimal())
    school.ask("exam", "mark", "final", "--release")
    for student in students[:3]:
        want = marks(student.name, capital=0, essay=essay_marks(student.name))
        assert Decimal((await student.result())["score"]) == want

    # A student disputes the marks, and gets two more.
    disputed = {name: essay_marks(name) + (2 if name == DISPUTED else 0) for name in STUDENTS}
    school.ask(
        "exam", "mark", "final", "--user", DISPUTED, "--question", "4", "--marks", str(disputed[DISPUTED]),
        "--comment", "The second part is right.", "--reason", "Marked again after a complaint.", "--release",
    )  # fmt: skip

    # The key of question 3 was wrong. First the instructor sees whose score changes.
    changes = school.ask("exam", "correct", "final", "3", "--key", "B")
    assert len(changes) == len(STUDENTS)
    scores = await asyncio.gather(*(student.result() for student in students))
    for student, result in zip(students, scores, strict=True):
        assert Decimal(result["score"]) == marks(student.name, capital=0, essay=disputed[student.name])
    school.ask("exam", "correct", "final", "3", "--key", "B", "--yes")
    scores = await asyncio.gather(*(student.result() for student in students))
    right = {name: marks(name, capital=1, essay=disputed[name]) for name in STUDENTS}
    for student, result in zip(students, scores, strict=True):
        assert Decimal(result["score"]) == right[student.name]
    rows = school.results("last")
    assert {name: Decimal(row["score"]) for name, row in rows.items()} == right
    target = school.folder / "last.xlsx"
    school.ask("exam", "results", "final", "--xlsx", str(target))
    (head, *cells) = CalamineWorkbook.from_path(str(target)).get_sheet_by_name("Results").to_python()
    assert {row[head.index("username")]: Decimal(str(row[head.index("score")])) for row in cells} == right

    # Everything that the instructor did is in the audit.
    done = {line["what"] for line in school.ask("audit")}
    assert {"exam.import", "exam.time"} <= done
    assert any("mark" in what for what in done)
    assert any("correct" in what for what in done)
