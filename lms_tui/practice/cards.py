"""A question to practise, with its key (pure)."""

import hashlib
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from difflib import SequenceMatcher
from random import Random
from typing import Final

from pydantic import TypeAdapter, ValidationError

from lms_tui.attempt.values import Answer
from lms_tui.banks import scoring
from lms_tui.banks.asked import key_texts, match_choices, match_html
from lms_tui.banks.choices import html_with_choices
from lms_tui.banks.model import Exam, NumericKey, Question, TextKey
from lms_tui.banks.scoring import OptionKey, Outcome, QuestionKey
from lms_tui.banks.texts import literal
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.images.found import sources_in
from lms_tui.content.layout import layout
from lms_tui.content.model import MathsStyle
from lms_tui.wire.attempts import AnswerOption, AttemptQuestionBody, GapFill, ReviewOption, ReviewQuestion
from lms_tui.wire.attempts import ReviewQuestionBody as Body
from lms_tui.wire.question_types import CHOICE_TYPES, QuestionType

_ALIKE: Final = 0.6
"""Least share of equal characters in two versions of a question."""
_FORMULA: Final = re.compile(r"\\[(\[]|\$")
_WIDE: Final = 10_000
_TAG: Final = re.compile(r"<[^>]*>")
_PLACED: Final = re.compile(r"\b(all|none|both|neither|each) of (the|these|them)\b|\b(above|below)\b", re.IGNORECASE)
"""Words of options whose order matters."""


@frozen
class Card:
    """A question with its key and the texts that are shown with it.

    `shown`: the options, or else the keys of written answers, as a review has them. `number`: the ID that the server or
    the file gives the question, or "". `usual`: seconds that the question usually takes, None if that is not known.
    """

    asked: AttemptQuestionBody
    key: QuestionKey
    shown: tuple[ReviewOption, ...] = ()
    explanation_html: str = ""
    exam: str = ""
    number: str = ""
    usual: float | None = None

    @property
    def kind(self) -> str:
        return self.asked.type

    @property
    def subject(self) -> str:
        return clean_line(self.asked.subject)

    @property
    def options(self) -> tuple[int, ...]:
        return tuple(option.id for option in self.asked.answers) if self.kind in CHOICE_TYPES else ()

    @property
    def pictures(self) -> list[str]:
        """The addresses of the pictures that are not in the text itself."""
        asked, options = self.asked, (*self.asked.answers, *self.shown)
        texts = (asked.direction, asked.question_html, self.explanation_html, *(each.text_html for each in options))
        return list(dict.fromkeys(sources_in(text for text in texts if text and "<img" in text.lower())))

    @property
    def words(self) -> str:
        """The question without tags, in one line. A gap is a line, and a formula is drawn in one line."""
        if _FORMULA.search(self.asked.question_html):
            lines = layout(parse(self.asked.question_html), _WIDE, MathsStyle.LINE)
            return clean_line(" ".join(" ".join(line.text for line in lines).split()))
        return re.sub(r"\[\[\s*\d+\s*\]\]", "____", plain_words(self.asked.question_html))

    @property
    def digest(self) -> str:
        """The same for two questions with the same passage, text and options. The key does not count."""
        return hashlib.sha256("\0".join(self._parts()).encode()).hexdigest()

    def _parts(self) -> Iterator[str]:
        yield self.kind
        yield plain_words(self.asked.direction or "", tags=True)
        yield plain_words(self.asked.question_html, tags=True)
        yield from sorted(plain_words(option.text_html, tags=True) for option in self.asked.answers)

    def is_version_of(self, other: "Card") -> bool:
        """Whether this is the question with the same number, although its content has changed.

        A server that was set up anew gives old numbers to other questions.
        """
        if not self.number or (self.number, self.kind) != (other.number, other.kind):
            return False
        options, others = (sorted(option.text_html for option in card.asked.answers) for card in (self, other))
        alike = SequenceMatcher(None, self.words, other.words, autojunk=False).ratio() >= _ALIKE
        return alike or (bool(options) and options == others)

    def outcome(self, answer: Answer) -> Outcome:
        """Judge an answer by the rules of the service."""
        gaps = tuple((int(gap), text) for gap, text in answer.gaps if gap.isdecimal())
        given = scoring.Answer(frozenset(answer.selected), answer.short_text or "", answer.essay_text or "", gaps)
        return scoring.mark(self.key, given).outcome

    def shuffled(self, random: Random) -> "Card":
        """Return the card with its options in another order, unless an option speaks of the others."""
        answers = list(self.asked.answers)
        if self.kind not in CHOICE_TYPES or any(_PLACED.search(plain_words(each.text_html)) for each in answers):
            return self
        random.shuffle(answers)
        places = {option.id: place for place, option in enumerate(answers)}
        shown = tuple(sorted(self.shown, key=lambda option: places.get(option.id, len(places))))
        return replace(self, asked=self.asked.model_copy(update={"answers": tuple(answers)}), shown=shown)

    def reviewed(self, answer: Answer, outcome: Outcome, seconds: float | None, order: int = 1) -> ReviewQuestion:
        """Return the question as a review shows it, with this answer."""
        asked = self.asked
        body = Body(
            question_html=asked.question_html, direction=asked.direction, answers=self.shown, subject=asked.subject,
            explanation_html=self.explanation_html, type=asked.type,
        )  # fmt: skip
        return ReviewQuestion(
            id=order, order=order, question=body, duration=None if seconds is None else str(round(seconds, 1)),
            selected_answers=answer.selected, short_text=answer.short_text, essay_text=answer.essay_text,
            gap_fill_responses=tuple(GapFill(order=gap, answer=text) for gap, text in answer.gaps),
            average_duration=self.usual, outcome=outcome.value,
        )  # fmt: skip


