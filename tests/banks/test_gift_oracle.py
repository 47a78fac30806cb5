"""The parse trees of an independent grammar, where they are at hand, and three whole exams."""

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from lms_tui.banks.gift import parse
from lms_tui.banks.gift.tree import (
    Category,
    Choice,
    Entry,
    Essay,
    Formatted,
    Matching,
    MultipleChoice,
    Node,
    Numerical,
    Problem,
    ShortAnswer,
    Span,
    TrueFalse,
)
from lms_tui.banks.reader import read_exam
from lms_tui.wire.question_types import QuestionType

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases"
TREES = sorted((CASES / "gift").glob("*.gift"))
needs_cases = pytest.mark.skipif(not TREES, reason="the shared cases are not beside this checkout")


def text(value: Formatted | None) -> dict[str, str] | None:
    return None if value is None else {"format": value.markup.value, "text": value.text}


def number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def choice(value: Choice) -> dict[str, Any]:
    return {
        "isCorrect": value.right,
        "weight": number(value.weight),
        "text": text(value.text),
        "feedback": text(value.feedback),
    }


def span(value: Span) -> dict[str, Any]:
    if value.value is None:
        return {"type": "high-low", "numberHigh": float(value.high), "numberLow": float(value.low)}
    if value.tolerance is None:
        return {"type": "simple", "number": float(value.value)}
    return {"type": "range", "number": float(value.value), "range": float(value.tolerance)}


def numerical(value: Numerical) -> Any:
    if not value.listed:
        return span(value.spans[0])
    return [
        {"isCorrect": True, "weight": number(one.weight), "text": span(one), "feedback": text(one.feedback)}
        for one in value.spans
    ]


def answers(entry: Entry) -> dict[str, Any]:
    told: dict[str, Any]
    match entry.answers:
        case None:
            return {"type": "Description"}
        case MultipleChoice(choices):
            told = {"type": "MC", "choices": [choice(one) for one in choices]}
        case ShortAnswer(choices):
            told = {"type": "Short", "choices": [choice(one) for one in choices]}
        case Matching(pairs):
            rows = [{"subquestion": text(pair.left), "subanswer": pair.right} for pair in pairs]
            told = {"type": "Matching", "matchPairs": rows}
        case Numerical() as numbers:
            told = {"type": "Numerical", "choices": numerical(numbers)}
        case TrueFalse(is_true, on_true, on_false):
            told = {
                "type": "TF",
                "isTrue": is_true,
                "trueFeedback": text(on_true),
                "falseFeedback": text(on_false),
            }
        case Essay():
            told = {"type": "Essay"}
    return told | {"globalFeedback": text(entry.general_feedback)}


def tree(node: Node) -> dict[str, Any]:
    match node:
        case Category(_, name):
            return {"type": "Category", "title": name}
        case Entry() as entry:
            return {
                "id": entry.identifier or None,
                "tags": list(entry.tags) or None,
                "title": entry.title or None,
                "stem": text(entry.stem),
                "hasEmbeddedAnswers": entry.embedded,
            } | answers(entry)
        case Problem(_, message):
            return {"problem": message}


@needs_cases
@pytest.mark.parametrize("path", TREES, ids=lambda path: path.stem)
def test_parse_tree_agrees_with_an_independent_grammar(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    got = [tree(node) for node in parse(path.read_text("utf-8"))]
    assert got == expected


@needs_cases
@pytest.mark.parametrize(
    ("name", "questions", "sections", "explained"),
    [
        ("jee-main-2025-jan22-shift1", 75, ("Mathematics", "Physics", "Chemistry"), 0),
        ("numerical-literacy", 66, ("",), 66),
        ("urdu-mixed", 130, None, 0),
    ],
)
def test_whole_exams_are_read(name: str, questions: int, sections: tuple[str, ...] | None, explained: int) -> None:
    reading = read_exam((CASES / "exams" / f"{name}.gift").read_bytes(), f"{name}.gift")
    exam = reading.exam
    assert reading.errors == ()
    assert len(exam.questions) == questions
    assert sum(bool(question.explanation_html) for question in exam.questions) == explained
    assert Counter(question.kind for question in exam.questions) == {QuestionType.SINGLE: questions}
    assert all(sum(option.correct for option in question.options) == 1 for question in exam.questions)
    assert all(question.subject for question in exam.questions)
    if sections is not None:
        assert tuple(section.name for section in exam.sections) == sections
    assert all(section.duration is None for section in exam.sections)


@needs_cases
def test_formulas_keep_their_backslashes() -> None:
    exam = read_exam((CASES / "exams" / "jee-main-2025-jan22-shift1.gift").read_bytes(), "jee.gift").exam
    assert exam.questions[3].options[0].html == "$e^{8/5}$"
    assert r"$\frac{1}{e}$" not in exam.questions[1].html
    assert r"$x (\frac{1}{e})$" in exam.questions[1].html
