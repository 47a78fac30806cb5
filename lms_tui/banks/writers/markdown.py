"""Write an exam in Markdown, with a front matter and task lists."""

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lms_tui.banks.collect import sections_by_subject
from lms_tui.banks.markup import Markup, to_html
from lms_tui.banks.model import Exam, Question
from lms_tui.banks.sheets.rows import answered
from lms_tui.banks.texts import span, unescaped
from lms_tui.banks.writers.xhtml import xhtml
from lms_tui.banks.writers.yaml_exam import write_yaml
from lms_tui.wire.question_types import QuestionType

_HELD: Final = frozenset(
    {QuestionType.SINGLE, QuestionType.MULTIPLE, QuestionType.SHORT, QuestionType.NUMERIC, QuestionType.ESSAY}
)
_SIGNS: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>&$~=:^\"'])")


def write_markdown(exam: Exam) -> tuple[bytes, tuple[int, ...]]:
    """Return the text and the numbers of the questions that it cannot hold."""
    front = write_yaml(replace(exam, sections=())).decode().replace("questions: []\n", "")
    blocks = [f"---\n{front.strip()}\n---"]
    left_out: list[int] = []
    number = 0
    passage = ""
    named = exam.sections != sections_by_subject(exam.questions)
    for section in exam.sections:
        if named and section.name:
            blocks.append(f"# {_escaped(section.name)}")
            passage = ""
        for question in section.questions:
            number += 1
            if question.kind not in _HELD:
                left_out.append(number)
                continue
            if question.direction_html and question.direction_html != passage:
                blocks.append(_text(question.direction_html))
                passage = question.direction_html
            blocks.append("\n".join(_question(question, number)))
    return ("\n\n".join(blocks) + "\n").encode("utf-8", "replace"), tuple(left_out)


def _question(question: Question, number: int) -> Iterator[str]:
    mark = f"{number}. "
    yield mark + _indented(_text(question.html), len(mark)).strip()
    yield ""
    for option in question.options:
        box = f"- [{'x' if option.correct else ' '}] "
        yield " " * len(mark) + box + _indented(_text(option.html), len(mark) + 2).strip()
    if not question.options:
        key = key_line(question)
        doubtful = question.kind is QuestionType.SHORT and (
            key == "essay" or answered(key, None)["kind"] != question.kind
        )
        yield f"{' ' * len(mark)}Answer{' (text)' if doubtful else ''}: {key}"
    if question.explanation_html:
        yield ""
        yield "\n".join(f"{' ' * len(mark)}> {line}" for line in _text(question.explanation_html).split("\n"))


def _escaped(text: str) -> str:
    return _SIGNS.sub(r"\\\1", text)


def _indented(text: str, width: int) -> str:
    return "\n".join(f"{' ' * width}{line}" if line else "" for line in text.split("\n"))


def key_line(question: Question) -> str:
    """Return the answer to a question without options."""
    if question.kind is QuestionType.ESSAY:
        return "essay"
    numbers = (span(key.low, key.high) for key in question.numbers)
    return " | ".join([*numbers, *(unescaped(key.text) for key in question.texts if key.weight > 0)])


def _text(written: str) -> str:
    """Return HTML as Markdown: as plain text with escaped signs, or with formulas, if that is read back the same."""
    settled = xhtml(written)
    plain = html.unescape(settled)
    one_line = " ".join(settled.split())
    for text in (plain, _escaped(plain), one_line):
        if "\n" not in text and xhtml(to_html(text, Markup.MARKDOWN)) == settled:
            return text
    return re.sub(r"\n\s*\n", "\n", settled)
