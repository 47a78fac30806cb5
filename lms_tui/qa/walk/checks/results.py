"""Checks of results: counts, marks, review, subjects and statistics."""

from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks.attempts import has_decimal_score
from lms_tui.qa.walk.checks.questions import CHOICES, _items
from lms_tui.qa.walk.checks.replies import each_has
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.values import DECIMAL, NUMBER, Tree, as_rows, as_tree, at, integer, shown


def counts_add_up(exchange: Exchange, answered: int | None) -> Iterator[str]:
    """`answered` is the number of answered questions, None if the document does not define the marking of a type."""
    attempt = as_tree(exchange.tree())
    counts = [attempt.get(name) for name in ("correct_count", "incorrect_count", "unanswered_count")]
    whole = integer(attempt.get("total_questions"))
    if sum(map(integer, counts)) != whole:
        yield f"the counts {counts} do not add up to {whole}"
    if answered is not None and counts[2] != whole - answered:
        yield f"unanswered_count is {shown(counts[2])}, and {whole - answered} have no answer"


def has_result(attempt: object) -> Iterator[str]:
    yield from has_decimal_score(attempt)
    percentile = at(attempt, "percentile")
    if not NUMBER.test(percentile) or not 0 <= float(str(percentile)) <= 100:
        yield f"percentile is {shown(percentile)}, not a number from 0 to 100"
    if not DECIMAL.test(at(attempt, "percentage")):
        yield f"percentage is {shown(at(attempt, 'percentage'))}"


def is_unchanged(before: Exchange, after: Exchange, *names: str) -> Iterator[str]:
    for name in names:
        was, now = at(before.tree(), name), at(after.tree(), name)
        if was != now:
            yield f"{name} was {shown(was)} and is {shown(now)}"


def has_reviewed(rows: Sequence[Tree]) -> Iterator[str]:
    yield from each_has(rows, shape("reviewed"), "question")
    for place, row in enumerate(rows):
        options = as_rows(at(row, "question", "answers"))
        yield from each_has(options, shape("reviewed-option"), f"question {place + 1}, answer")


def has_key(rows: Sequence[Tree]) -> Iterator[str]:
    for row in rows:
        kind, right = at(row, "question", "type"), len(_right(row))
        if (kind == "R" and right != 1) or (kind == "C" and right < 1):
            yield f"question {shown(row.get('id'))} of type {kind} has {right} correct answers"


def counts_fit_the_key(attempt: object, rows: Sequence[Tree]) -> Iterator[str]:
    """Check the counts if each question has a documented type and is fully right, fully wrong or unanswered."""
    outcomes = [_outcome(row) for row in rows]
    if None in outcomes or not _is_whole(attempt, rows):
        return
    for name, wanted in (("correct_count", "right"), ("incorrect_count", "wrong"), ("unanswered_count", "none")):
        if at(attempt, name) != outcomes.count(wanted):
            yield f"{name} is {shown(at(attempt, name))}, and the review has {outcomes.count(wanted)}"


def score_fits_the_marks(attempt: object, rows: Sequence[Tree]) -> Iterator[str]:
    outcomes = [_outcome(row) for row in rows]
    score = _decimal(at(attempt, "score"))
    if None in outcomes or score is None or not _is_whole(attempt, rows):
        return
    expected = sum((_marks(row, outcome) for row, outcome in zip(rows, outcomes, strict=True)), Decimal())
    if abs(score - expected) > Decimal("0.05"):
        yield f"score is {score}, and the marks of the review add up to {expected}"


def has_subjects(rows: Sequence[Tree]) -> Iterator[str]:
    yield from each_has(rows, shape("subject"), "subject")
    if len({str(row.get("id")) for row in rows}) < len(rows):
        yield "a subject is on the pages twice"


def subjects_add_up(rows: Sequence[Tree]) -> Iterator[str]:
    ids = [row.get("id") for row in rows]
    for row in rows:
        parts = sum(integer(row.get(name)) for name in ("correct", "incorrect", "unanswered"))
        if parts != integer(row.get("total")):
            yield f"subject {shown(row.get('name'))} has a total of {shown(row.get('total'))} and parts of {parts}"
        if row.get("parent") is not None and row.get("parent") not in ids:
            yield f"subject {shown(row.get('name'))} has a parent that is not in the list"


def has_reports(exchange: Exchange) -> Iterator[str]:
    reports = at(exchange.tree(), "student_report", "reports")
    if not isinstance(reports, list):
        yield f"student_report.reports is {shown(reports)}, not an array"
    yield from each_has(as_rows(reports), shape("report"), "report")
    for report in as_rows(reports):
        yield from each_has(as_rows(report.get("groups")), shape("report-group"), "group")


def totals_cover(exchange: Exchange) -> Iterator[str]:
    stats = as_tree(exchange.tree())
    for part, whole in (
        ("exams_attempted", "total_exams"),
        ("videos_watched", "total_videos"),
        ("video_conferences_attended", "total_video_conferences"),
        ("live_streams_attended", "total_live_streams"),
    ):
        if integer(stats.get(part)) > integer(stats.get(whole)):
            yield f"{part} is {shown(stats.get(part))}, and {whole} {shown(stats.get(whole))}"


def count_is(exchange: Exchange, name: str, expected: int) -> Iterator[str]:
    found = at(exchange.tree(), name)
    if found != expected:
        yield f"{name} is {shown(found)}, not {expected}"


def _is_whole(attempt: object, rows: Sequence[Tree]) -> bool:
    """Return whether the review has every question and no bonus."""
    return len(rows) == at(attempt, "total_questions") and not integer(at(attempt, "total_bonus"))


def _right(row: Tree) -> list[object]:
    return [option.get("id") for option in as_rows(at(row, "question", "answers")) if option.get("is_correct") is True]


def _outcome(row: Tree) -> str | None:
    """Return `correct`, `incorrect` or `none`. Return None for other types and for partly correct answers."""
    if at(row, "question", "type") not in CHOICES:
        return None
    chosen, right = set(map(str, _items(row.get("selected_answers")))), set(map(str, _right(row)))
    if not chosen:
        return "none"
    if chosen == right:
        return "right"
    return "wrong" if not chosen & right else None


def _marks(row: Tree, outcome: str | None) -> Decimal:
    marks = _decimal(at(row, "question", "marks")) or Decimal()
    negative = _decimal(at(row, "question", "negative_marks")) or Decimal()
    return marks if outcome == "right" else -abs(negative) if outcome == "wrong" else Decimal()


def _decimal(value: object) -> Decimal | None:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return None
