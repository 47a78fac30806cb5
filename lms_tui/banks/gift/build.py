"""Build an exam from parsed GIFT: question types, keys, sections and findings."""

import re
from decimal import Decimal
from typing import Final

from lms_tui.banks.collect import Collector
from lms_tui.banks.gift.grammar import parse
from lms_tui.banks.gift.tree import (
    Category,
    Choice,
    Entry,
    Essay,
    Formatted,
    Matching,
    MultipleChoice,
    Numerical,
    Problem,
    ShortAnswer,
    Span,
    TrueFalse,
)
from lms_tui.banks.markup import to_html
from lms_tui.banks.model import NumericKey, Option, Pair, Question, Reading, TextKey
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

_HUNDRED: Final = Decimal(100)
_CONTEXTS: Final = re.compile(r"\$(?:course|module|system|cat\d+|[a-z]+)\$", re.IGNORECASE)


def read_gift(text: str, title: str) -> Reading:
    """Read a GIFT text into an exam named `title`.

    A `$CATEGORY` path is the subject of the questions after it. Several broadest categories make sections. A
    description is the passage of the questions up to the next description or category. Several descriptions in a row
    are one passage.
    """
    collector = Collector()
    for node in parse(text):
        match node:
            case Category():
                collector.end_passage()
                collector.subject = category_path(node.name)
            case Problem():
                collector.error(node.message, node.line)
            case Entry(answers=None):
                collector.describe(html_of(node.stem), node.line)
            case Entry():
                collector.add(question_of(node))
                for note in node.notes:
                    collector.warn(note, node.line, len(collector.questions))
    return collector.reading(title)


def category_path(name: str) -> tuple[str, ...]:
    """Split `$course$/top/Physics/Optics` into subjects. `//` is a slash, and contexts and `top` are left out."""
    parts = [clean_line(part.replace("\0", "/")) for part in name.replace("//", "\0").split("/")]
    named = [part for part in parts if part and not _CONTEXTS.fullmatch(part)]
    return tuple(named[1:] if named[:1] == ["top"] else named)


def html_of(text: Formatted | None) -> str:
    return to_html(text.text, text.markup) if text else ""


def question_of(entry: Entry) -> Question:
    kind, options, numbers, texts, pairs = _keys(entry)
    return Question(
        kind,
        html_of(entry.stem),
        options=options,
        numbers=numbers,
        texts=texts,
        pairs=pairs,
        title=clean_line(entry.title),
        explanation_html=html_of(entry.general_feedback),
        identifier=entry.identifier,
        tags=entry.tags,
        line=entry.line,
    )


_Keys = tuple[QuestionType, tuple[Option, ...], tuple[NumericKey, ...], tuple[TextKey, ...], tuple[Pair, ...]]


def _keys(entry: Entry) -> _Keys:
    match entry.answers:
        case MultipleChoice(choices):
            # As in Moodle, a single = makes this a question with one answer, regardless of weights.
            single = any(choice.right for choice in choices)
            kind = QuestionType.SINGLE if single else QuestionType.MULTIPLE
            return kind, tuple(_option(choice, single) for choice in choices), (), (), ()
        case TrueFalse(is_true, wrong, right):
            options = (
                Option("True", is_true, feedback_html=html_of(right if is_true else wrong)),
                Option("False", not is_true, feedback_html=html_of(wrong if is_true else right)),
            )
            return QuestionType.SINGLE, options, (), (), ()
        case ShortAnswer(choices):
            return QuestionType.SHORT, (), (), tuple(_text_key(choice) for choice in choices), ()
        case Numerical(spans):
            return QuestionType.NUMERIC, (), tuple(_numeric_key(span) for span in spans), (), ()
        case Matching(found):
            return QuestionType.MATCH, (), (), (), tuple(Pair(html_of(pair.left), pair.right) for pair in found)
        case Essay() | None:
            return QuestionType.ESSAY, (), (), (), ()


def _share(weight: Decimal | None) -> Decimal | None:
    return None if weight is None else weight / _HUNDRED


def _option(choice: Choice, single: bool) -> Option:
    weight = choice.weight
    whole = weight is not None and weight >= _HUNDRED
    correct = choice.right or whole if single else weight is not None and weight > 0
    return Option(html_of(choice.text), correct, _share(weight), html_of(choice.feedback))


def _text_key(choice: Choice) -> TextKey:
    weight = _share(choice.weight)
    return TextKey(
        choice.text.text, weight=Decimal(1) if weight is None else weight, feedback_html=html_of(choice.feedback)
    )


def _numeric_key(span: Span) -> NumericKey:
    weight = _share(span.weight)
    return NumericKey(span.low, span.high, Decimal(1) if weight is None else weight, html_of(span.feedback))
