"""Marks, places and analytics of attempts: pure functions from frozen values to frozen values.

Outcomes and counts: a question that was answered partly right earns its share of the marks, costs nothing, and counts
as incorrect, because the wire knows only correct, incorrect and unanswered. Essays and files wait for a person: they
earn nothing, are in no maximum, and count as unanswered only where nothing was written.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Final

from lms_tui.banks.model import NumericKey, TextKey
from lms_tui.wire.question_types import QuestionType

_NOTHING: Final = Decimal(0)
_WHOLE: Final = Decimal(1)
# Weights such as 33.33333 % are written with few places; three of them are the whole key.
_ROUNDING: Final = Decimal("0.001")
_PLACES: Final = Decimal("0.01")
_LONGEST_NUMBER: Final = 64
_STAR: Final = re.compile(r"(?<!\\)\*")


class Outcome(StrEnum):
    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    UNANSWERED = "unanswered"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class OptionKey:
    """`weight`: the share of the marks that choosing it earns or, below zero, costs; None where the file gave none."""

    id: int
    correct: bool
    weight: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its key. `negative_marks`: what a wrong answer costs; the sign does not matter.

    `texts` holds the key of S (gap 0), of G and of M (gap n: the right side of the n-th left side, from 1), `numbers`
    that of N (gap 0) and of gaps that take numbers.
    `bonus`: everybody earns the marks, whatever was answered.
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

    @property
    def scored(self) -> bool:
        return self.kind not in {QuestionType.ESSAY, QuestionType.FILES}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered to one question. `gaps`: (number of the gap from 1, text). `seconds`: None never visited."""

    selected: frozenset[int] = frozenset()
    short_text: str = ""
    essay_text: str = ""
    gaps: tuple[tuple[int, str], ...] = ()
    seconds: float | None = None


BLANK: Final = Answer()


@dataclass(frozen=True, slots=True)
class Marked:
    """One question of one attempt after marking."""

    item: int
    outcome: Outcome
    score: Decimal
    subject: int | None = None
    section: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """An attempt's numbers as the wire names them.

    `percentage` with two places, of the marks that could be earned; below zero where negative marks outweigh.
    `speed`: questions answered an hour. `accuracy`: per cent of the answered questions that are correct.
    """

    score: Decimal
    maximum: Decimal
    percentage: str
    correct_count: int
    incorrect_count: int
    unanswered_count: int
    total_bonus: Decimal
    speed: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Standing:
    """`rank`: competition ranking (1, 2, 2, 4). `max_rank`: how many are ranked. `percentile`: per cent at or below."""

    rank: int
    max_rank: int
    percentile: float


@dataclass(frozen=True, slots=True)
class Subject:
    id: int
    name: str
    parent: int | None = None


@dataclass(frozen=True, slots=True)
class SubjectLine:
    """A subject analytics item; a parent's numbers include its children's."""

    id: int
    name: str
    total: int
    correct: int
    unanswered: int
    incorrect: int
    parent: int | None
    leaf: bool
    score: Decimal


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """Seconds and per cent over all attempts. `best_duration`: fastest correct answer, 0 where there is none."""

    best_duration: float
    average_duration: float
    correct_percentage: float


@dataclass(frozen=True, slots=True)
class CutOff:
    """A section and the score that must be reached in it."""

    section: int
    score: Decimal


@dataclass(frozen=True, slots=True)
class SectionResult:
    section: int
    score: Decimal
    reached: bool


# --- one question ---------------------------------------------------------------------------------------------------


def mark(item: Item, answer: Answer = BLANK) -> Marked:
    """Mark one answer: the whole key earns the marks, a share earns its share, a wrong answer costs.

    It costs the negative marks, or what the chosen option's own negative weight takes where that is more.
    """
    outcome, share = _judge(item, answer)
    if item.bonus and item.scored:
        outcome, score = Outcome.CORRECT, item.marks
    elif outcome is Outcome.INCORRECT:
        score = min(-abs(item.negative_marks), item.marks * share)
    else:
        score = item.marks * share
    return Marked(item.id, outcome, score, item.subject, item.section, answer.seconds)


def is_answered(item: Item, answer: Answer) -> bool:
    match item.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            return bool(answer.selected)
        case QuestionType.SHORT | QuestionType.NUMERIC:
            return bool(answer.short_text.strip())
        case QuestionType.GAPS | QuestionType.MATCH:
            return any(text.strip() for _, text in answer.gaps)
        case _:
            return bool(answer.essay_text.strip())


