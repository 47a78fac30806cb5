"""Aiken and its trivia dialect."""

import pytest

from lms_tui.banks.model import Reading
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType


def read(text: str) -> Reading:
    return read_exam(text.encode(), "bank.gift")


def keys(reading: Reading) -> list[list[int]]:
    return [[at for at, option in enumerate(q.options) if option.correct] for q in reading.exam.questions]


def test_questions_answers_and_lines() -> None:
    reading = read("What is 2 < 3?\nA. true\nB) false\nANSWER: A\n\nAnd\nthen?\na. x\nb. y\nc. z\nANSWER: c\n")
    assert [(q.html, q.line) for q in reading.exam.questions] == [("What is 2 &lt; 3?", 1), ("And<br>then?", 6)]
    assert keys(reading) == [[0], [2]]
    assert reading.findings == ()


@pytest.mark.parametrize("answer", ["B", "b", "B.", "B. two", "two"])
def test_the_correct_answer_is_named_by_letter_or_text(answer: str) -> None:
    assert keys(read(f"Q?\nA. one\nB. two\nANSWER: {answer}\n\nQ?\nA. one\nB. two\nANSWER: A\n")) == [[1], [0]]


def test_two_correct_answers_make_a_multiple_choice() -> None:
    reading = read("Q?\nA. one\nB. two\nC. three\nANSWER: A, C\n")
    assert reading.exam.questions[0].kind is QuestionType.MULTIPLE
    assert keys(reading) == [[0, 2]]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("Q?\nA. one\nB. two\n", "No line says"),
        ("Q?\nA. one\nB. two\nANSWER: F\n", "not one of its answers"),
        ("Q without answers?\n", "no answers to choose"),
    ],
)
def test_one_bad_question_does_not_lose_the_others(bad: str, words: str) -> None:
    reading = read(f"Good?\nA. yes\nB. no\nANSWER: A\n\n{bad}")
    assert len(reading.exam.questions) == 1
    (error,) = reading.errors
    assert words in error.message
    assert error.line == 6


def test_a_question_whose_options_are_written_otherwise_is_no_part_of_the_next() -> None:
    reading = read("First?\nA: one\nB: two\nANSWER: A\n\nSecond?\nA. one\nB. two\nANSWER: B\n")
    assert [question.html for question in reading.exam.questions] == ["Second?"]
    assert [(error.line, error.message) for error in reading.errors] == [
        (1, "The question “First? A: one B: two” was left out. It has no answers to choose from.")
    ]


def test_the_trivia_dialect_names_the_correct_answer_by_its_text() -> None:
    reading = read("#Q Which?\nmore\n^ B two\nA B one\nB B two\n\n#Q Bad?\n^ c\nA a\nB b\n")
    assert keys(reading) == [[1]]
    assert reading.exam.questions[0].html == "Which?<br>more"
    assert len(reading.errors) == 1
