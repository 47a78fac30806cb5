"""Exam files into an institute and out of it, and how their questions worked, by the commands themselves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from lms_tui.banks.reader import read_exam
from lms_tui.cli import main
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.tables import AttemptQuestion, Question
from lms_tui.service.core.settings import Timing
from lms_tui.service.core.urls import Urls
from tests.fakes.json_output import told
from tests.fakes.students import add_student
from tests.service.service_world import copy_database

EXAM = """\
title: Forces
slug: forces
duration: 30 min
marks: 2
passages:
  train: A train leaves at noon.
sections:
  - name: Motion
    cut off: 1
    questions:
      - question: How far is it?
        passage: train
        options: [{right: 120 km}, 60 km, {wrong: 30 km, weight: -25 %, feedback: You divided.}]
        subject: Physics / Mechanics
        marks: 4
        id: train-1
        tags: [speed]
      - question: What is $g$?
        number: 9.81 ± 0.02
  - name: Heat
    questions:
      - question: Ice of [[1]] g/cm³ [[2]] on water.
        gaps: [{number: 0.92 ± 0.01}, {choices: [floats, sinks], answer: floats}]
      - question: Match.
        match: [{Celsius: 0}, {Kelvin: 273.15}]
"""
NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


class Institute:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys
        self.file = folder / "forces.yaml"
        self.file.write_text(EXAM)

    def run(self, *command: str) -> tuple[int, str, str]:
        code = main(["exam", *command, "--data-dir", str(self.folder / "data")])
        said = self.capsys.readouterr()
        return code, said.out, said.err

    def ask(self, *command: str) -> Any:
        code, out, err = self.run(*command, "--json")
        assert code == 0, err
        return told(out, "exam", *command)

    def refused(self, *command: str) -> str:
        code, out, err = self.run(*command)
        assert (code, out, len(err.splitlines())) == (1, "", 2)
        return err

    def take_in(self, *more: str) -> Any:
        (row,) = self.ask("import", str(self.file), "--course", "Physics", *more)
        return row

    def database(self) -> Database:
        return Database.in_file(self.folder / "data" / "service" / "service.sqlite3")

    def sit(self, name: str, *options: int | None) -> None:
        """Let a student end an attempt: for each question the place of the chosen option, or nothing."""
        database = self.database()
        user_id = add_student(database, name, NOW)
        sitting = StudentAttempts(database, Timing(), Urls(""), user_id, datetime.now(UTC) + timedelta(seconds=1))
        attempt, _ = sitting.create("forces")
        with database.write() as session:
            rows = session.query(AttemptQuestion).filter_by(attempt_id=attempt.id).order_by(AttemptQuestion.order).all()
            for row, place in zip(rows, options, strict=False):
                if place is not None:
                    question = session.get_one(Question, row.question_id)
                    row.selected_answers = [question.options[place].id]
        sitting.end(attempt.id)
        database.close()


@pytest.fixture
def institute(tmp_path: Path, capsys: pytest.CaptureFixture[str], prepared_file: Path) -> Institute:
    copy_database(prepared_file, tmp_path / "data" / "service")
    return Institute(tmp_path, capsys)


def test_importing_the_same_file_again_changes_nothing(institute: Institute) -> None:
    first = institute.take_in("--batch", "Evening", "--public", "--publish")
    assert (first["outcome"], first["slug"], first["questions"], first["duration"]) == (
        "created",
        "forces",
        4,
        "0:30:00",
    )
    again = institute.take_in("--batch", "Evening")
    assert again == {**first, "outcome": "unchanged"}
    assert len(institute.ask("list")) == 1


def test_given_settings_change_and_the_questions_stay(institute: Institute) -> None:
    first = institute.take_in("--unpublished")
    row = institute.take_in(
        "--batch", "Morning", "--end", "2030-01-01T00:00+00:00", "--duration", "45 min", "--publish"
    )
    assert (row["outcome"], row["id"], row["batches"]) == ("updated", first["id"], ["Morning"])
    assert (row["published"], row["end"], row["duration"]) == (True, "2030-01-01T00:00:00+00:00", "0:45:00")


def test_a_new_version_replaces_an_exam_that_was_not_started(institute: Institute) -> None:
    first = institute.take_in()
    institute.file.write_text(EXAM.replace("title: Forces", "title: Forces II").replace("marks: 2", "marks: 3"))
    row = institute.take_in()
    assert (row["outcome"], row["id"], row["title"], row["questions"]) == ("updated", first["id"], "Forces II", 4)
    (shown,) = [q for q in institute.ask("show", "forces")["questions"] if q["number"] == 2]
    assert shown["type"] == "N"


def test_a_new_version_keeps_what_its_file_does_not_say(institute: Institute) -> None:
    first = institute.take_in("--end", "2030-01-01T00:00+00:00")
    assert (first["retakes"], first["answers"]) == ("none", "after-closing")
    institute.file.write_text(EXAM.replace("title: Forces", "title: Forces II"))
    row = institute.take_in()
    assert (row["outcome"], row["retakes"], row["answers"]) == ("updated", "none", "after-closing")
    institute.file.write_text(EXAM.replace("title: Forces", "title: Forces III\nretakes: 3"))
    assert institute.take_in()["retakes"] == "3"


def test_questions_of_a_started_exam_do_not_change(institute: Institute) -> None:
    institute.take_in("--public")
    institute.sit("asha")
    assert institute.take_in("--batch", "Evening")["outcome"] == "updated"
    assert "1 student has started" in institute.refused(
        "import", str(institute.file), "--course", "Physics", "--duration", "1:00:00"
    )
    institute.file.write_text(EXAM.replace("120 km", "121 km"))
    assert "--slug" in institute.refused("import", str(institute.file), "--course", "Physics")
    assert institute.take_in("--slug", "forces-2")["outcome"] == "created"
    assert "120 km" in institute.run("show", "forces", "--plain")[1]


def test_the_same_file_name_in_another_course_is_another_exam(institute: Institute) -> None:
    institute.take_in()
    (row,) = institute.ask("import", str(institute.file), "--course", "Chemistry")
    assert (row["outcome"], row["slug"]) == ("created", "forces-2")
    assert "Another course" in institute.refused(
        "import", str(institute.file), "--course", "History", "--slug", "forces"
    )


def test_an_exam_longer_than_its_window_is_reported(institute: Institute) -> None:
    code, _, err = institute.run(
        "import", str(institute.file), "--course", "Physics",
        "--start", "2026-05-01T09:00+00:00", "--end", "2026-05-01T09:10+00:00",
    )  # fmt: skip
    assert code == 0
    assert "30 min and is open for 10 min only" in err


@pytest.mark.parametrize("name", ["out.yaml", "out.zip", "out.xml", "out.gift"])
def test_an_exported_exam_equals_the_imported_one(institute: Institute, name: str) -> None:
    institute.take_in()
    target = institute.folder / name
    code, _, err = institute.run("export", "forces", str(target))
    assert code == 0
    before = read_exam(institute.file.read_bytes(), "forces.yaml").exam
    after = read_exam(target.read_bytes(), name).exam
    kept = [question for question in before.questions if name != "out.gift" or question.kind != "G"]
    assert [question.kind for question in after.questions] == [question.kind for question in kept]
    assert (f"lms-tui: {name}: " in err) is (name != "out.yaml")
    if name == "out.yaml":
        for mine, theirs in zip(after.sections, before.sections, strict=True):
            assert (mine.name, mine.cut_off, mine.duration) == (theirs.name, theirs.cut_off, theirs.duration)
        fields = (
            "html",
            "options",
            "numbers",
            "texts",
            "pairs",
            "gap_choices",
            "marks",
            "subject",
            "identifier",
            "tags",
        )
        for question, other in zip(after.questions, before.questions, strict=True):
            assert [getattr(question, each) for each in fields] == [getattr(other, each) for each in fields]
            assert question.direction_html == other.direction_html


def test_statistics_have_the_figures_of_each_question(institute: Institute) -> None:
    institute.take_in("--public")
    whole = institute.ask("statistics", "forces")
    assert (whole["attempts"], whole["mean"], whole["questions"][0]["facility"]) == (0, None, None)
    assert "no statistics before" in institute.run("statistics", "forces")[1]
    for number, place in enumerate((0, 0, 1, 2, None)):
        institute.sit(f"student-{number}", place)
    whole = institute.ask("statistics", "forces")
    first, second, *_ = whole["questions"]
    assert (whole["attempts"], whole["highest"], first["answered"]) == (5, 4.0, 4)
    assert first["facility"] == pytest.approx(0.4)
    assert [(choice["count"], choice["share"], choice["correct"]) for choice in first["choices"]] == [
        (2, 0.4, True), (1, 0.2, False), (1, 0.2, False),
    ]  # fmt: skip
    assert second["discrimination"] is None
    text = institute.run("statistics", "forces")[1]
    assert "120 km" in text
    assert "40%" in text


def test_a_missing_exam_is_reported(institute: Institute) -> None:
    institute.take_in()
    for command in (("show", "nothing"), ("statistics", "nothing"), ("export", "nothing", "out.yaml")):
        assert "no exam nothing" in institute.refused(*command)
