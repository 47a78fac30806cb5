"""Write an exam in GIFT, with texts as escaped HTML."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from lms_tui.banks.model import Exam, NumericKey, Option, Question
from lms_tui.banks.texts import digits, span
from lms_tui.wire.question_types import QuestionType

_CONTROL: Final = re.compile(r"[\\~=#{}:]")
_FORMAT: Final = re.compile(r"\s*\[(?:html|moodle|plain|markdown)\]|\s*%", re.IGNORECASE)


def write_gift(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the GIFT text and the numbers of the questions that GIFT cannot hold."""
    blocks: list[str] = []
    left_out: list[int] = []
    subject: tuple[str, ...] = ()
    passage = ""
    for number, question in enumerate(exam.questions, 1):
        if question.kind is QuestionType.GAPS:
            left_out.append(number)
            continue
        if question.subject != subject or (passage and question.direction_html != passage):
            blocks.append(f"$CATEGORY: {_path(question.subject)}")
            subject, passage = question.subject, ""
        if question.direction_html and question.direction_html != passage:
            passage = question.direction_html
            blocks.append(f"[html]{_escaped(passage)}")
        blocks.append(_question(question))
    return ("\n\n".join(blocks) + "\n").encode("utf-8", "replace"), tuple(left_out)


def _path(subject: tuple[str, ...]) -> str:
    return "/".join(_escaped(part.replace("/", "//")) for part in subject)


def _question(question: Question) -> str:
    remarks = [f"[id:{_named(question.identifier)}]"] if question.identifier else []
    remarks += [f"[tag:{_named(tag)}]" for tag in question.tags]
    head = f"// {' '.join(remarks)}\n" if remarks else ""
    title = f"::{_escaped(question.title)}::" if question.title else ""
    explanation = f"\n\t####{_text(question.explanation_html)}" if question.explanation_html else ""
    answers = "".join(f"\n\t{line}" for line in _answers(question))
    mark = "#" if question.kind is QuestionType.NUMERIC else ""
    end = "\n" if answers or explanation else ""
    return f"{head}{title}[html]{_escaped(question.html)} {{{mark}{answers}{explanation}{end}}}"


def _named(name: str) -> str:
    return name.replace("]", r"\]")


def _answers(question: Question) -> Iterator[str]:
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            single = question.kind is QuestionType.SINGLE
            even = Decimal(1) / max(1, sum(option.correct for option in question.options))
            for option in question.options:
                yield _option(option, even, single=single)
        case QuestionType.SHORT:
            for key in question.texts:
                yield f"={_percent(key.weight, needed=key.weight != 1)}{_text(key.text)}{_feedback(key.feedback_html)}"
        case QuestionType.NUMERIC:
            for number in question.numbers:
                yield _number(number)
        case QuestionType.MATCH:
            for pair in question.pairs:
                left = _text(pair.left_html.replace("->", "-&gt;"))
                yield f"={left} -> {_escaped(pair.right)}"
        case _:
            return


def _option(option: Option, even: Decimal, *, single: bool) -> str:
    weight = option.weight
    if weight is None and option.correct and not single:
        weight = round(even, 7)
    mark = "=" if option.correct and single else "~"
    return f"{mark}{_percent(weight, needed=True)}{_text(option.html)}{_feedback(option.feedback_html)}"


def _number(key: NumericKey) -> str:
    number = span(key.low, key.high, "..")
    return f"={_percent(key.weight, needed=key.weight != 1)}{number}{_feedback(key.feedback_html)}"


def _percent(weight: Decimal | None, *, needed: bool) -> str:
    return f"%{digits(weight * 100)}%" if weight is not None and needed else ""


def _feedback(markup: str) -> str:
    return f"#{_text(markup)}" if markup else ""


def _text(text: str) -> str:
    """Write the text of an answer. A text that looks like a format or a weight is marked as HTML."""
    head = "[html]" if _FORMAT.match(text) else ""
    return head + _escaped(text)


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda found: f"\\{found[0]}", text).replace("\n", r"\n")
