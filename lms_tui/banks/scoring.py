"""The marks of an answer by the key of its question, as pure functions.

A partly correct answer earns its share of the marks without a penalty. It counts as incorrect, because the API knows
only correct, incorrect and unanswered. Essays and files are marked by hand: until then they earn nothing, do not count
in the maximum, and are unanswered only if nothing was written. So are the answers to a void question.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from lms_tui.banks.model import NumericKey, TextKey
from lms_tui.common.frozen import frozen
from lms_tui.common.typed_text import folded
from lms_tui.wire.question_types import QuestionType

BY_HAND: Final = frozenset({QuestionType.ESSAY, QuestionType.FILES})
"""Types that only a person can mark."""
_NOTHING: Final = Decimal(0)
_WHOLE: Final = Decimal(1)
# Files round weights such as 33.33333 %, and three of them must make the whole key.
_ROUNDING: Final = Decimal("0.001")
_MAX_NUMBER_LENGTH: Final = 64
_STAR: Final = re.compile(r"(?<!\\)\*")


class Outcome(StrEnum):
    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"
    UNSCORED = "unscored"


@frozen
class OptionKey:
    """`weight`: the share of the marks that this option earns, or costs if negative."""

    id: int
    correct: bool
    weight: Decimal | None = None


@frozen
class QuestionKey:
    """A question with its key.

    `negative_marks`: the cost of an incorrect answer, with or without a sign.
    `texts`, `numbers`: keys of written answers. Their gap is 0 for a single field, or else counts from 1. In a match
    question, gap n belongs to the n-th left side.
    `bonus`: every student earns the marks. `void`: the question does not count.
    """

    id: int
    kind: str
    marks: Decimal = _WHOLE
    negative_marks: Decimal = _NOTHING
    options: tuple[OptionKey, ...] = ()
    numbers: tuple[NumericKey, ...] = ()
    texts: tuple[TextKey, ...] = ()
    subject: int | None = None
    section: int | None = None
    bonus: bool = False
    void: bool = False

    @property
    def scored(self) -> bool:
        """Whether the key decides the marks."""
        return not self.void and self.kind not in BY_HAND


@frozen
class Answer:
    """The answer to one question. `gaps`: pairs of the gap number, from 1, and its text."""

    selected: frozenset[int] = frozenset()
    short_text: str = ""
    essay_text: str = ""
    gaps: tuple[tuple[int, str], ...] = ()


BLANK: Final = Answer()


@frozen
class MarkedQuestion:
    """The marks of one question in one attempt. `counted`: the marks of the question belong to the maximum."""

    question: int
    outcome: Outcome
    score: Decimal
    subject: int | None = None
    section: int | None = None
    counted: bool = True


def mark(question: QuestionKey, answer: Answer = BLANK, by_hand: Decimal | None = None) -> MarkedQuestion:
    """Mark one answer. `by_hand`: the marks that a person gave, which count in place of the key.

    The whole key earns the marks and a part of it earns its share. An incorrect answer costs the negative marks, or the
    negative weight of the chosen option if that costs more.
    """
    outcome, share = _judge(question, answer)
    if by_hand is not None and not question.void:
        outcome, score = _judge_by_hand(question, outcome, by_hand), by_hand
    elif question.bonus and question.scored:
        outcome, score = Outcome.CORRECT, question.marks
    elif outcome is Outcome.INCORRECT:
        score = min(-abs(question.negative_marks), question.marks * share)
    else:
        score = question.marks * share
    counted = question.scored or (by_hand is not None and not question.void)
    return MarkedQuestion(question.id, outcome, score, question.subject, question.section, counted)


def _judge_by_hand(question: QuestionKey, outcome: Outcome, marks: Decimal) -> Outcome:
    if marks >= question.marks:
        return Outcome.CORRECT
    if marks > 0:
        return Outcome.PARTIAL
    return Outcome.UNANSWERED if outcome is Outcome.UNANSWERED else Outcome.INCORRECT


def is_answered(question: QuestionKey, answer: Answer) -> bool:
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            return bool(answer.selected)
        case QuestionType.SHORT | QuestionType.NUMERIC:
            return bool(answer.short_text.strip())
        case QuestionType.GAPS | QuestionType.MATCH | QuestionType.FILES:
            return any(text.strip() for _, text in answer.gaps)
        case _:
            return bool(answer.essay_text.strip())


def _judge(question: QuestionKey, answer: Answer) -> tuple[Outcome, Decimal]:
    if not is_answered(question, answer):
        return Outcome.UNANSWERED, _NOTHING
    judge = _JUDGES.get(question.kind)
    if judge is None or question.void:
        return Outcome.UNSCORED, _NOTHING
    share = judge(question, answer)
    if share >= _WHOLE - _ROUNDING:
        return Outcome.CORRECT, _WHOLE
    return (Outcome.PARTIAL if share > 0 else Outcome.INCORRECT), share


def _share_of_single(question: QuestionKey, answer: Answer) -> Decimal:
    chosen = [option for option in question.options if option.id in answer.selected]
    if len(chosen) != 1 or len(answer.selected) != 1:
        return _NOTHING
    only = chosen[0]
    return _WHOLE if only.correct else only.weight or _NOTHING


def _share_of_multiple(question: QuestionKey, answer: Answer) -> Decimal:
    """Return 1 for exactly the key, or else the sum of the weights. A wrong option without a weight makes it 0."""
    if answer.selected == {option.id for option in question.options if option.correct}:
        return _WHOLE
    chosen = [option for option in question.options if option.id in answer.selected]
    if len(chosen) != len(answer.selected) or any(option.weight is None for option in chosen if option.correct):
        return _NOTHING
    if any(not option.correct and not option.weight for option in chosen):
        return _NOTHING
    total = sum((option.weight or _NOTHING for option in chosen), _NOTHING)
    # Less than 1, which only the whole key earns.
    return max(_NOTHING, min(total, _WHOLE - 2 * _ROUNDING))


def _share_of_text(question: QuestionKey, answer: Answer) -> Decimal:
    return _best_text(question.texts, answer.short_text)


def _share_of_number(question: QuestionKey, answer: Answer) -> Decimal:
    return _best_number(question.numbers, answer.short_text)


def _share_of_gaps(question: QuestionKey, answer: Answer) -> Decimal:
    """Return the mean share of the gaps."""
    texts: dict[int, list[TextKey]] = defaultdict(list)
    numbers: dict[int, list[NumericKey]] = defaultdict(list)
    for text in question.texts:
        texts[text.gap].append(text)
    for number in question.numbers:
        numbers[number.gap].append(number)
    written = dict(answer.gaps)
    shares = [
        max(_NOTHING, _best_text(texts[gap], written.get(gap, "")), _best_number(numbers[gap], written.get(gap, "")))
        for gap in texts.keys() | numbers.keys()
    ]
    return sum(shares, _NOTHING) / len(shares) if shares else _NOTHING


def _best_number(keys: Iterable[NumericKey], text: str) -> Decimal:
    number = read_number(text)
    if number is None:
        return _NOTHING
    return max((key.weight for key in keys if key.low <= number <= key.high), default=_NOTHING)


def _best_text(keys: Iterable[TextKey], text: str) -> Decimal:
    if not text.strip():
        return _NOTHING
    return max((key.weight for key in keys if _matches(key, text)), default=_NOTHING)


def _matches(key: TextKey, text: str) -> bool:
    r"""Compare as `folded` does. In a key, `*` is any text and `\*` a star."""
    written = folded(text, case_sensitive=key.case_sensitive)
    parts = [part.replace(r"\*", "*") for part in _STAR.split(key.text)]
    first, *others = [folded(part, case_sensitive=key.case_sensitive) for part in parts]
    if not others:
        return written == first
    if not written.startswith(first):
        return False
    at = len(first)
    for part in others[:-1]:
        found = written.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return written.endswith(others[-1]) and len(written) - len(others[-1]) >= at


_JUDGES: Final[Mapping[str, Callable[[QuestionKey, Answer], Decimal]]] = {
    QuestionType.SINGLE: _share_of_single,
    QuestionType.MULTIPLE: _share_of_multiple,
    QuestionType.SHORT: _share_of_text,
    QuestionType.NUMERIC: _share_of_number,
    QuestionType.GAPS: _share_of_gaps,
    QuestionType.MATCH: _share_of_gaps,
}


def read_number(text: str) -> Decimal | None:
    """Parse a number such as `3,5`, `−2` or `1e3`. Return None for anything else and for infinity."""
    plain = "".join(text.split()).replace("\u2212", "-")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not plain or len(plain) > _MAX_NUMBER_LENGTH or "_" in plain:
        return None
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def mark_all(
    questions: Iterable[QuestionKey], answers: Mapping[int, Answer], by_hand: Mapping[int, Decimal] | None = None
) -> tuple[MarkedQuestion, ...]:
    """Mark every question of an exam. Questions without an answer are unanswered. `by_hand`: see `mark`."""
    hand = by_hand or {}
    return tuple(mark(question, answers.get(question.id, BLANK), hand.get(question.id)) for question in questions)
