"""Common Cartridges, written and read."""

import zipfile
from datetime import timedelta
from decimal import Decimal
from io import BytesIO

import pytest

from lms_tui.banks.model import Exam, NumericKey, Option, Question, Section, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers import Target, write
from lms_tui.wire.question_types import QuestionType
from tests.banks.format_samples import PICTURE

CHOICE = Question(
    QuestionType.SINGLE,
    f'<p>Which &amp; why? <img src="{PICTURE}" alt="dot"></p>',
    (Option("<b>a</b>", correct=True, feedback_html="Yes."), Option("b &lt; c")),
    title="Q & A",
    explanation_html="Because.",
    identifier="one",
    marks=Decimal(2),
)
SEVERAL = Question(
    QuestionType.MULTIPLE, "All?", (Option("a", correct=True), Option("b", correct=True), Option("c")), identifier="two"
)
TEXTS = Question(
    QuestionType.SHORT,
    "Sea?",
    texts=(TextKey("North Sea"), TextKey("*Baltic*", case_sensitive=True)),
    identifier="three",
)
ESSAY = Question(QuestionType.ESSAY, "Tell.", identifier="four")
EXAM = Exam("Cartridge", (Section("", (CHOICE, SEVERAL, TEXTS, ESSAY)),), duration=timedelta(minutes=45))


def changed(data: bytes, old: str, new: str) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as before, zipfile.ZipFile(stream, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(old.encode(), new.encode()))
    return stream.getvalue()


def test_what_a_cartridge_holds_is_read_back_the_same() -> None:
    assert write(EXAM, Target.IMSCC).findings == ()


@pytest.mark.parametrize("version", ["1", "2", "3"])
@pytest.mark.parametrize("kind", ["assessment", "question-bank"])
def test_each_version_and_its_question_banks_are_read(version: str, kind: str) -> None:
    data = changed(write(EXAM, Target.IMSCC).data, "imscc_xmlv1p1/assessment", f"imscc_xmlv1p{version}/{kind}")
    assert read_exam(data, "exam.imscc").exam.questions == read_exam(write(EXAM, Target.IMSCC).data, "x").exam.questions


def test_questions_of_a_bank_in_a_cartridge_are_read() -> None:
    data = write(EXAM, Target.IMSCC).data
    for old, new in (("<assessment ", "<objectbank "), ("</assessment>", "</objectbank>")):
        data = changed(data, old, new)
    assert len(read_exam(data, "bank.imscc").exam.questions) == 4


def test_what_a_cartridge_cannot_hold_is_named() -> None:
    number = Question(QuestionType.NUMERIC, "How many?", numbers=(NumericKey(Decimal(1), Decimal(2)),), identifier="n")
    pattern = Question(QuestionType.SHORT, "Which?", texts=(TextKey("a*b"),), identifier="p")
    written = write(Exam("E", (Section("", (CHOICE, number, pattern)),)), Target.IMSCC)
    assert [finding.question for finding in written.findings if finding.question] == [2, 3]


def test_the_passage_stands_in_each_of_its_questions() -> None:
    asked = tuple(
        Question(QuestionType.ESSAY, f"Q{at}", direction_html="Read.", identifier=f"q{at}") for at in range(2)
    )
    exam = read_exam(write(Exam("E", (Section("", asked),)), Target.IMSCC).data, "e.imscc").exam
    assert [question.html for question in exam.questions] == [f"<div>Read.</div>Q{at}" for at in range(2)]
