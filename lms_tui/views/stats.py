"""Progress, scores over time and report cards of a student (pure)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from lms_tui.common.cleaning import clean_line
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.marks import share_of
from lms_tui.views.rows import EMPTY, Row, Span, fitted, flowed, padded, row, strong, wrapped
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.stats import Report, StudentStats


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


@dataclass(frozen=True, slots=True)
class Point:
    """One finished attempt. `share` is the score in per cent of the full marks."""

    share: float
    day: str
    title: str


def trend(attempts: Sequence[Attempt], zone: tzinfo | None = None) -> list[Point]:
    """Finished attempts with a score, oldest first."""
    finished = sorted(
        (a for a in attempts if a.state != AttemptState.RUNNING and a.date is not None),
        key=lambda a: a.date.timestamp() if a.date else 0,
    )
    points = [(a, share) for a in finished if (share := share_of(a)) is not None]
    return [Point(share, say.day(a.date, zone), clean_line(a.exam.title)) for a, share in points]


def trend_rows(points: Sequence[Point], room: int) -> list[Row]:
    """Average, best and last score in words."""
    if not points:
        return wrapped("No finished attempt has a score yet.", room, "dim")
    best = max(points, key=lambda point: point.share)
    last = points[-1]
    average = sum(point.share for point in points) / len(points)
    entries = [
        ("average  ", average, ""),
        ("best     ", best.share, _place(best)),
        ("last     ", last.share, _place(last)),
    ]
    return [
        line
        for label, share, place in entries
        for line in flowed(row((label, "dim"), strong(say.percent(round(share))), (place, "dim")), room)
    ]


def _place(point: Point) -> str:
    return f"  {point.title}, {point.day}"


def report_rows(report: Report, room: int) -> list[Row]:
    """Each group on one scale: lowest, average and highest score of the class."""
    rows: list[Row] = []
    if report.total_score is not None:
        low, high = report.total_min_range, report.total_max_range
        limits = f"   class range {say.number(low)}–{say.number(high)}" if low is not None and high is not None else ""
        total = row(strong(f"Total {say.number(report.total_score)}", "title"), (limits, "dim"))
        rows += [*flowed(total, room), EMPTY]
    ends = [v for g in report.groups for v in (g.min_score, g.max_score, g.average_score) if v is not None]
    if not ends:
        return rows or [row(("This report card is empty.", "dim"))]
    scale = (min(0.0, *ends), max(ends))
    name_room = min(max(len(clean_line(group.name)) for group in report.groups), max(8, room // 3))
    text_room = 22 if room >= 56 else 0
    for group in report.groups:
        known = [v for v in (group.min_score, group.average_score, group.max_score) if v is not None]
        name = strong(padded(clean_line(group.name), name_room + 2))
        if not known:
            rows.append((name, Span(say.NOTHING, "dim")))
            continue
        drawn = charts.span_of(
            min(known), group.average_score, max(known), scale, max(8, room - name_room - 2 - text_room)
        )
        told = f"{say.number(group.min_score)} – {say.number(group.average_score)} – {say.number(group.max_score)}"
        rows.append((name, *drawn, Span(padded(told, text_room, right=True))))
        if not text_room:
            rows.append(row((fitted(" " * min(name_room + 2, max(0, room - len(told))) + told, room), "dim")))
    legend = row(
        (
            f"{charts.LOW}{charts.GROUND * 2} lowest  {charts.POINT} average  highest {charts.GROUND * 2}{charts.HIGH}",
            "dim",
        )
    )
    return [*rows, EMPTY, *flowed(legend, room)]
