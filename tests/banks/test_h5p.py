"""H5P packages: which types are questions, which answers are right, and what the reader reports as left out."""

from typing import Any

import pytest

from lms_tui.banks.report import Report, check
from lms_tui.wire.question_types import QuestionType
from tests.banks.format_samples import h5p, h5p_set


def read(library: str, **params: Any) -> Report:
    return check(h5p_set((library, params)), "quiz.h5p")


def keys(report: Report) -> list[list[str]]:
    return [[option.html for option in question.options if option.correct] for question in report.questions]


def told(report: Report) -> list[str]:
    return [finding.message for finding in (*report.errors, *report.warnings)]


def test_the_first_answer_of_a_single_choice_set_is_right_and_does_not_stay_first() -> None:
    choices = [{"question": f"<p>Q{at}</p>", "answers": ["<p>right</p>", "x", "y"]} for at in range(3)]
    report = read("H5P.SingleChoiceSet", choices=choices)
    assert keys(report) == [["right"]] * 3
    assert len({[option.correct for option in question.options].index(True) for question in report.questions}) > 1


def test_true_or_false_uses_the_words_of_the_package() -> None:
    report = read("H5P.TrueFalse", question="Is it?", correct="false", l10n={"trueText": "Ja", "falseText": "Nein"})
    assert keys(report) == [["Nein"]]


def test_blanks_take_several_texts_and_tell_their_tips() -> None:
    report = read("H5P.Blanks", text="Fill in.", questions=["<p>*Oslo/oslo:in Norway* and *Rome*</p>"])
    (question,) = report.questions
    assert question.kind is QuestionType.GAPS
    assert question.html == "Fill in.<p>[[1]] and [[2]]</p>"
    assert [(key.gap, key.text, key.case_sensitive) for key in question.texts] == [
        (1, "Oslo", True), (1, "oslo", True), (2, "Rome", True),
    ]  # fmt: skip
    assert told(report) == ["Not imported, because exams cannot store it: hints (question 1)."]


def test_drag_text_offers_the_words_and_the_distractors() -> None:
    report = read("H5P.DragText", taskDescription="<p>Drag.</p>", textField="A *b*.\nC *d*.", distractors="*x*")
    (question,) = report.questions
    assert question.gap_choices == (("b", "d", "x"),) * 2
    assert question.html == "<p>Drag.</p><p>A [[1]].<br>C [[2]].</p>"


@pytest.mark.parametrize("kind", ["addition", "subtraction", "multiplication", "division"])
def test_an_arithmetic_quiz_gives_sums_that_are_right(kind: str) -> None:
    report = read("H5P.ArithmeticQuiz", arithmeticType=kind, maxQuestions=30)
    signs = {"−": "-", "×": "*", "÷": "/"}
    assert len(report.questions) == 30
    for question in report.questions:
        first, sign, second, *_ = question.html.split()
        one, two, key = int(first), int(second), question.numbers[0].low
        results = {"+": one + two, "-": one - two, "*": one * two}
        assert key == (one / two if signs.get(sign, sign) == "/" else results[signs.get(sign, sign)])
    assert "makes its sums by chance" in told(report)[0]


def test_a_type_that_is_no_question_is_an_error_and_unused_files_are_named() -> None:
    data = h5p("H5P.Column", {"content": [
        {"content": {"library": "H5P.Crossword 0.5", "params": {}, "metadata": {"title": "Words"}}},
        {"content": {"library": "H5P.TrueFalse 1.8", "params": {"question": "Q?", "correct": "true"}}},
    ]}, {"content/audios/a.mp3": b"ID3"})  # fmt: skip
    report = check(data, "quiz.h5p")
    assert keys(report) == [["True"]]
    assert told(report) == [
        "The content “Words” of the type “H5P.Crossword” is not supported.",
        "1 file of the package left out: a.mp3.",
    ]


@pytest.mark.parametrize("params", [None, [], 7, {"questions": "x"}, {"questions": [None, {"library": 3}]}])
def test_content_of_any_form_is_refused_or_read(params: object) -> None:
    for library in ("H5P.QuestionSet", "H5P.Blanks", "H5P.MultiChoice", "H5P.ArithmeticQuiz"):
        report = check(h5p(library, params), "quiz.h5p")
        assert report.errors or report.questions


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    deep: object = {}
    for _ in range(200):
        deep = {"content": [{"library": "H5P.Column 1.1", "params": deep}]}
    assert "nested too deeply" in check(h5p("H5P.Column", deep), "quiz.h5p").errors[0].message


def test_a_set_that_asks_some_of_its_questions_draws_them() -> None:
    questions = [{"library": "H5P.TrueFalse 1.8", "params": {"question": "Q?", "correct": "true"}}] * 3
    report = check(h5p("H5P.QuestionSet", {"questions": questions, "poolSize": 2, "passPercentage": 80}), "quiz.h5p")
    assert report.exam is not None
    assert (len(report.questions), report.exam.picks) == (3, (2,))
    assert told(report) == ["The share of the marks that passes was left out."]


def test_a_set_that_was_not_read_as_a_whole_draws_nothing() -> None:
    questions = [{"library": "H5P.TrueFalse 1.8", "params": {"question": "Q?", "correct": "true"}}] * 3
    questions.append({"library": "H5P.MarkTheWords 1.11", "params": {}})
    report = check(h5p("H5P.QuestionSet", {"questions": questions, "poolSize": 2}), "quiz.h5p")
    assert "The set asks 2 of its 4 parts by chance. All questions are imported." in told(report)
