"""How a question is answered from the keyboard: by choosing, writing, filling gaps or matching (pure)."""

import html
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Final

from lms_tui.attempt.values import Answer, Item
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.content.model import Document, MathsStyle
from lms_tui.views.gaps import Left, gaps_in, match_of
from lms_tui.wire.attempts import AttemptQuestionBody
from lms_tui.wire.question_types import GAP_TYPES, QuestionType, label_of

_LONGEST_NUMBER: Final = 64
_WIDE: Final = 10_000


class AnswerMode(Enum):
    CHOOSE = "choose"
    LINE = "line"
    """One line of text: a short text or a number."""
    ESSAY = "essay"
    GAPS = "gaps"
    MATCH = "match"
    SHOWN = "shown"
    """Nothing here takes an answer of this type, or its parts were not found: what was given stays as it is."""


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What a question offers to answer with.

    `choices`: HTML of what is chosen from: options, the topics of an essay, or the right sides of a match. `texts`: the
    same as what is sent, where a text is sent. `fields`: names of what is written, as `Wrote` takes them; `lefts`: the
    left sides of a match, `stem` its text without them, or the text with the gaps.
    """

    mode: AnswerMode
    choices: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    lefts: tuple[Left, ...] = ()
    stem: Document | None = None

    @property
    def writes(self) -> bool:
        """Whether there is a field to write into."""
        return self.mode in {AnswerMode.LINE, AnswerMode.ESSAY, AnswerMode.GAPS}


def form_of(kind: str, body: AttemptQuestionBody) -> AnswerForm:
    """Find out how a question is answered; what it lacks is never guessed."""
    options = tuple(option.text_html for option in body.answers)
    match kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            return AnswerForm(AnswerMode.CHOOSE, options)
        case QuestionType.SHORT | QuestionType.NUMERIC:
            return AnswerForm(AnswerMode.LINE, fields=("short_text",))
        case QuestionType.ESSAY:
            topics = tuple(clean(topic) for topic in body.essay_topics if isinstance(topic, str) and topic.strip())
            return AnswerForm(AnswerMode.ESSAY, tuple(map(html.escape, topics)), topics, ("essay_text",))
        case QuestionType.GAPS:
            document = parse(body.question_html)
            gaps = tuple(str(number) for number in gaps_in(document))
            return (
                AnswerForm(AnswerMode.GAPS, fields=gaps, stem=document)
                if gaps
                else AnswerForm(AnswerMode.SHOWN, options)
            )
        case QuestionType.MATCH:
            return _match(body, options)
        case _:
            return AnswerForm(AnswerMode.SHOWN, options)


def why_read_only(item: Item, form: AnswerForm) -> str:
    """Why this question cannot be answered here; "" where it can."""
    if form.mode is not AnswerMode.SHOWN:
        return ""
    kept = "what was given stays as it is."
    if item.kind in GAP_TYPES:
        return f"This question ({label_of(item.kind)}) does not say where its answers go, so it is only shown; {kept}"
    if label := label_of(item.kind):
        return f"This program does not take answers of this type ({label}); {kept}"
    return f"Questions of type {item.kind or '?'} are unknown here; {kept}"


def _match(body: AttemptQuestionBody, options: tuple[str, ...]) -> AnswerForm:
    divided = match_of(parse(body.question_html))
    if divided is None or not options:
        return AnswerForm(AnswerMode.SHOWN, options)
    stem, lefts = divided
    return AnswerForm(
        AnswerMode.MATCH, options, tuple(map(_as_sent, options)), tuple(str(left.gap) for left in lefts), lefts, stem
    )


def _as_sent(text_html: str) -> str:
    """The text of a right side: as it was before it became HTML, or what can be read of it."""
    if "<" not in text_html:
        return clean(html.unescape(text_html)).strip()
    return " ".join(line.text.strip() for line in layout(parse(text_html), _WIDE, MathsStyle.SOURCE)).strip()


def written(answer: Answer, field: str) -> str:
    """What an answer has in a field."""
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
    """Places of what is chosen among options or topics."""
    if form.mode is AnswerMode.CHOOSE:
        return frozenset(place for place, option in enumerate(item.options) if option in item.answer.selected)
    if form.mode is AnswerMode.ESSAY and item.answer.essay_topic:
        return frozenset(place for place, topic in enumerate(form.texts) if topic == item.answer.essay_topic)
    return frozenset()


UNKNOWN: Final = -2
"""A left side whose right side is none of those offered: it is shown as it was sent."""


def matched_of(form: AnswerForm, answer: Answer) -> tuple[int, ...]:
    """For each left side the place of its right side, -1 for none yet."""
    places = {_folded(text): place for place, text in enumerate(form.texts)}
    given = dict(answer.gaps)
    return tuple(
        places.get(_folded(given[field]), UNKNOWN) if given.get(field, "").strip() else -1 for field in form.fields
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def next_open(form: AnswerForm, answer: Answer, after: int) -> int:
    """Place of the next field without an answer, around the end; the one after this where all have one."""
    count = len(form.fields)
    places = [(after + step) % count for step in range(1, count + 1)]
    return next((place for place in places if not written(answer, form.fields[place]).strip()), places[0])


# Words about what is written.


def number_trouble(text: str) -> str:
    """What is wrong with a text as a number, "" for nothing; it is kept and sent as it is."""
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
    """`132 words, 801 characters`; `short`: the words alone."""
    words = len(text.split())
    told = f"{words} {'word' if words == 1 else 'words'}"
    return told if short else f"{told}, {len(text)} {'character' if len(text) == 1 else 'characters'}"


def pasted(text: str, *, lines: bool) -> str:
    """What the clipboard holds, for a field of one line or of many."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # terminals end the lines of a paste as they like
    return clean(text).expandtabs(4) if lines else clean_line(text)
