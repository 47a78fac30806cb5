"""The results of each subject over one's own attempts, with a trend (pure)."""

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from decimal import Decimal
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.views import charts, insight
from lms_tui.views import format as say
from lms_tui.views.rows import Row, fitted, flowed, padded, row, strong, wrapped
from lms_tui.views.stats import finished
from lms_tui.views.subjects import without_parts
from lms_tui.wire.attempts import Attempt, SubjectAnalytics

MOST_ATTEMPTS: Final = 8
"""How many of the last attempts are asked for their subjects."""
NOTHING: Final = "No finished attempt tells its subjects yet."


@frozen
class SubjectResult:
    """One subject in one attempt. `judged` counts its questions that are marked or unanswered."""

    day: str
    correct: int
    judged: int
    score: Decimal | None

    @property
    def share(self) -> float:
        """Correct answers in per cent."""
        return 100 * self.correct / self.judged

    @property
    def marks(self) -> str:
        """`24 marks`, or the share of correct answers where the server tells no score."""
        if self.score is None:
            return f"{self.correct} of {self.judged} correct"
        return f"{say.number(self.score)} {'mark' if self.score == 1 else 'marks'}"


@frozen
class SubjectHistory:
    """`results`: the oldest attempt first."""

    name: str
    results: tuple[SubjectResult, ...]

    @property
    def trend(self) -> str:
        """`40 % → 73 % correct`."""
        first, last = (say.percent(round(result.share)) for result in (self.results[0], self.results[-1]))
        return f"{first} → {last} correct" if len(self.results) > 1 else f"{last} correct"


def last_finished(attempts: Iterable[Attempt]) -> list[Attempt]:
    """The last finished attempts, the oldest first."""
    return finished(attempts)[-MOST_ATTEMPTS:]


def subject_histories(
    taken: Iterable[tuple[Attempt, Sequence[SubjectAnalytics]]], zone: tzinfo | None = None
) -> list[SubjectHistory]:
    """Join the subjects of several attempts by their names. Subjects with parts are left out."""
    found: dict[str, list[SubjectResult]] = {}
    for attempt, subjects in taken:
        for subject in without_parts(subjects):
            if judged := insight.judged_of(subject):
                result = SubjectResult(say.day(attempt.date, zone), subject.correct, judged, subject.score)
                found.setdefault(clean_line(subject.name), []).append(result)
    return [SubjectHistory(name, tuple(results)) for name, results in found.items()]


_LEAST_NAME: Final = 14
"""Least cells of a name, with two blanks, beside its trend."""


def history_rows(histories: Sequence[SubjectHistory], room: int) -> list[Row]:
    """Each subject with its trend, and its marks in each attempt below."""
    if not histories:
        return wrapped(NOTHING, room, "dim")
    trends = [_sparkline(history) for history in histories]
    line_room = max(map(width, trends)) + 2
    left = room - line_room - max(width(history.trend) for history in histories)
    longest = max(width(history.name) for history in histories) + 2
    name_room = min(longest, left if left >= _LEAST_NAME else room)  # with less, the trend goes on in the next row
    rows: list[Row] = []
    for history, trend in zip(histories, trends, strict=True):
        name, line = padded(fitted(history.name, name_room - 2), name_room), padded(trend, line_room)
        rows += flowed(row(strong(name), (line, "accent"), history.trend), room)
        rows += [row((f"  {line}", "dim")) for line in _lines(history.results, room - 2)]
    return rows


def _sparkline(history: SubjectHistory) -> str:
    """The shares of correct answers as a chart, "" for one attempt."""
    shares = [result.share for result in history.results]
    return charts.sparkline(shares, MOST_ATTEMPTS) if len(shares) > 1 else ""


def _lines(results: Sequence[SubjectResult], room: int) -> list[str]:
    """The marks of each attempt with its day. No line ends within an attempt."""
    lines: list[str] = []
    for result in results:
        told = fitted(f"{result.day}: {result.marks}", room)
        if lines and width(lines[-1]) + 3 + width(told) <= room:
            lines[-1] += f" · {told}"
        else:
            lines.append(told)
    return lines


def history_words(histories: Sequence[SubjectHistory]) -> list[str]:
    """`Optics: 40 % → 73 % correct. 14 Mar 2026: 8 marks. 20 Mar 2026: 11 marks.`"""
    told = [
        f"{history.name}: {history.trend.replace(' → ', ', then ')}. "
        + " ".join(f"{result.day}: {result.marks}." for result in history.results)
        for history in histories
    ]
    return told or [NOTHING]
