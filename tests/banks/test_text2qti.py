"""text2qti Markdown mark by mark."""

from decimal import Decimal

import pytest

from lms_tui.banks.model import NumericKey, Option, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType

D = Decimal


def read(text: str) -> Reading:
    return read_exam(text.encode(), "quiz.txt")


def one(text: str) -> Question:
    (question,) = read(text).exam.questions
    return question


def test_quiz_has_title_description_and_settings() -> None:
    exam = read("Quiz title: A\nQuiz description: *B*\nshow correct answers: false\n\n1. Q\n*a) x\nb) y\n").exam
    assert (exam.title, exam.description_html, exam.show_answers) == ("A", "<em>B</em>", False)


def test_choice_with_feedback_title_and_points() -> None:
    question = one("Title: T\nPoints: 2.5\n1.  Q\n... Because.\na)  x\n... No.\n*b) $y$\n")
    assert question.options == (Option("x", feedback_html="No."), Option("$y$", True))
    assert (question.title, question.marks, question.explanation_html, question.line) == ("T", D("2.5"), "Because.", 3)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ("[ ] a\n[*] b", QuestionType.MULTIPLE),
        ("* a\n* b", QuestionType.SHORT),
        ("= 5 +- 10%", QuestionType.NUMERIC),
        ("____", QuestionType.ESSAY),
        ("^^^^", QuestionType.FILES),
    ],
)
def test_the_markers_decide_the_type(answers: str, kind: QuestionType) -> None:
    assert one(f"1. Q\n{answers}\n").kind is kind


def test_numbers_and_texts() -> None:
    assert one("1. Q\n= 5 +- 10%\n").numbers == (NumericKey(D("4.5"), D("5.5")),)
    assert one("1. Q\n= [1, 3]\n").numbers == (NumericKey(D(1), D(3)),)
    assert one("1. Q\n* a*b\n").texts == (TextKey(r"a\*b"),)


def test_indented_lines_continue_the_line_before() -> None:
    question = one("1.  Q\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n*a) x\n\n    y\nb)  z\n")
    assert "<table>" in question.html
    assert question.options[0].html == "<p>x</p>\n<p>y</p>"


def test_groups_give_points_and_are_drawn_from() -> None:
    two = "1. Q\n*a) x\nb) y\n1. S\n*a) x\nb) y\n"
    reading = read(f"GROUP\npick: 1\npoints per question: 3\n\n{two}END_GROUP\n2. R\n*a) x\nb) y\n")
    assert [q.marks for q in reading.exam.questions] == [D(3), D(3), None]
    assert (reading.exam.picks, [q.pool for q in reading.exam.questions]) == ((1,), [1, 1, 0])
    assert reading.findings == ()


def test_text_region_is_a_passage() -> None:
    question = one("Text: Read **this**.\n\n1. Q\n*a) x\nb) y\n")
    assert question.direction_html == "Read <strong>this</strong>."


def test_comments_are_dropped_and_code_is_never_run() -> None:
    code = "```{.python .run}\nprint('1. Evil\\n*a) x')\n```\n"
    reading = read(f"% note\nCOMMENT\n1. Not this\nEND_COMMENT\n{code}1. Q\n*a) x\nb) y\n")
    assert [(q.html, q.line) for q in reading.exam.questions] == [("Q", 8)]
    assert "never run" in reading.errors[0].message
    assert reading.errors[0].line == 5


def test_one_bad_question_does_not_lose_the_others() -> None:
    reading = read(
        "1. Q\n*a) x\nb) y\n\n2. No answers\n\n3. Mixed\n*a) x\n[*] y\n\n4. N\n= five\n\nstray\n5. R\n____\n"
    )
    assert [q.html for q in reading.exam.questions] == ["Q", "R"]
    assert sorted(error.line for error in reading.errors) == [5, 7, 11, 14]


def test_settings_and_titles_that_an_exam_cannot_keep_are_named() -> None:
    source = "Can't go back: true\n\nText title: Part A\nText: Read.\n\n1. Q\n*a) a\nb) b\n"
    findings = read_exam(source.encode(), "quiz.md").findings
    assert [(finding.line, finding.message) for finding in findings] == [
        (1, "The setting “can't go back” was left out. Students can go back."),
        (3, "The title “Part A” of a text was left out."),
    ]
