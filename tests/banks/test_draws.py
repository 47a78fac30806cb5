"""Questions that are drawn for each attempt, as YAML, QTI and Moodle write them."""

import zipfile
from decimal import Decimal
from io import BytesIO

import pytest

from lms_tui.banks.model import BankDraw, Exam, Question, Reading
from lms_tui.banks.reader import read_exam
from lms_tui.banks.report import as_text, check
from lms_tui.banks.writers import Target, write
from lms_tui.banks.writers.write import ENDINGS
from lms_tui.wire.question_types import QuestionType

PICKED = """\
title: Drawn
questions:
  - {question: Own, answer: x}
  - pick: 2
    questions:
      - {question: A, answer: x}
      - {question: B, answer: x, marks: 3}
      - {question: C, answer: x}
  - {question: Last, answer: x}
  - pick: 10
    bank: physics
    subject: Physics / Optics
    difficulty: easy
    marks: 2
"""


def read(text: str) -> Reading:
    return read_exam(text.encode(), "drawn.yaml")


def pools(exam: Exam) -> list[int]:
    return [question.pool for question in exam.questions]


def test_yaml_picks_from_the_file_and_from_a_bank() -> None:
    reading = read(PICKED)
    assert reading.findings == ()
    assert (reading.exam.picks, pools(reading.exam), reading.exam.asked) == ((2,), [0, 1, 1, 1, 0], 4)
    assert reading.exam.draws == (BankDraw("physics", 10, ("Physics", "Optics"), ("easy",), Decimal(2)),)


def test_picks_are_written_and_read_back() -> None:
    exam = read(PICKED).exam
    written = write(exam, Target.YAML)
    assert written.findings == ()
    assert read(written.data.decode()).exam.draws == exam.draws
    lost = [finding.message for finding in write(exam, Target.GIFT).findings]
    assert "GIFT changes which questions are drawn at random (questions 2, 3, 4)." in lost
    assert "GIFT does not keep what is drawn from question banks." in lost


def test_a_check_tells_how_many_questions_an_attempt_has_and_warns_of_unequal_marks() -> None:
    report = check(PICKED.encode(), "drawn.yaml")
    assert "Each attempt asks 4 of them.\nEach attempt asks 10 questions of the bank physics." in as_text(report)
    assert [(each.line, each.message) for each in report.warnings] == [
        (6, "The questions of this pick have different marks, so students can reach different totals.")
    ]


@pytest.mark.parametrize(
    ("pick", "told"),
    [
        ("0", "“0” is not a number of questions to pick."),
        ("some", "“some” is not a number of questions to pick."),
        ("4", "Of a pick, all 3 questions are asked, not 4."),
    ],
)
def test_a_pick_that_cannot_be_drawn_is_told(pick: str, told: str) -> None:
    reading = read(PICKED.replace("pick: 2", f"pick: {pick}"))
    assert told in reading.findings[0].message
    assert reading.exam.picks == ()


def test_a_pick_of_all_questions_asks_them_all() -> None:
    reading = read(PICKED.replace("pick: 2", "pick: 3"))
    assert (reading.findings, reading.exam.picks) == ((), ())


def test_a_section_can_have_questions_of_a_bank_only() -> None:
    text = "sections:\n  - name: A\n    questions:\n      - {pick: 3, bank: physics}\n"
    assert (check(text.encode(), "a.yaml").errors, check(text.encode(), "a.yaml").warnings) == ((), ())
    exam = read(text).exam
    assert [(section.name, section.draws) for section in exam.sections] == [("A", (BankDraw("physics", 3),))]
    assert exam.without(set()) == exam


def test_a_question_without_its_pick_leaves_the_others() -> None:
    exam = read(PICKED).exam.without({2, 3})
    assert (pools(exam), exam.asked) == ([0, 1, 0], 3)


@pytest.mark.parametrize(
    ("draw", "fits"),
    [
        (BankDraw("b", 1), True),
        (BankDraw("b", 1, ("physics",), ("EASY",)), True),
        (BankDraw("b", 1, ("Physics", "Optics", "Lenses")), False),
        (BankDraw("b", 1, ("Optics",)), False),
        (BankDraw("b", 1, (), ("easy", "new")), False),
    ],
)
def test_a_bank_is_drawn_by_subject_and_tags(draw: BankDraw, *, fits: bool) -> None:
    question = Question(QuestionType.ESSAY, "Q", subject=("Physics", "Optics"), tags=("easy", "lens"))
    assert draw.fits(question) is fits