def _judge(item: Item, answer: Answer) -> tuple[Outcome, Decimal]:
    if not is_answered(item, answer):
        return Outcome.UNANSWERED, _NOTHING
    judge = _JUDGES.get(item.kind)
    if judge is None:
        return Outcome.UNSCORED, _NOTHING
    share = judge(item, answer)
    if share >= _WHOLE - _ROUNDING:
        return Outcome.CORRECT, _WHOLE
    return (Outcome.PARTIAL if share > 0 else Outcome.INCORRECT), share


def _share_of_single(item: Item, answer: Answer) -> Decimal:
    chosen = [option for option in item.options if option.id in answer.selected]
    if len(chosen) != 1 or len(answer.selected) != 1:
        return _NOTHING
    only = chosen[0]
    return _WHOLE if only.correct else only.weight or _NOTHING


def _share_of_multiple(item: Item, answer: Answer) -> Decimal:
    """The whole key and nothing else; with weights their sum, unless a wrong option was chosen that costs nothing."""
    if answer.selected == {option.id for option in item.options if option.correct}:
        return _WHOLE
    chosen = [option for option in item.options if option.id in answer.selected]
    if len(chosen) != len(answer.selected) or any(option.weight is None for option in chosen if option.correct):
        return _NOTHING
    if any(not option.correct and not option.weight for option in chosen):
        return _NOTHING
    total = sum((option.weight or _NOTHING for option in chosen), _NOTHING)
    # A share is never the whole: that belongs to the whole key.
    return max(_NOTHING, min(total, _WHOLE - 2 * _ROUNDING))


def _share_of_text(item: Item, answer: Answer) -> Decimal:
    return _best_text(item.texts, answer.short_text)


def _share_of_number(item: Item, answer: Answer) -> Decimal:
    return _best_number(item.numbers, answer.short_text)


def _share_of_gaps(item: Item, answer: Answer) -> Decimal:
    """The mean over the gaps, each by its own keys."""
    texts: dict[int, list[TextKey]] = defaultdict(list)
    numbers: dict[int, list[NumericKey]] = defaultdict(list)
    for text in item.texts:
        texts[text.gap].append(text)
    for number in item.numbers:
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
    r"""Equal but for blanks and, unless the key asks for it, case; in a key `*` is any text and `\*` a star."""
    written = _fold(text, key.case_sensitive)
    first, *others = [_fold(part.replace(r"\*", "*"), key.case_sensitive) for part in _STAR.split(key.text)]
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


def _fold(text: str, case_sensitive: bool) -> str:
    folded = " ".join(unicodedata.normalize("NFC", text).split())
    return folded if case_sensitive else folded.casefold()


_JUDGES: Final[Mapping[str, Callable[[Item, Answer], Decimal]]] = {
    QuestionType.SINGLE: _share_of_single,
    QuestionType.MULTIPLE: _share_of_multiple,
    QuestionType.SHORT: _share_of_text,
    QuestionType.NUMERIC: _share_of_number,
    QuestionType.GAPS: _share_of_gaps,
    QuestionType.MATCH: _share_of_gaps,
}


def read_number(text: str) -> Decimal | None:
    """A number as people type it (`3,5`, `−2`, `1e3`); None where it is none or is not finite."""
    plain = "".join(text.split()).replace("\u2212", "-")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    if not plain or len(plain) > _LONGEST_NUMBER or "_" in plain:
        return None
    try:
        number = Decimal(plain)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


# --- one attempt ----------------------------------------------------------------------------------------------------


def mark_all(items: Iterable[Item], answers: Mapping[int, Answer]) -> tuple[Marked, ...]:
    """Mark every question of an exam; questions without an answer count as unanswered."""
    return tuple(mark(item, answers.get(item.id, BLANK)) for item in items)


def total(items: Collection[Item], marked: Sequence[Marked], time_taken: timedelta) -> Result:
    """Add up an attempt; `marked` as `mark_all` gave it for these items."""
    score = sum((one.score for one in marked), _NOTHING)
    maximum = sum((item.marks for item in items if item.scored), _NOTHING)
    correct = sum(one.outcome is Outcome.CORRECT for one in marked)
    incorrect = sum(one.outcome in {Outcome.PARTIAL, Outcome.INCORRECT} for one in marked)
    unanswered = sum(one.outcome is Outcome.UNANSWERED for one in marked)
    answered = len(marked) - unanswered
    seconds = time_taken.total_seconds()
    return Result(
        score=score,
        maximum=maximum,
        percentage=percentage(score, maximum),
        correct_count=correct,
        incorrect_count=incorrect,
        unanswered_count=unanswered,
        total_bonus=sum((item.marks for item in items if item.bonus and item.scored), _NOTHING),
        speed=round(answered * 3600 / seconds, 2) if seconds > 0 else 0.0,
        accuracy=_per_cent(correct, correct + incorrect),
    )


