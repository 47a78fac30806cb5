"""The lint and the report list each oddity, as text and as JSON."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from lms_tui.banks.lint import lint_times
from lms_tui.banks.lint_texts import _drawn, _understood
from lms_tui.banks.model import Exam, Question, Section
from lms_tui.banks.report import as_json, as_text, check
from lms_tui.content.html import parse
from lms_tui.content.maths.render import tree_of
from lms_tui.content.model import Maths, Paragraph
from lms_tui.wire.question_types import QuestionType

WIDE = "<table><tr>" + "".join(f"<td>{'x' * 12}{at}</td>" for at in range(9)) + "</tr></table>"


def told(text: str | bytes) -> str:
    return as_text(check(text.encode() if isinstance(text, str) else text, "bank.txt"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Q?{~a ~b}", "error: line 1, question 1: No answer is marked as correct."),
        ("Q?{=a =b ~c}", "Several answers are marked as correct"),
        ("Q?{=a ~b ~b}", "Two answers are the same."),
        ("Q?{~%50%a ~%30%b ~c}", "add up to 80 %"),
        ('[html]<img src="x.png">Q?{=a ~b}', "The picture “x.png” is not in the file."),
        ('[html]<img src="https://host/x.png">Q?{=a ~b}', "another computer (host)"),
        (r"What is $\\nosuchmacro\{x\}$?{=a ~b}", r"The formula “\nosuchmacro{x}” cannot be drawn"),
        ("What is $g near the ground?{T}", "The formula “$g” has no second $."),
        (f"[html]{WIDE} Q?{{T}}", "wider than a terminal of 80"),
        ("// [id:x]\nQ?{T}\n\n// [id:x]\nQ?{F}", "The id “x” is used by an earlier question too."),
        (b"Q?{T}" + "é".encode("latin-1"), "not UTF-8"),
        ("questions:\n  - question: '[[1]] [[2]]'\n    gaps: [a]\n", "Gap 2 has no correct answer."),
        ("questions:\n  - question: '[[1]]'\n    gaps: [{choices: [a], answer: b}]\n", "is not among its choices"),
        ("sections:\n  - name: Empty\n  - name: B\n    questions: [Q]\n", "The section “Empty” has no question"),
        (
            "duration: 10 min\nsections:\n  - name: B\n    duration: 20 min\n    questions: [Q]\n",
            "longer than the exam’s 10 min",
        ),
    ],
)
def test_each_unusual_part_is_reported(source: str | bytes, words: str) -> None:
    assert words in told(source)


def test_unreachable_sections_and_too_long_exams_are_reported() -> None:
    question = Question(QuestionType.ESSAY, "Q")
    hour = timedelta(hours=1)
    exam = Exam("T", (Section("A", (question,), hour), Section("B", (question,), cut_off=5)), duration=hour)
    messages = " ".join(finding.message for finding in lint_times(exam, timedelta(minutes=30)))
    assert "“B” cannot be reached" in messages
    assert "is open for 30 min only" in messages
    assert "more than its 1 marks" in messages


def test_the_reference_sheet_is_checked_as_a_terminal_shows_it() -> None:
    report = check(b"reference sheet: $\\nosuchmacro{x}$\nquestions: [How?]\n", "unit.yaml")
    (found,) = report.warnings
    assert found.message.startswith("Reference sheet: The formula “\\nosuchmacro{x}” cannot be drawn")


def test_a_passage_is_checked_once() -> None:
    text = '[html]<img src="lost.png">\n\nQ?{T}\n\nR?{F}'
    assert told(text).count("lost.png") == 1


def test_json_has_questions_errors_and_warnings() -> None:
    report = check(b"::Title:: Q?{=Yes ~No}\n\nBad {\n\nN?{#1..2}\n\nM?{=a -> b =c -> d}", "dir/bank.gift")
    data = json.loads(as_json(report))
    assert data["questions"][0] == {
        "number": 1,
        "type": "R",
        "title": "Title",
        "text": "Q?",
        "options": ["Yes", "No"],
        "correct": [1],
        "keys": ["Yes"],
        "line": 1,
    }
    assert [row["keys"] for row in data["questions"][1:]] == [["1..2"], ["a -> b", "c -> d"]]
    assert data["errors"][0]["line"] == 3
    assert data["counts"] == {"R": 1, "N": 1, "M": 1}
    assert report.exit_code == 1


def test_report_of_a_good_file_ends_with_its_counts() -> None:
    report = check(b"Q?{T}", "bank.gift")
    assert as_text(report).splitlines() == [
        "bank.gift: 1 question",
        "Title: Bank",
        "      1  R  one answer",
        "0 errors, 0 warnings.",
    ]
    assert report.exit_code == 0


def test_file_that_is_no_exam_is_one_error() -> None:
    report = check(b"%PDF", "x.pdf")
    assert (report.exit_code, report.questions, len(report.errors)) == (1, (), 1)
    assert json.loads(as_json(report))["questions"] == []


def test_the_text_after_a_large_picture_is_shown() -> None:
    html = f'<p><img src="data:image/png;base64,{"A" * 300_000}" alt="A"> behind</p>'
    (paragraph,) = parse(html).blocks
    assert isinstance(paragraph, Paragraph)
    assert [type(child).__name__ for child in paragraph.children] == ["Image", "Text"]
    assert "longer than" not in told(f"[html]{html.replace('=', chr(92) + '=').replace(':', chr(92) + ':')} Q?{{T}}")


def test_each_formula_is_checked_independently_of_earlier_ones() -> None:
    formulas = (Path(__file__).parents[1] / "content" / "formulas.txt").read_text("utf-8").splitlines()
    broken = [r"\frac{a}{", r"\frac{1}{2}}", r"x^", r"\left( 1", r"\nosuch{x}", r"\frac{\nosuch}{2}"]
    assert len(formulas) > 50
    for source in (*formulas, *broken):
        maths = Maths(source)
        assert _drawn(maths) == _understood(maths), source


@pytest.mark.parametrize(
    "mathml",
    [
        '<math id="r1"><mfrac><mn>1</mn><mn>6</mn></mfrac></math>',
        "<math><msup><mi>x</mi><mn>2</mn></msup></math>",
        "<math><mi>A</mi><mo>\\</mo><mi>B</mi></math>",
    ],
)
def test_mathml_that_is_drawn_is_not_warned_about(mathml: str) -> None:
    assert tree_of(Maths(mathml, mathml=True)) is not None
    report = check(
        f"questions:\n  - question: '<p>What is {mathml}?</p>'\n    format: html\n    essay: yes\n".encode(), "q.yaml"
    )
    assert [question.kind for question in report.questions] == [QuestionType.ESSAY]
    assert (report.errors, report.warnings) == ((), ())


def test_mathml_too_deep_to_be_drawn_is_warned_about() -> None:
    mathml = f"<math>{'<mrow>' * 100}<mn>1</mn>{'</mrow>' * 100}</math>"
    question = f"questions:\n  - question: '{mathml}'\n    format: html\n    essay: yes\n"
    assert "cannot be drawn" in told(question)
