"""Write an exam in Moodle XML."""

import base64
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from lms_tui.banks.file_types import MOST_FILES
from lms_tui.banks.model import Exam, NumericKey, Option, Question, TextKey
from lms_tui.banks.texts import GAP, digits, unescaped
from lms_tui.banks.writers.xhtml import Files, escape
from lms_tui.wire.question_types import QuestionType

_TYPES: Final = {
    QuestionType.SINGLE: "multichoice",
    QuestionType.MULTIPLE: "multichoice",
    QuestionType.SHORT: "shortanswer",
    QuestionType.NUMERIC: "numerical",
    QuestionType.ESSAY: "essay",
    QuestionType.FILES: "essay",
    QuestionType.MATCH: "matching",
    QuestionType.GAPS: "cloze",
}
_IN_CLOZE: Final = re.compile(r"[}~#\\]")


def write_moodle_xml(exam: Exam) -> bytes:
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    subject: tuple[str, ...] = ()
    passage = ""
    for question in exam.questions:
        if question.subject != subject or (passage and question.direction_html != passage):
            parts.append(_category(question.subject))
            subject, passage = question.subject, ""
        if question.direction_html and question.direction_html != passage:
            passage = question.direction_html
            parts.append(_described(passage))
        parts.append("\n".join(_Writer(question).lines()))
    parts.append("</quiz>\n")
    return "\n".join(parts).encode("utf-8", "replace")


def _category(subject: tuple[str, ...]) -> str:
    path = "/".join(["$course$/top", *(part.replace("/", "//") for part in subject)])
    return f'<question type="category"><category><text>{escape(path)}</text></category></question>'


def _described(html: str) -> str:
    text = _Writer(Question(QuestionType.ESSAY, "")).formatted("questiontext", html)
    return f'<question type="description"><name><text>Passage</text></name>{text}</question>'


class _Writer:
    def __init__(self, question: Question) -> None:
        self.question = question

    def lines(self) -> Iterator[str]:
        question = self.question
        answers = list(self._answers())
        kind, stem = _TYPES[question.kind], question.html
        if question.kind is QuestionType.GAPS:
            chosen = _chosen(question)
            kind = "gapselect" if chosen else "cloze"
            stem = GAP.sub(
                lambda found: chosen.get(int(found[1]), found[0]) if chosen else _embedded(question, found), stem
            )
            answers = [_choice(text, group) for text, group in _choices(question)] if chosen else []
        yield f'<question type="{kind}">'
        yield f"<name><text>{escape(question.title)}</text></name>"
        yield self.formatted("questiontext", stem)
        if question.explanation_html:
            yield self.formatted("generalfeedback", question.explanation_html)
        if question.marks is not None:
            yield f"<defaultgrade>{digits(question.marks)}</defaultgrade>"
        if question.identifier:
            yield f"<idnumber>{escape(question.identifier)}</idnumber>"
        yield from answers
        if question.tags:
            tags = "".join(f"<tag><text>{escape(tag)}</text></tag>" for tag in question.tags)
            yield f"<tags>{tags}</tags>"
        yield "</question>"

    def formatted(self, name: str, html: str, attributes: str = "", more: str = "") -> str:
        """Write an element with an HTML text and its pictures."""
        files = Files()
        text = files.take_out(html, lambda file: f"@@PLUGINFILE@@/{file}")
        inside = "".join(
            f'<file name="{file}" path="/" encoding="base64">{base64.b64encode(data).decode("ascii")}</file>'
            for data, file in files.names.items()
        )
        return f'<{name} format="html"{attributes}><text>{_cdata(text)}</text>{inside}{more}</{name}>'

    def _answers(self) -> Iterator[str]:
        question = self.question
        match question.kind:
            case QuestionType.SINGLE | QuestionType.MULTIPLE:
                yield f"<single>{'true' if question.kind is QuestionType.SINGLE else 'false'}</single>"
                yield "<shuffleanswers>false</shuffleanswers>"
                for option in question.options:
                    yield self._option(option)
            case QuestionType.SHORT:
                yield f"<usecase>{int(any(key.case_sensitive for key in question.texts))}</usecase>"
                for key in question.texts:
                    yield self._text_key(key)
            case QuestionType.NUMERIC:
                yield from self._numbers()
            case QuestionType.FILES:
                most = -1 if question.most_files == MOST_FILES else question.most_files
                yield f"<responseformat>noinline</responseformat><attachments>{most}</attachments>"
                yield "<attachmentsrequired>1</attachmentsrequired>"
                if question.file_types:
                    yield f"<filetypeslist>{','.join(question.file_types)}</filetypeslist>"
            case QuestionType.MATCH:
                for pair in question.pairs:
                    answer = f"<answer><text>{escape(pair.right)}</text></answer>"
                    yield self.formatted("subquestion", pair.left_html, more=answer)
            case _:
                return

    def _option(self, option: Option) -> str:
        single = self.question.kind is QuestionType.SINGLE
        weight = option.weight
        if weight is None:
            right = sum(each.correct for each in self.question.options)
            whole = Decimal(1) if single else round(Decimal(1) / max(1, right), 7)
            weight = whole if option.correct else Decimal(0)
        feedback = self.formatted("feedback", option.feedback_html) if option.feedback_html else ""
        return self.formatted("answer", option.html, f' fraction="{digits(weight * 100)}"', feedback)

    def _text_key(self, key: TextKey) -> str:
        feedback = self.formatted("feedback", key.feedback_html) if key.feedback_html else ""
        share = digits(key.weight * 100)
        return (
            f'<answer fraction="{share}" format="moodle_auto_format"><text>{escape(key.text)}</text>{feedback}</answer>'
        )

    def _numbers(self) -> Iterator[str]:
        for key in self.question.numbers:
            middle, reach = (key.low + key.high) / 2, (key.high - key.low) / 2
            feedback = self.formatted("feedback", key.feedback_html) if key.feedback_html else ""
            text = f"<text>{digits(middle)}</text>{feedback}<tolerance>{digits(reach)}</tolerance>"
            yield f'<answer fraction="{digits(key.weight * 100)}">{text}</answer>'


