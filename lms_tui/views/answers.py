"""How a question is answered: by choosing, writing, filling gaps or matching (pure)."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Final

from lms_tui.attempt.values import Answer, Item
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.common.entities import unescape
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.model import Document, MathsStyle
from lms_tui.views.format import counted
from lms_tui.views.gaps import LeftSide, gaps_in, split_match
from lms_tui.wire.attempts import AttemptQuestionBody
from lms_tui.wire.question_types import GAP_TYPES, QuestionType, label_of

_LONGEST_NUMBER: Final = 64
_WIDE: Final = 10_000


class AnswerMode(Enum):
    CHOOSE = "choose"
    LINE = "line"
    """A field for one line of text, such as a short text or a number."""
    ESSAY = "essay"
    GAPS = "gaps"
    MATCH = "match"
    FILES = "files"
    SHOWN = "shown"
    """Read-only: the type is not supported, or the question has no fields for its answers."""


@frozen
class AnswerForm:
    """The parts of a question that take its answer.

    `choices` is the HTML of the options, of the topics of an essay, or of the right sides of a match. `texts` holds the
    same as plain text, for answers that are sent as text. `fields` are the names of the written fields, as `Wrote`
    takes them. `lefts` are the left sides of a match. `stem` is the text of a match without its left sides, or the text
    with gaps.
    """

    mode: AnswerMode
    choices: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    lefts: tuple[LeftSide, ...] = ()
    stem: Document | None = None

    @property
    def writes(self) -> bool:
        return self.mode in {AnswerMode.LINE, AnswerMode.ESSAY, AnswerMode.GAPS}


def form_of(  # noqa: PLR0911 - one return a type, read as a table
    kind: str, body: AttemptQuestionBody, read: Callable[[str], Document] = parse
) -> AnswerForm:
    """Find out how a question is answered. `kind`: its type, one letter of the API. `read`: reads its HTML."""
    options = tuple(option.text_html for option in body.answers)
    match kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            return AnswerForm(AnswerMode.CHOOSE, options)
        case QuestionType.SHORT | QuestionType.NUMERIC:
            return AnswerForm(AnswerMode.LINE, fields=("short_text",))
        case QuestionType.ESSAY:
            topics = tuple(clean(topic) for topic in body.essay_topics if isinstance(topic, str) and topic.strip())
            return AnswerForm(AnswerMode.ESSAY, tuple(map(_as_html, topics)), topics, ("essay_text",))
        case QuestionType.GAPS:
            document = read(body.question_html)
            gaps = tuple(str(number) for number in gaps_in(document))
            return (
                AnswerForm(AnswerMode.GAPS, fields=gaps, stem=document)
                if gaps
                else AnswerForm(AnswerMode.SHOWN, options)
            )
        case QuestionType.MATCH:
            return _match(read(body.question_html), options)
        case QuestionType.FILES:
            return AnswerForm(AnswerMode.FILES)
        case _:
            return AnswerForm(AnswerMode.SHOWN, options)


def why_read_only(item: Item, form: AnswerForm) -> str:
    """The reason why this question cannot be answered here, "" if it can."""
    if form.mode is not AnswerMode.SHOWN:
        return ""
    kept = "An earlier answer is kept."
    if item.kind in GAP_TYPES:
        return f"This question ({label_of(item.kind)}) has no fields for its answer. {kept}"
    return f"Questions of type {item.kind or '?'} are not supported here. {kept}"


def _match(document: Document, options: tuple[str, ...]) -> AnswerForm:
    divided = split_match(document)
    if divided is None or not options:
        return AnswerForm(AnswerMode.SHOWN, options)
    stem, lefts = divided
    return AnswerForm(
        AnswerMode.MATCH, options, tuple(map(_as_sent, options)), tuple(str(left.gap) for left in lefts), lefts, stem
    )


def _as_html(text: str) -> str:
    from html import escape  # noqa: PLC0415 - brings half a MiB, and few exams have topics of essays

    return escape(text)


def _as_sent(text_html: str) -> str:
    """The text of a right side as the server expects it, from its HTML."""
    if "<" not in text_html:
        return clean(unescape(text_html)).strip()
    return " ".join(line.text.strip() for line in layout(parse(text_html), _WIDE, MathsStyle.SOURCE)).strip()


def written(answer: Answer, field: str) -> str:
    """The text of an answer in one field."""
    match field:
        case "short_text":
            return answer.short_text or ""
        case "essay_text":
            return answer.essay_text or ""
        case "essay_topic":
            return answer.essay_topic or ""
        case _:
            return dict(answer.gaps).get(field, "")


def chosen_of(form: AnswerForm, item: Item) -> frozenset[int]:
    """Indexes of the chosen options, or of the chosen topic."""
    if form.mode is AnswerMode.CHOOSE:
        return frozenset(place for place, option in enumerate(item.options) if option in item.answer.selected)
    if form.mode is AnswerMode.ESSAY and item.answer.essay_topic:
        return frozenset(place for place, topic in enumerate(form.texts) if topic == item.answer.essay_topic)
    return frozenset()


UNKNOWN: Final = -2
"""A left side whose answer is none of the right sides."""


def matched_of(form: AnswerForm, answer: Answer) -> tuple[int, ...]:
    """The index of the right side for each left side, -1 for none, UNKNOWN for another text."""
    places = {_folded(text): place for place, text in enumerate(form.texts)}
    given = dict(answer.gaps)
    return tuple(
        places.get(_folded(given[field]), UNKNOWN) if given.get(field, "").strip() else -1 for field in form.fields
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def next_open(form: AnswerForm, answer: Answer, after: int) -> int:
    """Index of the next empty field after `after`, also from the start. The following field if none is empty."""
    count = len(form.fields)
    places = [(after + step) % count for step in range(1, count + 1)]
    return next((place for place in places if not written(answer, form.fields[place]).strip()), places[0])


def number_problem(text: str) -> str:
    """Say why a text is not a number, "" if it is one. The text is sent in any case."""
    plain = "".join(text.split()).replace("\u2212", "-")
    if not plain:
        return ""
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        number = Decimal(plain) if len(plain) <= _LONGEST_NUMBER and "_" not in plain else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite():
        return "not a number (12.5, -3, 1e6)"
    return ""


def length_words(text: str, *, short: bool = False) -> str:
    """`132 words, 801 characters`, or only the words."""
    words = counted(len(text.split()), "word")
    return words if short else f"{words}, {counted(len(text), 'character')}"


def pasted(text: str, *, lines: bool) -> str:
    """Clean pasted text for a field of one line, or of many `lines`."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # terminals use different line ends in a paste
    return clean(text).expandtabs(4) if lines else clean_line(text)