_CARD: Final = TypeAdapter(Card)


def written(card: Card) -> str:
    return _CARD.dump_json(card).decode()


def read(text: str) -> Card | None:
    """Return a card that `written` has written, None for anything else."""
    try:
        return _CARD.validate_json(text)
    except ValidationError:
        return None


def plain_words(fragment: str, *, tags: bool = False) -> str:
    """Return HTML as one clean line, without its tags unless they are wanted."""
    return clean_line(" ".join(html.unescape(fragment if tags else _TAG.sub(" ", fragment)).split()))


def cards_of(exam: Exam) -> tuple[Card, ...]:
    """Return every question of an exam file as a card."""
    limit, count = exam.duration, len(exam.questions)
    usual = limit.total_seconds() / count if limit and count else None
    return tuple(_card(question, exam.title, usual) for question in exam.questions)


def _card(question: Question, exam: str, usual: float | None) -> Card:
    pairs = [pair for pair in question.pairs if pair.left_html]
    options = tuple(ReviewOption(id=place, text_html=each.html, is_correct=each.correct)
                    for place, each in enumerate(question.options, 1))  # fmt: skip
    text, choices = html_with_choices(question), tuple(option.text_html for option in options)
    if question.kind is QuestionType.MATCH:
        text = match_html(text, [pair.left_html for pair in pairs])
        choices = tuple(match_choices(pair.right for pair in question.pairs))
    key = QuestionKey(
        0,
        question.kind.value,
        options=tuple(OptionKey(place, each.correct, each.weight) for place, each in enumerate(question.options, 1)),
        numbers=question.numbers,
        texts=tuple(TextKey(literal(pair.right), gap) for gap, pair in enumerate(pairs, 1)) or question.texts,
    )
    asked = AttemptQuestionBody(
        question_html=text,
        direction=question.direction_html or None,
        answers=tuple(AnswerOption(id=place, text_html=each) for place, each in enumerate(choices, 1)),
        essay_topics=question.essay_topics,
        subject=question.subject[-1] if question.subject else "",
        type=question.kind.value,
    )
    shown = options or key_options(key)
    return Card(asked, key, shown, question.explanation_html, clean_line(exam), question.identifier, usual)


def key_options(key: QuestionKey) -> tuple[ReviewOption, ...]:
    """Return the keys of a written answer as the options of a review."""
    return tuple(
        ReviewOption(id=place, text_html=html.escape(text, quote=False), is_correct=True)
        for place, text in enumerate(key_texts(key), 1)
    )


def key_of(kind: str, options: Iterable[ReviewOption]) -> QuestionKey:
    """Return the key that a review tells by its options. For written answers, each option is one correct text."""
    given = tuple(options)
    if kind in CHOICE_TYPES:
        return QuestionKey(0, kind, options=tuple(OptionKey(each.id, each.is_correct) for each in given))
    numbers: list[NumericKey] = []
    texts: list[TextKey] = []
    for option in given:
        if option.is_correct:
            gap, text = _divided(kind, plain_words(option.text_html))
            texts.append(TextKey(text, gap))
            if limits := _range(text):
                numbers.append(NumericKey(*limits, gap=gap))
    return QuestionKey(0, kind, numbers=tuple(numbers), texts=tuple(texts))


def _divided(kind: str, text: str) -> tuple[int, str]:
    """Return the gap and the text of a key such as `2. sea`, 0 for a question without gaps."""
    found = re.fullmatch(r"(\d{1,3})\.\s+(.*)", text) if kind in {QuestionType.GAPS, QuestionType.MATCH} else None
    return (int(found[1]), found[2]) if found else (0, text)


def _range(text: str) -> tuple[Decimal, Decimal] | None:
    """Return the limits of a key such as `1.9 to 2.1` or `2`."""
    low, _, high = text.partition(" to ")
    limits = scoring.read_number(low), scoring.read_number(high or low)
    return (limits[0], limits[1]) if limits[0] is not None and limits[1] is not None else None
