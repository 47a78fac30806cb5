"""Results and ranks of attempts, as pure functions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final

from lms_tui.banks.scoring import MarkedQuestion, Outcome, QuestionKey

_NOTHING: Final = Decimal(0)
_PLACES: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Result:
    """The numbers of an attempt.

    `percentage` is relative to the maximum and has two places. It is negative if negative marks outweigh the others.
    `questions` counts those that are not void. `speed` is in answered questions per hour.
    `accuracy` is the percentage of the answered questions that are correct.
    """

    questions: int
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
class Ranking:
    """The place of a score among all scores.

    `rank` goes 1, 2, 2, 4 and so on. `max_rank` is the number of scores. `percentile` is the percentage of scores at or
    below this one.
    """

    rank: int
    max_rank: int
    percentile: float


@dataclass(frozen=True, slots=True)
class CutOff:
    """The score that a student must reach in a section."""

    section: int
    score: Decimal


@dataclass(frozen=True, slots=True)
class SectionResult:
    section: int
    score: Decimal
    reached: bool


def total(questions: Collection[QuestionKey], marked: Sequence[MarkedQuestion], time_taken: timedelta) -> Result:
    """Add up an attempt. `marked` is the result of `mark_all` for these questions."""
    return added_up(
        score=sum((one.score for one in marked), _NOTHING),
        maximum=sum((q.marks for q, one in zip(questions, marked, strict=True) if one.counted), _NOTHING),
        outcomes=Counter(one.outcome for question, one in zip(questions, marked, strict=True) if not question.void),
        bonus=sum((question.marks for question in questions if question.bonus and question.scored), _NOTHING),
        time_taken=time_taken,
    )


def added_up(
    *, score: Decimal, maximum: Decimal, outcomes: Mapping[Outcome, int], bonus: Decimal, time_taken: timedelta
) -> Result:
    """Return the numbers of an attempt from its sums. `outcomes`: how many questions have each, without void ones."""
    correct = outcomes.get(Outcome.CORRECT, 0)
    incorrect = outcomes.get(Outcome.PARTIAL, 0) + outcomes.get(Outcome.INCORRECT, 0)
    unanswered = outcomes.get(Outcome.UNANSWERED, 0)
    answered = sum(outcomes.values()) - unanswered
    seconds = time_taken.total_seconds()
    return Result(
        questions=sum(outcomes.values()),
        score=score,
        maximum=maximum,
        percentage=percentage(score, maximum),
        correct_count=correct,
        incorrect_count=incorrect,
        unanswered_count=unanswered,
        total_bonus=bonus,
        speed=round(answered * 3600 / seconds, 2) if seconds > 0 else 0.0,
        accuracy=percent(correct, correct + incorrect),
    )


def percentage(score: Decimal, maximum: Decimal) -> str:
    share = score * 100 / maximum if maximum > 0 else _NOTHING
    return str(share.quantize(_PLACES) + _NOTHING)


def section_results(marked: Iterable[MarkedQuestion], cut_offs: Iterable[CutOff]) -> tuple[SectionResult, ...]:
    """Return the score of each section and whether it reaches the cut-off."""
    scores: dict[int | None, Decimal] = defaultdict(Decimal)
    for one in marked:
        scores[one.section] += one.score
    return tuple(
        SectionResult(cut.section, scores[cut.section], reached=scores[cut.section] >= cut.score) for cut in cut_offs
    )


def ranking(at_or_below: int, students: int) -> Ranking:
    """Rank a score that `at_or_below` of all students have or do not reach. Equal scores share the best rank."""
    return Ranking(
        rank=students - at_or_below + 1,
        max_rank=students,
        percentile=percent(at_or_below, students),
    )


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
