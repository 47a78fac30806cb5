"""Questions are imported into banks, and exams draw from them."""

from pathlib import Path
from typing import Any

import pytest

from lms_tui.cli import main
from tests.cli.test_exam_settings import Institute
from tests.service.service_world import copy_database

OPTICS = """\
questions:
  - {question: What is a lens?, answer: x, subject: Physics / Optics, difficulty: easy, marks: 7}
  - {question: What is a prism?, answer: x, subject: Physics / Optics, difficulty: easy}
  - {question: What is a photon?, answer: x, subject: Physics / Optics, difficulty: hard}
"""
HEAT = "questions:\n  - {question: What is heat?, answer: x, subject: Physics / Heat, difficulty: easy}\n"
DRAWS = """\
title: Test
marks: 2
questions:
  - {pick: 1, bank: physics, subject: physics/optics, difficulty: easy}
  - {pick: 1, bank: physics}
"""


@pytest.fixture
def institute(tmp_path: Path, capsys: pytest.CaptureFixture[str], prepared_file: Path) -> Institute:
    copy_database(prepared_file, tmp_path / "data" / "service")
    return Institute(tmp_path, capsys)


def take_in(institute: Institute, name: str, text: str, *more: str) -> dict[str, Any]:
    file = institute.folder / name
    file.write_text(text, encoding="utf-8")
    (row,) = institute.ask("import", str(file), "--course", "Physics", *more)
    found: dict[str, Any] = row
    return found


def shown(institute: Institute, slug: str) -> list[str]:
    return [question["text"] for question in institute.ask("show", slug)["questions"]]


def test_a_bank_holds_the_questions_of_its_files(institute: Institute) -> None:
    made = take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    assert made == {
        "outcome": "created",
        "bank": "physics",
        "course": "Physics",
        "file": "optics.yaml",
        "questions": 3,
        "questions_of_bank": 3,
    }
    assert take_in(institute, "heat.yaml", HEAT, "--bank", "physics")["questions_of_bank"] == 4
    assert take_in(institute, "heat.yaml", HEAT, "--bank", "physics")["outcome"] == "unchanged"
    changed = take_in(institute, "optics.yaml", OPTICS.replace("lens", "mirror"), "--bank", "physics")
    assert (changed["outcome"], changed["questions_of_bank"]) == ("updated", 4)
    assert shown(institute, "physics") == [
        "What is a mirror?",
        "What is a prism?",
        "What is a photon?",
        "What is heat?",
    ]


def test_a_dry_run_leaves_the_bank_as_it_was(institute: Institute) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    assert take_in(institute, "heat.yaml", HEAT, "--bank", "physics", "--dry-run")["questions_of_bank"] == 4
    assert len(shown(institute, "physics")) == 3


def test_banks_are_listed_apart_from_exams(institute: Institute) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    assert institute.ask("list") == []
    assert [row["slug"] for row in institute.ask("list", "--banks")] == ["physics"]


@pytest.mark.parametrize("command", [["publish", "physics", "--public"], ["set", "physics", "--publish"]])
def test_no_student_sees_a_bank(institute: Institute, command: list[str]) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    assert "physics is a question bank, and not an exam." in institute.refused(*command)[0]
    file = institute.folder / "exam.yaml"
    file.write_text(HEAT, encoding="utf-8")
    replaced = institute.refused("import", str(file), "--course", "Physics", "--slug", "physics")
    assert "physics is a question bank, and not an exam." in replaced[0]
    assert len(shown(institute, "physics")) == 3


def test_an_exam_is_no_bank(institute: Institute) -> None:
    take_in(institute, "physics.yaml", HEAT)
    file = institute.folder / "optics.yaml"
    file.write_text(OPTICS, encoding="utf-8")
    said = institute.refused("import", str(file), "--course", "Physics", "--bank", "physics")
    assert said[0] == "lms-tui: physics is an exam, and not a question bank."


def test_an_exam_draws_by_subject_and_difficulty(institute: Institute) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    take_in(institute, "heat.yaml", HEAT, "--bank", "physics", "--tag", "new")
    row = take_in(institute, "test.yaml", DRAWS, "--publish", "--public")
    assert (row["outcome"], row["questions"]) == ("created", 2)
    assert shown(institute, "test") == ["What is a lens?", "What is a prism?", "What is a photon?", "What is heat?"]
    target = institute.folder / "out.yaml"
    institute.ask("export", "test", str(target))
    written = target.read_text("utf-8")
    assert (written.count("pick: '1'"), written.count("- new"), written.count("\nmarks:")) == (2, 1, 1)


def test_a_changed_bank_reaches_an_exam_that_is_imported_again(institute: Institute) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    take_in(institute, "test.yaml", DRAWS)
    assert take_in(institute, "test.yaml", DRAWS)["outcome"] == "unchanged"
    take_in(institute, "heat.yaml", HEAT, "--bank", "physics")
    assert len(shown(institute, "test")) == 3
    assert take_in(institute, "test.yaml", DRAWS)["outcome"] == "updated"
    assert len(shown(institute, "test")) == 4


def test_a_copy_of_an_exam_draws_too(institute: Institute) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    take_in(institute, "test.yaml", DRAWS)
    (row,) = institute.ask("copy", "test", "second")
    assert row["questions"] == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("questions:\n  - {pick: 1, bank: maths}\n", "There is no question bank maths."),
        (
            "questions:\n  - {pick: 3, bank: physics, subject: Physics / Optics, difficulty: easy}\n",
            "The bank physics (Physics / Optics, easy) has 2 questions to draw, and the exam wants 3.",
        ),
        (
            "questions:\n  - {pick: 1, bank: physics}\n  - {pick: 1, bank: physics, difficulty: easy}\n",
            "The bank physics (easy) has 0 questions to draw, and the exam wants 1.",
        ),
    ],
)
def test_an_exam_that_cannot_draw_is_refused(institute: Institute, text: str, told: str) -> None:
    take_in(institute, "optics.yaml", OPTICS, "--bank", "physics")
    file = institute.folder / "test.yaml"
    file.write_text(text, encoding="utf-8")
    assert institute.refused("import", str(file), "--course", "Physics")[0] == f"lms-tui: {told}"
    assert institute.ask("list") == []


def test_settings_belong_to_exams(institute: Institute) -> None:
    file = institute.folder / "optics.yaml"
    file.write_text(OPTICS, encoding="utf-8")
    given = ("import", str(file), "--course", "Physics")
    code, _, err = institute.run(*given, "--bank", "physics", "--publish")
    assert (code, err.splitlines()[0]) == (1, "lms-tui: A question bank has no settings and no batches.")
    code, _, err = institute.run(*given, "--tag", "easy")
    assert (code, err.splitlines()[0]) == (1, "lms-tui: --tag needs --bank.")


def test_an_exam_of_a_bank_cannot_be_tried_from_its_file(institute: Institute) -> None:
    file = institute.folder / "test.yaml"
    file.write_text(DRAWS, encoding="utf-8")
    assert main(["try", str(file), "--plain", "--data-dir", str(institute.data)]) == 1
