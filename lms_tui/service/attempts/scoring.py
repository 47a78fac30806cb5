"""Results of attempts, as pure functions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final

from lms_tui.banks.scoring import MarkedQuestion, Outcome, QuestionKey
from lms_tui.common.frozen import frozen
from lms_tui.service.attempts.shares import percent, percentage

_NOTHING: Final = Decimal(0)


@frozen
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


@frozen
class CutOff:
    """The score that a student must reach in a section."""

    section: int
    score: Decimal


@frozen
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


def section_results(marked: Iterable[MarkedQuestion], cut_offs: Iterable[CutOff]) -> tuple[SectionResult, ...]:
    """Return the score of each section and whether it reaches the cut-off."""
    scores: dict[int | None, Decimal] = defaultdict(Decimal)
    for one in marked:
        scores[one.section] += one.score
    return tuple(
        SectionResult(cut.section, scores[cut.section], reached=scores[cut.section] >= cut.score) for cut in cut_offs
    )
