"""The outcome of each question of an ended attempt (pure)."""

import re
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from lms_tui.common.cleaning import clean
from lms_tui.common.entities import unescape
from lms_tui.common.frozen import frozen
from lms_tui.common.typed_text import folded
from lms_tui.views import format as say
from lms_tui.views.files import in_words
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.base import parse_duration
from lms_tui.wire.question_types import GAP_TYPES, QuestionType

SLOW: Final = 1.5
"""A question is slow if it took this many times the average time."""
_BY_HAND: Final = frozenset({QuestionType.ESSAY, QuestionType.FILES})
"""Types that are marked by hand."""


class Outcome(StrEnum):
    CORRECT = "correct"
    PARTLY = "partly correct"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"
    ANSWERED = "answered"
    """Answered, without a mark or a key."""


_TOLD: Final = {
    "correct": Outcome.CORRECT,
    "partial": Outcome.PARTLY,
    "incorrect": Outcome.INCORRECT,
    "unanswered": Outcome.UNANSWERED,
    "unscored": Outcome.ANSWERED,
}
_CORRECTED: Final = {
    "key": "The key of this question was corrected after the exam.",
    "void": "This question does not count.",
    "full marks": "Everyone has full marks for this question.",
}
NOT_CORRECT: Final = frozenset({Outcome.INCORRECT, Outcome.PARTLY})
SIGNS: Final = {
    Outcome.CORRECT: "✓",
    Outcome.PARTLY: "~",
    Outcome.INCORRECT: "✗",
    Outcome.UNANSWERED: "·",
    Outcome.ANSWERED: "?",
}
LOOKS: Final = {
    Outcome.CORRECT: "good",
    Outcome.PARTLY: "warning",
    Outcome.INCORRECT: "bad",
    Outcome.UNANSWERED: "dim",
    Outcome.ANSWERED: "accent",
}
_GAP_KEY: Final = re.compile(r"(\d{1,3})\.\s+(.*)", re.DOTALL)
_RANGE: Final = re.compile(r"(\S+)\s+to\s+(\S+)")
_STAR: Final = re.compile(r"(?<!\\)\*")
_TAG: Final = re.compile(r"<[^>]*>")


def outcome(question: ReviewQuestion) -> Outcome:
    """Return what a person or a correction decided, or else compare the answer with the key."""
    return _TOLD.get(question.outcome) or _compared(question)


def outcome_words(question: ReviewQuestion) -> str:
    """Return the outcome for people: an answer that waits for a person is `not marked`."""
    found = outcome(question)
    return "not marked" if found is Outcome.ANSWERED and marked_by_hand(question) else found.value


def _compared(question: ReviewQuestion) -> Outcome:
    """Compare the answer with the key. Text is compared without case and outer blanks."""
    correct = {option.id for option in question.question.answers if option.is_correct}
    chosen = set(question.selected_answers)
    if not chosen and not written_answer(question):
        return Outcome.UNANSWERED
    if not correct:
        return Outcome.ANSWERED
    if question.question.type in GAP_TYPES:
        return _of_gaps(question)
    if not chosen:
        fits = any(_fits(question.short_text or question.essay_text or "", key) for key in key_texts(question))
        return Outcome.CORRECT if fits else Outcome.INCORRECT
    if chosen == correct:
        return Outcome.CORRECT
    return Outcome.PARTLY if chosen < correct else Outcome.INCORRECT


def decision(question: ReviewQuestion) -> list[str]:
    """Return sentences about a correction of the question and about marks that a person gave."""
    told = [_CORRECTED[question.correction]] if question.correction in _CORRECTED else []
    if question.outcome and question.score is not None and question.correction != "void":
        of = "" if question.question.marks is None else f" of {say.number(question.question.marks)}"
        told.append(f"Marks: {say.number(question.score)}{of}.")
    return [*told, *([f"Comment: {clean(question.comment)}"] if question.comment else [])]


def marked_by_hand(question: ReviewQuestion) -> bool:
    return question.question.type in _BY_HAND


def _of_gaps(question: ReviewQuestion) -> Outcome:
    keys, own = gap_keys(question), gap_answers(question)
    if not keys:
        return Outcome.ANSWERED
    correct = sum(gap_is_correct(own.get(gap, ""), texts) for gap, texts in keys.items())
    if correct == len(keys):
        return Outcome.CORRECT
    return Outcome.PARTLY if correct else Outcome.INCORRECT


