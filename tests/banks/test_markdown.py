"""Markdown: task lists, headings, answers, explanations, front matter."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from markdown_it.parser_inline import ParserInline

from lms_tui.banks.model import NumericKey, Question, Reading, TextKey
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType


def read(text: str) -> Reading:
    return read_exam(text.encode(), "quiz.md")


def one(text: str) -> Question:
    reading = read(text)
    assert reading.findings == ()
    (question,) = reading.exam.questions
    return question


def right(question: Question) -> list[str]:
    return [option.html for option in question.options if option.correct]


def test_a_task_list_holds_the_options_of_the_text_above_it() -> None:
    question = one("What is $v_0$ in *m/s*?\n\n- [ ] `3`\n- [x] $4_a$\n")
    assert question.html == "What is $v_0$ in <em>m/s</em>?"
    assert [option.html for option in question.options] == ["<code>3</code>", "$4_a$"]
    assert (question.kind, right(question), question.line) == (QuestionType.SINGLE, ["$4_a$"], 1)


def test_several_checked_boxes_are_several_right_answers() -> None:
    question = one("1. Prime?\n   * [x] 2\n   * [X] 3\n   * [ ] 4\n\n   > Four is even.\n")
    assert (question.kind, right(question)) == (QuestionType.MULTIPLE, ["2", "3"])
    assert question.explanation_html == "Four is even."


def test_numbered_boxes_and_long_options_are_read() -> None:
    question = one("Which?\n\n1. [x] First\n   line\n2. [ ] Second\n")
    assert [option.html for option in question.options] == ["First\nline", "Second"]


def test_a_heading_is_a_section_a_title_or_the_question_itself() -> None:
    reading = read(
        "# Physics\n\n## Optics\n\n1. A?\n   - [x] a\n   - [ ] b\n2. B?\n   - [x] a\n   - [ ] b\n\n"
        "## Which is red?\n\n- [x] a rose\n- [ ] grass\n\n## Speed\n\nHow fast?\n\n- [x] fast\n- [ ] slow\n"
    )
    assert reading.exam.title == "Physics"
    assert [(section.name, len(section.questions)) for section in reading.exam.sections] == [("Optics", 4)]
    assert [(q.title, q.html) for q in reading.exam.questions[2:]] == [("", "Which is red?"), ("Speed", "How fast?")]
    assert reading.findings == ()


def test_text_between_questions_is_a_passage() -> None:
    reading = read("Read *this*.\n\n1. A?\n   - [x] a\n   - [ ] b\n\n2. B?\n   - [x] a\n   - [ ] b\n")
    assert [question.direction_html for question in reading.exam.questions] == ["Read <em>this</em>."] * 2


def test_answers_without_options_are_texts_numbers_and_essays() -> None:
    reading = read(
        "---\ntitle: T\n---\n1. Sum?\n   Answer: 4\n2. Gas?\n   Answer: CO2 | air\n3. Tell.\n   Answer: essay\n"
    )
    assert [question.kind.value for question in reading.exam.questions] == ["N", "S", "E"]
    assert reading.exam.questions[0].numbers == (NumericKey(Decimal(4), Decimal(4)),)
    assert reading.exam.questions[1].texts == (TextKey("CO2"), TextKey("air"))


def test_the_front_matter_has_the_settings_of_the_exam() -> None:
    reading = read("---\ntitle: Motion\nduration: 30 min\ncolour: red\n---\nWhich?\n\n- [x] a\n- [ ] b\n")
    assert (reading.exam.title, reading.exam.duration) == ("Motion", timedelta(minutes=30))
    assert [(found.line, found.message) for found in reading.findings] == [(4, "“colour” is unknown and was left out.")]
    assert reading.exam.questions[0].line == 6


@pytest.mark.parametrize("answers", ["after closing", "no"])
def test_the_front_matter_can_have_every_setting(answers: str) -> None:
    head = (
        "title: T\nslug: s\ndescription: D\nlanguage: ta\nduration: 30 min\nmarks: 2\nnegative marks: 0.5\nretakes: 3\n"
        f"calculator: basic\nreference sheet: R\nshow answers: {answers}\nranks: no\nimmediate feedback: yes\n"
        "end sections early: no\n"
    )
    settings = read_exam(f"{head}questions: []\n".encode(), "exam.yaml").exam
    assert replace(read(f"---\n{head}---\nWhich?\n\n- [x] a\n- [ ] b\n").exam, sections=()) == settings


def test_boxes_in_code_are_text_and_nothing_is_left_out_in_silence() -> None:
    reading = read("Which?\n\n```\n- [x] code\n```\n\n- [x] a\n- [ ] b\n\n1. No answer\n\n- [x] left alone\n")
    assert "- [x] code" in reading.exam.questions[0].html
    reading = read("1. No answer\n\n2. Which?\n   - [x] a\n   - [ ] b\n\nA last word.\n")
    assert [(found.line, found.message) for found in reading.findings] == [
        (1, "The question was left out. It has no answer."),
        (7, "The description “A last word.” has no question after it and was left out."),
    ]


@pytest.mark.parametrize("piece", ["# a\n", "1. a\n", "- [x] a\n", "> a\n", "Answer: a\n", "```\n"])
def test_many_marks_are_read_in_linear_time(piece: str) -> None:
    for head in ("---\ntitle: T\n---\n1. Q?\n   Answer: 4\n\n", "Q?\n\n- [x] a\n- [ ] b\n\n"):
        assert read(head + piece * (20_000 // len(piece))).exam.questions


@pytest.mark.parametrize("formula", ["$a < b$", "$a &lt; b$"])
def test_a_character_of_a_formula_may_be_an_entity(formula: str) -> None:
    assert one(f"Is {formula}?\n\n- [ ] no\n- [x] yes\n").html == "Is $a &lt; b$?"


def test_a_quotation_below_the_heading_of_a_question_is_a_hint() -> None:
    reading = read_exam(b"### Where is Berlin?\n\n> Not in France.\n\n1. [x] Germany\n1. [ ] Spain\n", "quiz.md")
    (question,) = reading.exam.questions
    assert question.html == "Where is Berlin?"
    assert [finding.message for finding in reading.findings] == [
        "Not imported, because exams cannot store it: hints (question 1)."
    ]


def test_each_text_is_searched_for_links_and_emphasis_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    parse = ParserInline.parse

    def counted(self: ParserInline, text: str, *rest: Any) -> Any:
        searched.append(len(text))
        return parse(self, text, *rest)

    monkeypatch.setattr(ParserInline, "parse", counted)
    text = "What is `[x]`?\n" + "[x]" * 1_000 + "\n\n- [x] a *box*\n- [ ] a [link]\n"
    assert len(one(text).options) == 2
    assert sum(searched) < len(text)
