"""Item analysis of an exam, as pure functions on the marks of its ended attempts.

`facility`: the mean share of the marks that was earned, 0 to 1. Negative marks count as 0.
`discrimination`: the correlation of the marks of a question with the rest of the attempt, -1 to 1. It is None for
fewer than two attempts, or where all marks are equal. A negative value can mean a wrong key.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import sqrt
from statistics import fmean, median, pstdev, pvariance
from typing import Final

from lms_tui.common.frozen import frozen

_MAX_TEXTS: Final = 5
_ENOUGH: Final = 20
"""Attempts from which a share or a weak correlation says something."""
_WEAK: Final = 0.15
_MARGINAL: Final = 0.2
"""A discrimination below which an incorrect option that students with high scores choose is suspect."""
_NONE: Final = 1e-12
"""A spread below which all values are equal."""


@frozen
class Given:
    """An answer in one attempt. `chosen`: IDs of options. `marked`: False if it waits for a person, or is void."""

    attempt: int
    marks: float
    answered: bool
    chosen: tuple[int, ...] = ()
    written: str = ""
    marked: bool = True


@frozen
class Analysis:
    """The analysis of one question.

    `waiting`: answers without marks. `choices` counts by option ID. `texts` are the most frequent texts with counts.
    `liked`: the options that students with high scores chose more often than others.
    """

    attempts: int
    answered: int
    waiting: int
    facility: float | None
    discrimination: float | None
    choices: Mapping[int, int]
    texts: Sequence[tuple[str, int]]
    liked: frozenset[int] = frozenset()


@frozen
class Summary:
    """The scores of all ended attempts. `reliability`: Cronbach's alpha, None where it is undefined."""

    attempts: int
    mean: float | None
    median: float | None
    deviation: float | None
    lowest: float | None
    highest: float | None
    reliability: float | None


def analyse(marks: Decimal, given: Sequence[Given], totals: Mapping[int, float]) -> Analysis:
    """Analyse one question. `totals`: the score of each attempt. Answers without marks do not count as 0 marks."""
    most = float(marks)
    marked = [answer for answer in given if answer.marked]
    shares = [max(0.0, answer.marks) / most for answer in marked] if most > 0 else []
    own = [answer.marks for answer in marked]
    rest = [totals[answer.attempt] - answer.marks for answer in marked]
    texts = Counter(" ".join(answer.written.split()) for answer in given if answer.written.strip())
    return Analysis(
        attempts=len(given),
        answered=sum(answer.answered for answer in given),
        waiting=sum(answer.answered and not answer.marked for answer in given),
        facility=round(fmean(shares), 4) if shares else None,
        discrimination=_correlation(own, rest),
        choices=Counter(option for answer in given for option in answer.chosen),
        texts=texts.most_common(_MAX_TEXTS),
        liked=_liked(marked, rest),
    )


def _liked(given: Sequence[Given], rest: Sequence[float]) -> frozenset[int]:
    """Return the options whose choice correlates with the rest of the attempt by more than a standard error."""
    scores: dict[int, list[float]] = defaultdict(list)
    for answer, score in zip(given, rest, strict=True):
        for option in answer.chosen:
            scores[option].append(score)
    spread = pstdev(rest) if rest else 0.0
    if spread < _NONE:
        return frozenset()
    mean, many = fmean(rest), len(rest)
    return frozenset(
        option
        for option, of_option in scores.items()
        if len(of_option) < many
        and (fmean(of_option) - mean) / spread * sqrt(len(of_option) / (many - len(of_option))) > 1 / sqrt(many)
    )


def suspicions(found: Analysis, wrong: Mapping[str, int]) -> list[str]:
    """Name what may be wrong with a question. `wrong`: the ID of each incorrect option, by its letter.

    Below 20 attempts, chance alone makes most questions look odd. Only a negative discrimination is named then.
    """
    doubts = []
    if (found.discrimination or 0) < 0:
        doubts.append("check the key: students with high scores answered correctly less often")
    if found.attempts < _ENOUGH or found.facility is None:
        return doubts
    liked = [letter for letter, option in wrong.items() if option in found.liked]
    if liked and found.discrimination is not None and 0 <= found.discrimination < _MARGINAL:
        doubts.append(f"students with high scores chose {', '.join(liked)} more often: it may be correct too")
    if found.discrimination is not None and 0 <= found.discrimination < _WEAK:
        doubts.append("students with high scores answered correctly hardly more often than others")
    if found.facility in {0.0, 1.0}:
        doubts.append(f"{'everyone' if found.facility else 'nobody'} answered correctly")
    elif unused := [letter for letter, option in wrong.items() if not found.choices.get(option)]:
        doubts.append(f"nobody chose {', '.join(unused)}")
    return doubts


def summarise(totals: Mapping[int, float], items: Iterable[Sequence[Given]]) -> Summary:
    """Summarise the exam. `items`: the answers of each question."""
    scores = list(totals.values())
    if not scores:
        return Summary(0, None, None, None, None, None, None)
    columns = [[answer.marks for answer in given] for given in items if any(answer.marked for answer in given)]
    return Summary(
        attempts=len(scores),
        mean=round(fmean(scores), 4),
        median=round(median(scores), 4),
        deviation=round(pstdev(scores), 4),
        lowest=min(scores),
        highest=max(scores),
        reliability=_alpha(scores, columns),
    )


def _alpha(scores: Sequence[float], columns: Sequence[Sequence[float]]) -> float | None:
    whole = pvariance(scores)
    count = len(columns)
    drawn = any(len(column) != len(scores) for column in columns)
    if count < 2 or whole <= 0 or drawn:
        return None
    return round(count / (count - 1) * (1 - sum(pvariance(column) for column in columns) / whole), 4)


def _correlation(left: Sequence[float], right: Sequence[float]) -> float | None:
    if len(left) < 2:
        return None
    spread = pstdev(left) * pstdev(right)
    if spread < _NONE:
        return None
    mean_left, mean_right = fmean(left), fmean(right)
    together = fmean((one - mean_left) * (other - mean_right) for one, other in zip(left, right, strict=True))
    return round(max(-1.0, min(1.0, together / spread)), 4)