def written_answer(question: ReviewQuestion) -> str:
    gaps = " · ".join(f"{gap.order}: {in_words(gap.answer)}" for gap in question.gap_fill_responses if gap.answer)
    return question.short_text or question.essay_text or gaps


def plain_text(fragment: str) -> str:
    """Strip the tags of a short HTML text for a comparison or a search. Not safe to show."""
    return " ".join(unescape(_TAG.sub(" ", fragment)).split())


def key_texts(question: ReviewQuestion) -> tuple[str, ...]:
    """The key of a written answer. The server sends it in the list of options."""
    return tuple(plain_text(option.text_html) for option in question.question.answers if option.is_correct)


def gap_keys(question: ReviewQuestion) -> dict[str, tuple[str, ...]]:
    """The correct texts of each gap, from keys such as `2. sea`. Empty if the server sends no keys."""
    found: dict[str, tuple[str, ...]] = {}
    for text in key_texts(question):
        if match := _GAP_KEY.fullmatch(text):
            found[match[1]] = (*found.get(match[1], ()), match[2])
    return found


def gap_answers(question: ReviewQuestion) -> dict[str, str]:
    return {gap.order: gap.answer for gap in question.gap_fill_responses if gap.answer}


def gap_is_correct(answer: str, keys: tuple[str, ...]) -> bool:
    return any(_fits(answer, key) for key in keys)


def _fits(answer: str, key: str) -> bool:
    """Whether an answer fits a key. A key may hold `*` for any text, or a range of numbers such as `1 to 5`."""
    answer = folded(answer)
    if _is_like(answer, [folded(part.replace(r"\*", "*")) for part in _STAR.split(key)]):
        return True
    number = _number(answer)
    if number is None:
        return False
    if limits := _RANGE.fullmatch(key):
        low, high = _number(limits[1]), _number(limits[2])
        return low is not None and high is not None and low <= number <= high
    return number == _number(key)


def _is_like(text: str, parts: list[str]) -> bool:
    """Whether the text consists of these parts with any text between them. Takes one pass."""
    if len(parts) == 1:
        return text == parts[0]
    first, *middle, last = parts
    if not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return at <= end


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.replace("−", "-").replace(",", "."))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def own_seconds(question: ReviewQuestion) -> float | None:
    """Seconds spent on the question, None if unknown."""
    spent = parse_duration(question.duration)
    return None if spent is None else max(0.0, spent.total_seconds())


def best_seconds(question: ReviewQuestion) -> float | None:
    """Seconds of the fastest correct answer, None if unknown. Servers tell 0 where nobody has answered correctly."""
    return None if question.best_duration == 0 and not question.correct_percentage else question.best_duration


def share_correct(question: ReviewQuestion) -> float | None:
    """Per cent of correct answers, None if unknown. Answers that wait for marks are not known to be incorrect."""
    waits = marked_by_hand(question) and outcome(question) is Outcome.ANSWERED
    return None if waits else question.correct_percentage


def is_slow(question: ReviewQuestion) -> bool:
    own, average = own_seconds(question), question.average_duration
    return own is not None and bool(average) and own > SLOW * (average or 0)


@frozen
class ReviewFilter:
    """The questions to show. `kind`: one of FILTERS. `subject`, `text`: "" for all."""

    kind: str = "all"
    subject: str = ""
    text: str = ""

    def takes(self, question: ReviewQuestion) -> bool:
        if self.subject not in {"", question.question.subject} or not _holds(question, self.text):
            return False
        match self.kind:
            case "incorrect":
                return outcome(question) in NOT_CORRECT
            case "unanswered":
                return outcome(question) is Outcome.UNANSWERED
            case "marked":
                return question.review is True
            case "slow":
                return is_slow(question)
            case _:
                return True


def _holds(question: ReviewQuestion, text: str) -> bool:
    """Whether question, options, answer and explanation hold every word of the text."""
    if not text:
        return True
    body = question.question
    parts = [body.question_html, body.direction or "", body.explanation_html, *(o.text_html for o in body.answers)]
    whole = plain_text(" ".join([*parts, written_answer(question)])).casefold()
    return all(word in whole for word in text.casefold().split())


FILTERS: Final = ("all", "incorrect", "unanswered", "marked", "slow")
