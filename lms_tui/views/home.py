"""The home screen: what can be done now, how the last exams went, and what is new (pure)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.views import attempts as exams
from lms_tui.views import charts, exam_columns, insight, posts, stats
from lms_tui.views import format as say
from lms_tui.views.attempts import ExamGroup, ExamLists, ExamRow
from lms_tui.views.exam_columns import Columns
from lms_tui.views.kept_list import KeptEntry
from lms_tui.views.more import MenuGroup
from lms_tui.views.rows import EMPTY, Row, Span, fitted_row, padded, row, strong, wrapped
from lms_tui.views.subjects import without_parts
from lms_tui.wire.attempts import Attempt, SubjectAnalytics
from lms_tui.wire.posts import PostSummary
from lms_tui.wire.stats import StudentStats

_ALL, _TOPIC, _PROGRESS = "all", "topic", "progress"
DUE: Final = "due"
"""The key of the row that opens practice."""
_KEY: Final = "  what you did not know"
_NOTICE, _PLACE, _RESULT = "notice-", "place-", "result-"
"""Keys of rows. The last three begin keys that end with a link name, a destination or the ID of an attempt."""
_AVAILABLE: Final = 3
"""The least exams to start, where there are so many."""
_UPCOMING: Final = 2
_NOTICES: Final = 3
EXTRAS: Final = 11
"""Rows of the results, what is due and the notices, with the blanks above them."""
_JUDGED: Final = 3
"""How many of the last exams the weakest topic is from."""
_SOON: Final = timedelta(days=7)
_LABEL: Final = 13
_TREND: Final = 8
_WAITING: Final = "…"


@frozen
class News:
    """The content that arrives after the exams. A field is None while it loads, or if the server does not have it.

    `subjects`: of the last exams together. `places`: the pages for staff, empty for other users.
    `due`: cards of practice that are due today.
    """

    loading: bool = True
    stats: StudentStats | None = None
    subjects: tuple[SubjectAnalytics, ...] = ()
    notices: tuple[PostSummary, ...] = ()
    places: tuple[MenuGroup, ...] = ()
    due: int = 0


def shown(lists: ExamLists, now: datetime) -> tuple[ExamRow, ...]:
    """Return the exams to send, to resume and to start, those that close soon first, and the next ones."""
    items = lists.items()
    available = sorted((i for i in items if i.kind is ExamGroup.AVAILABLE), key=lambda item: _closes(item, now))
    upcoming = sorted((i for i in items if i.kind is ExamGroup.UPCOMING), key=_opens)
    begun = (item for item in items if item.kind in {ExamGroup.UNSENT, ExamGroup.RESUME})
    return (*begun, *available, *upcoming[:_UPCOMING])


def _closes(item: ExamRow, now: datetime) -> float:
    end = item.exam.end_date
    return end.timestamp() if end is not None and now <= end <= now + _SOON else float("inf")


def _opens(item: ExamRow) -> float:
    return item.exam.start_date.timestamp() if item.exam.start_date else float("inf")


def exam_rows(items: Sequence[ExamRow], room: int, now: datetime, height: int) -> list[KeptEntry]:
    """Return the rows of the exams under their headings: at least three exams to start, more if `height` has room."""
    others = [item for item in items if item.kind is not ExamGroup.AVAILABLE]
    headings = 2 * len({item.kind for item in items}) - 1
    most = max(_AVAILABLE, height - headings - len(others))
    items = [*others, *[item for item in items if item.kind is ExamGroup.AVAILABLE][:most]]
    columns = Columns.of(items, room, now)
    rows: list[KeptEntry] = []
    for kind in ExamGroup:
        group, its = [item for item in items if item.kind is kind], columns.of_group(kind)
        if group:
            rows += [*_gap(rows), KeptEntry("", "", exam_columns.heading(kind, its))]
        rows += [KeptEntry(item.key, item.exam.slug, exam_columns.line(item, its, now)) for item in group]
    return rows


def all_exams(lists: ExamLists, room: int, *, more: bool) -> KeptEntry:
    """The row that opens the list of all exams, with their numbers. An exam with several attempts counts once."""
    kinds = [kind for kind, _ in {(item.kind, item.exam.slug) for item in lists.items()}]
    words = {ExamGroup.AVAILABLE: "to start", ExamGroup.UPCOMING: "upcoming", ExamGroup.DONE: "done"}
    counts = ((kinds.count(kind), word) for kind, word in words.items())
    told = " · ".join(f"{count} {word}" for count, word in counts if count)
    entry = _labelled(_ALL, "All exams", row((told + (" and more" if more else ""), "dim")))
    return replace(entry, row=fitted_row(entry.row, room))


def extras(lists: ExamLists, news: News, room: int) -> list[KeptEntry]:
    """The rows below the exams. While they load, their places are kept."""
    rows: list[KeptEntry] = []
    finished = last_attempts(lists)
    if finished:
        rows += [_heading("Your results"), _last_result(lists, finished[0]), _weakest(news)]
    if finished or (news.stats is not None and news.stats.total_exams + news.stats.total_videos):
        rows.append(_labelled(_PROGRESS, "Progress", _progress(news)))
    if news.due:
        rows += [*_gap(rows)] if not finished else []
        rows.append(_labelled(DUE, "Practice", row(strong(f"{news.due} due today"), (_KEY, "dim"))))
    notices = [_notice(post, room) for post in news.notices[:_NOTICES]]
    rows += _block("Notices", notices, rows)
    for heading, entries in news.places:
        block = [_labelled(_PLACE + each.place.value, each.title, row((each.words, "dim"))) for each in entries]
        rows += _block(heading, block, rows)
    return [replace(entry, row=fitted_row(entry.row, room)) for entry in rows]


def _block(title: str, block: list[KeptEntry], above: list[KeptEntry]) -> list[KeptEntry]:
    return [*_gap(above), _heading(title), *block] if block else []


def _gap(above: Sequence[KeptEntry]) -> list[KeptEntry]:
    return [KeptEntry("", "", EMPTY)] if above else []


def _heading(title: str) -> KeptEntry:
    return KeptEntry("", "", (strong(title, "title"),))


def _labelled(key: str, label: str, text: Row) -> KeptEntry:
    return KeptEntry(key, "", (Span("  "), Span(padded(label, _LABEL) if text else label), Span("  "), *text))


def last_attempts(lists: ExamLists) -> list[Attempt]:
    """The last finished attempts, the newest first."""
    done = [item.attempt for item in lists.items() if item.kind is ExamGroup.DONE and item.attempt is not None]
    return sorted(done, key=lambda a: a.date.timestamp() if a.date else 0.0, reverse=True)[:_JUDGED]


def _last_result(lists: ExamLists, last: Attempt) -> KeptEntry:
    """The last score and the trend of the scores in per cent."""
    item = ExamRow(ExamGroup.DONE, last.exam, last, last.id)
    shares = [point.share for point in stats.trend(lists.attempts)]
    trend = charts.sparkline(shares, _TREND) if len(shares) > 1 else ""
    score = exams.score_of(item, last.date) if last.date else ""
    text = row(strong(score), "  " if score else "", (trend, "accent"), "  " if trend else "", (item.title, "dim"))
    return _labelled(f"{_RESULT}{last.id}", "Last result", text)


def _weakest(news: News) -> KeptEntry:
    weakest = insight.weakest(news.subjects)
    if weakest is None:
        words = _WAITING if news.loading else "not known yet"
        return _labelled(_TOPIC, "Weakest topic", row((words, "dim")))
    told = f"  {insight.share_words(weakest)}"
    return _labelled(_TOPIC, "Weakest topic", row(strong(clean_line(weakest.name)), (told, "dim")))


def _progress(news: News) -> Row:
    known = news.stats
    if known is None:
        return row((_WAITING if news.loading else "This server does not tell it.", "dim"))
    counts = (
        (known.exams_attempted, known.total_exams, "exams"),
        (known.videos_watched, known.total_videos, "videos"),
    )
    return row((" · ".join(f"{done} of {total} {word}" for done, total, word in counts if total), "dim"))


def _notice(post: PostSummary, room: int) -> KeptEntry:
    day = say.day(post.published_date) if post.published_date else ""
    title = padded(clean_line(post.title), max(4, room - 4 - len(day)))
    return KeptEntry(_NOTICE + posts.slug_of(post.url), "", row(("● ", "accent"), title, "  ", (day, "dim")))


def merged(each: Iterable[Sequence[SubjectAnalytics]]) -> tuple[SubjectAnalytics, ...]:
    """Add up the subjects of several attempts by their names. Subjects with parts are left out."""
    found: dict[str, SubjectAnalytics] = {}
    for subjects in each:
        for subject in without_parts(subjects):
            known = found.get(subject.name)
            if known is not None:
                counts = ("total", "correct", "incorrect", "unanswered")
                subject = subject.model_copy(  # noqa: PLW2901 - the sum replaces it
                    update={count: getattr(subject, count) + getattr(known, count) for count in counts}
                )
            found[subject.name] = subject
    numbered = enumerate(found.values(), 1)
    return tuple(s.model_copy(update={"id": number, "parent": None}) for number, s in numbered)


def details(key: str, lists: ExamLists, news: News, room: int, now: datetime) -> Sequence[Row]:
    """The details beside a row that is no exam."""
    if key == _ALL:
        return wrapped("All exams, with a filter and sorting.", room, "dim")
    if key == _TOPIC:
        judged = wrapped("Your last exams together:", room, "dim")
        return [*judged, EMPTY, *insight.subject_words(news.subjects, room)]
    if key == _PROGRESS and news.stats is not None:
        return stats.progress_rows(news.stats, room)
    if key.startswith(_RESULT):
        last = next((a for a in lists.attempts if f"{_RESULT}{a.id}" == key), None)
        return (
            [] if last is None else exams.details(ExamRow(ExamGroup.DONE, last.exam, last, last.id), lists, room, now)
        )
    if key.startswith(_NOTICE):
        found = (p for p in news.notices if _NOTICE + posts.slug_of(p.url) == key)
        return next((posts.details(post, room, now) for post in found), [])
    return []