def test_difficulty_is_a_tag() -> None:
    (question,) = read(
        "questions:\n  - {question: Q, answer: x, tags: [lens, easy], difficulty: easy}\n"
    ).exam.questions
    assert question.tags == ("lens", "easy")


def test_the_picks_of_several_files_in_a_package_stay_apart() -> None:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.yaml", PICKED)
        archive.writestr("b.yaml", PICKED.replace("pick: 2", "pick: 1"))
    exam = read_exam(stream.getvalue(), "both.zip").exam
    assert (exam.picks, pools(exam), exam.asked) == ((2, 1), [0, 1, 1, 1, 0, 0, 2, 2, 2, 0], 7)
    assert len(exam.draws) == 2


def test_an_option_can_be_fixed() -> None:
    exam = read("questions:\n  - {question: Q, options: [{right: a}, {wrong: b, fixed: yes}, c]}\n").exam
    assert [option.fixed for option in exam.questions[0].options] == [False, True, False]
    for target in (Target.YAML, Target.QTI):
        written = write(exam, target)
        back = read_exam(written.data, f"exam{ENDINGS[target]}").exam
        assert (written.findings, back.questions[0].options) == ((), exam.questions[0].options)
    assert "fixed place" in write(exam, Target.GIFT).findings[0].message


# --- QTI 2


def _package(section: str, *names: str) -> bytes:
    item = (
        '<assessmentItem identifier="{0}" title="{0}"><responseDeclaration identifier="R" cardinality="single" '
        'baseType="string"/><itemBody><p>{0}</p><extendedTextInteraction responseIdentifier="R"/></itemBody>'
        "</assessmentItem>"
    )
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("test.xml", f'<assessmentTest title="T"><testPart>{section}</testPart></assessmentTest>')
        for name in names:
            archive.writestr(f"{name}.xml", item.format(name))
    return stream.getvalue()


REFERENCES = "".join(f'<assessmentItemRef identifier="{name}" href="{name}.xml"/>' for name in "abc")


def test_a_selection_of_qti_2_is_a_pick() -> None:
    section = f'<assessmentSection title="A"><selection select="2"/>{REFERENCES}</assessmentSection>'
    reading = read_exam(_package(section, *"abc"), "t.zip")
    assert (reading.findings, reading.exam.picks, pools(reading.exam)) == ((), (2,), [1, 1, 1])


def test_sections_of_a_selection_are_all_imported_with_a_warning() -> None:
    inner = f'<assessmentSection title="In">{REFERENCES}</assessmentSection>'
    other = '<assessmentSection title="Other"><assessmentItemRef identifier="d" href="d.xml"/></assessmentSection>'
    section = f'<assessmentSection title="A"><selection select="1"/>{inner}{other}{REFERENCES}</assessmentSection>'
    reading = read_exam(_package(section, *"abcd"), "t.zip")
    assert reading.exam.picks == ()
    assert "asks 1 of its 5 parts. All are imported." in " ".join(each.message for each in reading.findings)


# --- Moodle

ESSAY = '<question type="essay"><questiontext><text>Q</text></questiontext></question>'


def _category(name: str) -> str:
    return f'<question type="category"><category><text>$course$/top/{name}</text></category></question>'


def _random(recursive: str) -> str:
    return f'<question type="random"><questiontext><text>{recursive}</text></questiontext></question>'


@pytest.mark.parametrize(("recursive", "expected"), [("0", [1, 1, 1, 0, 0]), ("1", [1, 1, 1, 1, 0])])
def test_random_questions_of_moodle_draw_from_their_category(recursive: str, expected: list[int]) -> None:
    bank = _category("A") + ESSAY * 3 + _category("A/B") + ESSAY + _category("C") + ESSAY
    quiz = _category("A") + _random(recursive) * 2
    reading = read_exam(f"<quiz>{bank}{quiz}</quiz>".encode(), "bank.xml")
    assert (reading.errors, reading.exam.picks, pools(reading.exam)) == ((), (2,), expected)