def percentage(score: Decimal, maximum: Decimal) -> str:
    share = score * 100 / maximum if maximum > 0 else _NOTHING
    return str(share.quantize(_PLACES) + _NOTHING)


def section_results(marked: Iterable[Marked], cut_offs: Iterable[CutOff]) -> tuple[SectionResult, ...]:
    """Say for each section what was scored in it and whether its cut-off was reached."""
    scores: dict[int | None, Decimal] = defaultdict(Decimal)
    for one in marked:
        scores[one.section] += one.score
    return tuple(
        SectionResult(cut.section, scores[cut.section], reached=scores[cut.section] >= cut.score) for cut in cut_offs
    )


# --- a field of attempts --------------------------------------------------------------------------------------------


def standing(own: Decimal, field: Iterable[Decimal]) -> Standing:
    """Place one score in a field that includes it; equal scores share the best of their places."""
    return _standing(own, sorted(field))


def standings(field: Mapping[int, Decimal]) -> dict[int, Standing]:
    """Place every score of a field, by the keys of the field."""
    ordered = sorted(field.values())
    return {key: _standing(score, ordered) for key, score in field.items()}


def _standing(own: Decimal, ordered: Sequence[Decimal]) -> Standing:
    at_or_below = bisect_right(ordered, own)
    return Standing(
        rank=len(ordered) - at_or_below + 1,
        max_rank=len(ordered),
        percentile=_per_cent(at_or_below, len(ordered)),
    )


def item_statistics(marked: Iterable[Marked]) -> dict[int, ItemStatistics]:
    """Times and share correct of each question over the marked questions of many attempts, by item id."""
    by_item: dict[int, list[Marked]] = defaultdict(list)
    for one in marked:
        by_item[one.item].append(one)
    return {item: _statistics(group) for item, group in by_item.items()}


def _statistics(group: Sequence[Marked]) -> ItemStatistics:
    times = [one.seconds for one in group if one.seconds is not None]
    correct = [one for one in group if one.outcome is Outcome.CORRECT]
    return ItemStatistics(
        best_duration=min((one.seconds for one in correct if one.seconds is not None), default=0.0),
        average_duration=round(sum(times) / len(times), 3) if times else 0.0,
        correct_percentage=_per_cent(len(correct), len(group)),
    )


def analyse_subjects(subjects: Sequence[Subject], marked: Iterable[Marked]) -> tuple[SubjectLine, ...]:
    """Add up an attempt by subject, parents before their children, subjects without a question left out.

    A parent that is not among the subjects is none: its child becomes a root.
    """
    known = {subject.id: subject for subject in subjects}
    tallies: dict[int, _Tally] = defaultdict(_Tally)
    for one in marked:
        for ancestor in _lineage(one.subject, known):
            tallies[ancestor] = tallies[ancestor].plus(one)
    children: dict[int | None, list[Subject]] = defaultdict(list)
    for subject in subjects:
        if subject.id in tallies:
            children[_parent(subject, known)].append(subject)
    return tuple(
        tallies[subject.id].line(subject, _parent(subject, known), leaf=not children.get(subject.id))
        for subject in _walk(children, None)
    )


@dataclass(frozen=True, slots=True)
class _Tally:
    total: int = 0
    correct: int = 0
    unanswered: int = 0
    incorrect: int = 0
    score: Decimal = _NOTHING

    def plus(self, one: Marked) -> "_Tally":
        return _Tally(
            self.total + 1,
            self.correct + (one.outcome is Outcome.CORRECT),
            self.unanswered + (one.outcome is Outcome.UNANSWERED),
            self.incorrect + (one.outcome in {Outcome.PARTIAL, Outcome.INCORRECT}),
            self.score + one.score,
        )

    def line(self, subject: Subject, parent: int | None, *, leaf: bool) -> SubjectLine:
        return SubjectLine(
            subject.id,
            subject.name,
            self.total,
            self.correct,
            self.unanswered,
            self.incorrect,
            parent,
            leaf,
            self.score,
        )


def _parent(subject: Subject, known: Mapping[int, Subject]) -> int | None:
    return subject.parent if subject.parent in known else None


def _lineage(subject: int | None, known: Mapping[int, Subject]) -> list[int]:
    """A subject and everything above it."""
    line: list[int] = []
    while subject is not None and subject in known and subject not in line:
        line.append(subject)
        subject = known[subject].parent
    return line


def _walk(children: Mapping[int | None, Sequence[Subject]], parent: int | None) -> Iterable[Subject]:
    for subject in children.get(parent, ()):
        yield subject
        yield from _walk(children, subject.id)


def _per_cent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
