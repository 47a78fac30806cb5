"""A written Word document holds the whole exam, and another reader of Word accepts it."""

import base64
import zipfile
from decimal import Decimal
from io import BytesIO

import pytest

from lms_tui.banks.model import Exam, NumericKey, Option, Question, Section, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.banks.writers import Target, write
from lms_tui.commands.exam import FORMATS
from lms_tui.wire.question_types import QuestionType
from tests.banks.format_samples import PICTURE

CHOICE = (Option("<b>London</b> &amp; <i>x</i><sub>2</sub>"), Option("Paris", correct=True), Option("<p>a</p><p>b</p>"))
EXAM = Exam(
    "Unit 1",
    (
        Section(
            "Part A",
            (
                Question(
                    QuestionType.SINGLE,
                    f'<p>Look:</p><p><img src="{PICTURE}" alt="dot"></p><table><tr><td>1</td><td>2</td></tr></table>',
                    CHOICE,
                    direction_html="Read this.",
                    explanation_html="It <b>is</b> so.",
                    marks=Decimal(2),
                ),
                Question(QuestionType.NUMERIC, "How many?", numbers=(NumericKey(Decimal(5), Decimal(7)),)),
            ),
        ),
        Section(
            "Answers",
            (
                Question(QuestionType.SHORT, "1. Which letter?", texts=(TextKey("B"),)),
                Question(QuestionType.FILES, "Draw."),
                Question(QuestionType.ESSAY, "Why?"),
            ),
        ),
    ),
    slug="unit",
    description_html="Answer everything.",
)


def test_what_is_written_is_read_back_with_pictures_tables_and_styles() -> None:
    written = write(EXAM, Target.DOCX)
    exam = read_exam(written.data, "unit.docx").exam
    assert (written.given, written.kept) == (5, 4)
    assert (exam.title, exam.description_html) == ("Unit 1", "Answer everything.")
    assert [section.name for section in exam.sections] == ["Part A", "Answers"]
    choice, number, short, essay = exam.questions
    assert PICTURE in choice.html
    assert "<table><tr><td>1</td><td>2</td></tr></table>" in choice.html
    assert [(option.html, option.correct) for option in choice.options] == [
        ("<b>London</b> &amp; <i>x</i><sub>2</sub>", False),
        ("Paris", True),
        ("<p>a</p><p>b</p>", False),
    ]
    assert (choice.direction_html, choice.explanation_html, choice.marks) == (
        "Read this.",
        "It <b>is</b> so.",
        Decimal(2),
    )
    assert number.numbers == (NumericKey(Decimal(5), Decimal(7)),)
    assert (short.html, short.texts) == ("1. Which letter?", (TextKey("B"),))
    assert essay.kind is QuestionType.ESSAY


def test_the_paper_has_no_key_before_its_own_page() -> None:
    with zipfile.ZipFile(BytesIO(write(EXAM, Target.DOCX).data)) as package:
        text = package.read("word/document.xml").decode()
    paper, _, key = text.partition('<w:br w:type="page"/>')
    assert "It </w:t>" not in paper
    assert all(answer in key for answer in ("1. ", "5 to 7", "Answer (text): B", "essay"))


def test_dollar_signs_in_a_key_or_a_name_begin_no_formula() -> None:
    question = Question(QuestionType.SHORT, "The price?", texts=(TextKey("$1$"),))
    exam = Exam("From $1$ on", (Section("Up to $2$", (question,)),))
    read = read_exam(write(exam, Target.DOCX).data, "paper.docx").exam
    assert read is not None
    assert (read.title, read.sections[0].name, read.questions[0].texts) == ("From $1$ on", "Up to $2$", question.texts)


def test_the_same_exam_gives_the_same_bytes() -> None:
    assert write(EXAM, Target.DOCX).data == write(EXAM, Target.DOCX).data


def test_another_reader_accepts_the_document() -> None:
    docx = pytest.importorskip("docx", reason="the extra `word` is not installed")
    document = docx.Document(BytesIO(write(EXAM, Target.DOCX).data))
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert texts[:5] == ["Unit 1", "Answer everything.", "Part A", "Read this.", "1. Look:"]
    assert [shape.width > 0 for shape in document.inline_shapes] == [True]
    assert document.tables[0].rows[0].cells[1].text == "2"
    picture = next(part for part in document.part.package.iter_parts() if "image" in part.content_type)
    assert picture.blob == base64.b64decode(PICTURE.partition(",")[2])


def test_every_format_that_can_be_written_can_be_named_on_the_command_line() -> None:
    assert set(FORMATS) == set(Target)


def test_paragraphs_of_a_text_are_no_options_of_a_written_document() -> None:
    question = Question(QuestionType.SHORT, "<p>Which?</p><p>kelvin</p><p>joule</p>", texts=(TextKey("joule"),))
    back = read_exam(write(Exam("E", (Section("", (question,)),)), Target.DOCX).data, "e.docx").exam
    assert back.questions[0].texts == (TextKey("joule"),)


@pytest.mark.parametrize(
    "formula",
    [
        r"\(x^2+y_1^2=\frac{1}{2}\)",
        r"\(\sqrt[3]{x+1}-\sqrt{2}\)",
        r"\(\sum_{i=1}^{n} a_i + b = c\)",
        r"\[\lim_{x\to 0}\frac{\sin x}{x}\]",
        r"\(\begin{pmatrix}1&amp;2\\3&amp;4\end{pmatrix}\)",
        r"\(\overline{AB}\,\underbrace{a+b}_{n}\,\vec{v}\)",
        r"\(\cancel{x}\boxed{y}\binom{n}{k}\)",
        "<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>",
    ],
)
def test_formulas_are_equations_that_mean_the_same(formula: str) -> None:
    choice = Question(QuestionType.SINGLE, f"What is {formula} here?", (Option("a", correct=True), Option(formula)))
    written = write(Exam("E", (Section("", (choice,)),)), Target.DOCX)
    with zipfile.ZipFile(BytesIO(written.data)) as package:
        text = package.read("word/document.xml").decode()
    assert text.count("<m:oMath>") == 2
    assert "\\" not in text
    assert written.findings == ()


def test_a_formula_that_cannot_be_read_stays_as_it_is_written() -> None:
    choice = Question(QuestionType.ESSAY, r"What costs \$5, and $6?")
    written = write(Exam("E", (Section("", (choice,)),)), Target.DOCX)
    assert b"oMath>" not in zipfile.ZipFile(BytesIO(written.data)).read("word/document.xml")
