"""Progress, scores over time and report cards of a student (pure)."""

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.marks import share_of
from lms_tui.views.rows import EMPTY, Row, Span, cells, fitted, flowed, padded, row, strong, wrapped
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.stats import Report, ReportGroup, StudentStats

_LEAST_PLACE: Final = 8
"""Least cells of the place of a score."""


def progress_rows(stats: StudentStats, room: int) -> list[Row]:
    """The eight counts as four bars."""
    counts = [
        ("Exams", stats.exams_attempted, stats.total_exams, "taken"),
        ("Videos", stats.videos_watched, stats.total_videos, "watched"),
        ("Conferences", stats.video_conferences_attended, stats.total_video_conferences, "attended"),
        ("Live streams", stats.live_streams_attended, stats.total_live_streams, "attended"),
    ]
    text_room = 21 if room >= 56 else 9
    rows: list[Row] = []
    for label, done, total, verb in counts:
        told = f"{done} of {total}" + (f" {verb}" if text_room > 9 else "")
        bar = charts.bar(
            done, total, max(4, room - 14 - text_room), look="good" if total and done >= total else "accent"
        )
        rows += [(strong(padded(label, 14)), *bar, Span(padded(told, text_room, right=True))), EMPTY]
    return rows[:-1]


@frozen
class Point:
    """One finished attempt. `share` is the score in per cent of the full marks."""

    share: float
    day: str
    title: str


def finished(attempts: Iterable[Attempt]) -> list[Attempt]:
    """Finished attempts with a date, oldest first."""
    found = [attempt for attempt in attempts if attempt.state != AttemptState.RUNNING and attempt.date is not None]
    return sorted(found, key=lambda a: a.date.timestamp() if a.date else 0.0)


def trend(attempts: Iterable[Attempt], zone: tzinfo | None = None) -> list[Point]:
    """Finished attempts with a score, oldest first."""
    points = [(a, share) for a in finished(attempts) if (share := share_of(a)) is not None]
    return [Point(share, say.day(a.date, zone), clean_line(a.exam.title)) for a, share in points]


def trend_rows(points: Sequence[Point], room: int) -> list[Row]:
    """Average, best and last score in words."""
    if not points:
        return wrapped("No finished attempt has a score yet.", room, "dim")
    best = max(points, key=lambda point: point.share)
    last = points[-1]
    average = sum(point.share for point in points) / len(points)
    entries = [("average", average, ""), ("best", best.share, _place(best)), ("last", last.share, _place(last))]
    return [line for label, share, place in entries for line in _trend_row(label, share, place, room)]


def _trend_row(label: str, share: float, place: str, room: int) -> list[Row]:
    """A label, a percentage and a place. A long place wraps below its own beginning."""
    head = row((f"{label:9}", "dim"), strong(say.percent(round(share))), ("  ", "dim"))
    indent = cells(head)
    first, *others = wrapped(place, max(_LEAST_PLACE, room - indent), "dim")
    return [(*head, *first), *(row(" " * indent, *line) for line in others)]


def _place(point: Point) -> str:
    return f"{point.title}, {point.day}"


def report_rows(report: Report, room: int) -> list[Row]:
    """The total and each group on a scale: lowest, average and highest score of the class, and the student's own."""
    rows = _total_rows(report, room)
    ends = [value for group in report.groups for value in _known(group)]
    if not ends:
        return rows or [row(("This report card is empty.", "dim"))]
    scale = (min(0.0, *ends), max(ends))
    name_room = min(max(len(clean_line(group.name)) for group in report.groups), max(8, room // 3)) + 2
    for group in report.groups:
        rows += _group_rows(group, scale, name_room, room)
    has_own = report.total_score is not None or any(group.score is not None for group in report.groups)
    own, ground = f"{charts.MINE} you  " if has_own else "", charts.GROUND * 2
    words = f"{charts.LOW}{ground} lowest  {own}{charts.POINT} average  highest {ground}{charts.HIGH}"
    return [*rows, EMPTY, *flowed(row((words, "dim")), room)]


def _total_rows(report: Report, room: int) -> list[Row]:
    mine, low, high = report.total_score, report.total_min_range, report.total_max_range
    if mine is None:
        return []
    total = strong(f"Total {say.number(mine)}", "title")
    if low is None or high is None:
        return [*flowed(row(total), room), EMPTY]
    rows = flowed(row(total, (f"   class range {say.number(low)}–{say.number(high)}", "dim")), room)
    if low < high:
        rows.append(charts.span_of(low, None, high, (min(0.0, low, mine), max(high, mine)), max(8, room), mine))
    return [*rows, EMPTY]


def _group_rows(group: ReportGroup, scale: tuple[float, float], name_room: int, room: int) -> list[Row]:
    """The scores of a group: beside their bar, or below it in a narrow window."""
    name, known = strong(padded(clean_line(group.name), name_room)), _known(group)
    if not known:
        return [(name, Span(say.NOTHING, "dim"))]
    text_room = 32 if room >= 64 else 0
    ends = [v for v in (group.min_score, group.average_score, group.max_score) if v is not None] or known
    bar_room = max(8, room - name_room - text_room)
    bar = charts.span_of(min(ends), group.average_score, max(ends), scale, bar_room, group.score)
    own = f"you {say.number(group.score)}   " if group.score is not None else ""
    told = f"{own}{say.number(group.min_score)} – {say.number(group.average_score)} – {say.number(group.max_score)}"
    if text_room:
        return [(name, *bar, Span(padded(told, text_room, right=True)))]
    indent = " " * max(0, min(name_room, room - len(told)))
    return [(name, *bar, Span("")), row((fitted(indent + told, room), "dim"))]


def _known(group: ReportGroup) -> list[float]:
    """The scores of a group that the server tells."""
    scores = (group.min_score, group.average_score, group.max_score, group.score)
    return [score for score in scores if score is not None]