def _choices(question: Question) -> list[tuple[str, int]]:
    """Return every choice with its group number. Gaps with the same choices share a group."""
    groups = list(dict.fromkeys(question.gap_choices))
    return [(text, number) for number, group in enumerate(groups, 1) for text in group]


def _chosen(question: Question) -> dict[int, str]:
    """Return the references `[[n]]` by gap, or nothing unless every gap offers choices that include its key."""
    choices = _choices(question)
    groups = list(dict.fromkeys(question.gap_choices))
    chosen: dict[int, str] = {}
    for gap, offered in enumerate(question.gap_choices, 1):
        keys = question.texts_of(gap)
        text = unescaped(keys[0].text) if len(keys) == 1 else ""
        if not text or text not in offered:
            return {}
        chosen[gap] = f"[[{choices.index((text, groups.index(offered) + 1)) + 1}]]"
    written = [int(found[1]) for found in GAP.finditer(question.html)]
    return chosen if set(written) <= set(chosen) else {}


def _choice(text: str, group: int) -> str:
    return f"<selectoption><text>{escape(escape(text))}</text><group>{group}</group></selectoption>"


def _embedded(question: Question, found: "re.Match[str]") -> str:
    """Write an embedded answer of Moodle's cloze."""
    gap = int(found[1])
    if numbers := question.numbers_of(gap):
        return f"{{1:NUMERICAL:{'~'.join(_cloze_number(key) for key in numbers)}}}"
    keys = question.texts_of(gap)
    offered = question.choices_of(gap)
    if not keys:
        return found[0]
    if offered:
        right = {unescaped(key.text): key.weight for key in keys}
        written = [_share(right.get(text, Decimal(0))) + _in_cloze(escape(text)) for text in offered]
        return f"{{1:MULTICHOICE:{'~'.join(written)}}}"
    sensitive = "_C" if any(key.case_sensitive for key in keys) else ""
    return f"{{1:SHORTANSWER{sensitive}:{'~'.join(_cloze_keys(keys))}}}"


def _cloze_keys(keys: Sequence[TextKey]) -> Iterator[str]:
    for key in keys:
        feedback = f"#{_in_cloze(key.feedback_html)}" if key.feedback_html else ""
        yield f"{_share(key.weight)}{_in_cloze(escape(key.text))}{feedback}"


def _cloze_number(key: NumericKey) -> str:
    middle, reach = (key.low + key.high) / 2, (key.high - key.low) / 2
    feedback = f"#{_in_cloze(key.feedback_html)}" if key.feedback_html else ""
    return f"{_share(key.weight)}{digits(middle)}:{digits(reach)}{feedback}"


def _share(weight: Decimal) -> str:
    return "=" if weight == 1 else f"%{digits(weight * 100)}%"


def _in_cloze(text: str) -> str:
    return _IN_CLOZE.sub(lambda found: f"\\{found[0]}", text)


def _cdata(text: str) -> str:
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>" if re.search("[<&]", text) else escape(text)
