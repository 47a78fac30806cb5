"""Exams on paper: versions, and the keys that belong to them."""

import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from lms_tui.banks.model import Exam, Option, Pair, Question, Section, TextKey
from lms_tui.cli import main
from lms_tui.service.papers import typesetter
from lms_tui.service.papers.exam_paper import Sheets, Version, versions
from lms_tui.wire.question_types import QuestionType

QUESTION = Question(
    QuestionType.SINGLE, "Which?", (*(Option(f"wrong {at}") for at in range(3)), Option("right", correct=True))
)
LAST = Option("None of the above")
EXAM = Exam(
    "Paper",
    (
        Section("One", tuple(Question(QuestionType.SINGLE, f"Q{at}", (*QUESTION.options, LAST)) for at in range(6))),
        Section("Two", (Question(QuestionType.GAPS, "[[1]]?", texts=(TextKey("sea", 1),)),)),
    ),
)


def text_of(data: bytes) -> list[str]:
    return [re.sub(r"\s+", " ", page.extract_text()) for page in PdfReader(io.BytesIO(data)).pages]


def key_of(version: Version) -> str:
    return " ".join(text_of(typesetter.printed(Sheets(version).key)))


def test_each_version_has_its_own_name_and_order_and_the_first_that_of_the_file() -> None:
    made = versions(EXAM, 26)
    assert len({version.name for version in made}) == 26
    assert made[0].exam == EXAM
    orders = {tuple(question.html for question in version.exam.questions) for version in made}
    assert len(orders) > 20
    assert all([section.name for section in version.exam.sections] == ["One", "Two"] for version in made)


def test_the_same_file_gives_the_same_versions_and_another_file_other_names() -> None:
    other = Exam("Paper 2", EXAM.sections)
    assert versions(EXAM, 3) == versions(EXAM, 3)
    assert not {version.name for version in versions(EXAM, 3)} & {version.name for version in versions(other, 3)}


def test_the_key_names_the_letters_of_its_own_version() -> None:
    for version in versions(EXAM, 3):
        letters = [
            "ABCDE"[[option.correct for option in question.options].index(True)]
            for question in version.exam.questions
            if question.options
        ]
        told = key_of(version)
        assert version.name in told
        assert [found[1] for found in re.finditer(r"\d ([A-E]) 1\b", told)] == letters
        assert "1: sea" in told


def test_an_option_about_the_others_keeps_its_place() -> None:
    assert all(
        question.options[-1] == LAST for version in versions(EXAM, 8) for question in version.exam.sections[0].questions
    )


def test_every_page_of_paper_and_answer_sheet_has_the_name_of_the_version_also_in_large_print() -> None:
    version = versions(EXAM, 2)[1]
    for large in (False, True):
        sheets = Sheets(version, large=large)
        for markup in (sheets.paper, sheets.answers):
            assert all(version.name in page for page in text_of(typesetter.printed(markup)))


def test_a_match_has_its_letters_in_paper_and_key() -> None:
    pairs = (Pair("cat", "purr"), Pair("dog", "bark"), Pair("", "moo"))
    (version,) = versions(Exam("M", (Section("", (Question(QuestionType.MATCH, "Match", pairs=pairs),)),)), 1)
    assert "A. bark B. moo C. purr" in " ".join(text_of(typesetter.printed(Sheets(version).paper)))
    assert "1 C; 2 A" in key_of(version)


def test_questions_that_are_drawn_are_those_of_the_version() -> None:
    drawn = tuple(Question(QuestionType.SINGLE, f"Q{at}", QUESTION.options, pool=1) for at in range(20))
    made = versions(Exam("Drawn", (Section("", drawn),), picks=(3,)), 5)
    assert [len(version.exam.questions) for version in made] == [3] * 5
    assert len({frozenset(question.html for question in version.exam.questions) for version in made}) > 1


def test_the_command_writes_paper_answer_sheet_and_key_of_each_version(tmp_path: Path) -> None:
    file = tmp_path / "quiz.gift"
    file.write_text("Which? {=a ~b}\n")
    assert main(["exam", "paper", str(file), str(tmp_path), "--versions", "2", "--large-print"]) == 0
    names = [path.name for path in tmp_path.glob("*.pdf")]
    assert sorted(re.sub(r"-([AB])-\w{4}-", r" \1 ", name) for name in names) == [
        f"quiz {version} {what}.pdf"
        for version in "AB"
        for what in ("answers-large", "answers", "key", "paper-large", "paper")
    ]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which? {=a ~b}\n", ["--versions", "27"]),
        ("Which? {~a ~b}\n", []),
        ("title: T\nquestions:\n  - pick: 2\n    bank: physics\n", []),
    ],
)
def test_what_cannot_be_printed_is_refused(tmp_path: Path, text: str, options: list[str]) -> None:
    file = tmp_path / "quiz.txt"
    file.write_text(text)
    assert main(["exam", "paper", str(file), str(tmp_path), *options]) != 0
    assert not list(tmp_path.glob("*.pdf"))
