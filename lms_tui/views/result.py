"""The result of an attempt as cards: score, answers, earlier attempts (pure)."""

from collections.abc import Sequence
from datetime import datetime, tzinfo

from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.marks import full_marks, most_of, share_of, time_given, unmarked, waiting_words
from lms_tui.views.outcomes import Outcome
from lms_tui.views.ranks import rank_words, too_few
from lms_tui.views.rows import EMPTY, Row, Span, fitted, padded, pairs, row, strong, wrapped
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt


def score_rows(attempt: Attempt, room: int, now: datetime, zone: tzinfo | None = None) -> list[Row]:
    most = most_of(attempt)
    of = f" of {say.number(most)}" if most is not None else ""
    share = share_of(attempt)
    rows: list[Row] = [
        row(
            strong(say.number(attempt.score), "title"),
            of,
            ("   " + say.percent(share) if share is not None else "", "accent"),
        ),
    ]
    if share is not None:
        rows.append(charts.bar(max(0.0, share), 100, room))
    rows.append(EMPTY)
    return rows + pairs(_facts(attempt, now, zone), room)


def _facts(attempt: Attempt, now: datetime, zone: tzinfo | None) -> list[tuple[str, str]]:
    given = time_given(attempt)
    taken = attempt.time_taken.total_seconds() if attempt.time_taken else 0
    percentile = attempt.percentile if is_published(attempt, now) and not too_few(attempt) else None
    return [
        ("rank", _rank(attempt, now, zone)),
        (
            "percentile",
            f"You did as well as or better than {say.percent(percentile)}" if percentile is not None else "",
        ),
        (
            "time taken",
            say.seconds(taken) + (f" of {say.duration(given)}" if given else "") if taken else "",
        ),
        ("date", say.moment_near(attempt.date, now, zone) if attempt.date else ""),
    ]


def may_retake(attempt: Attempt) -> bool:
    return bool(attempt.allow_retake and attempt.remaining_attempts != 0)


def is_published(attempt: Attempt, now: datetime) -> bool:
    """Whether the ranks of this exam are published."""
    exam = attempt.exam
    has_ranks = exam.enable_ranks or attempt.rank_enabled or bool(attempt.rank)
    return has_ranks and (exam.rank_publishing_date is None or exam.rank_publishing_date <= now)


def _rank(attempt: Attempt, now: datetime, zone: tzinfo | None) -> str:
    exam = attempt.exam
    if is_published(attempt, now) and attempt.rank:
        return rank_words(attempt) or "shown when five students have taken it"
    if exam.enable_ranks and exam.rank_publishing_date and exam.rank_publishing_date > now:
        return f"published {say.moment_near(exam.rank_publishing_date, now, zone)}"
    return "not published yet" if exam.enable_ranks or attempt.rank_enabled else ""


def answer_rows(attempt: Attempt, room: int, partly: int = 0) -> list[Row]:
    """`partly`: number of partly correct answers. The server counts them as incorrect; here they stand apart."""
    waiting = unmarked(attempt)
    if partly > attempt.incorrect_count:
        partly = 0  # the server counts them in another way
    correct, incorrect, left, unmarked_fill = charts.FILLS
    parts = [
        (correct, "✓ correct", attempt.correct_count, "good"),
        *([(charts.PARTLY, f"~ {Outcome.PARTLY}", partly, "warning")] if partly else []),
        (incorrect, "✗ incorrect", attempt.incorrect_count - partly, "bad"),
        (left, "· unanswered", attempt.unanswered_count, "dim"),
        *([(unmarked_fill, "? not marked", waiting, "accent")] if waiting else []),
    ]
    total = sum(count for _, _, count, _ in parts)
    if not total:
        return [row(("The server sends no counts.", "dim"))]
    fills = [fill for fill, *_ in parts]
    rows = [charts.stacked([(count, look) for *_, count, look in parts], room, fills), EMPTY]
    label_room = 18 if partly else 14
    for fill, label, count, look in parts:
        share = f"{say.percent(round(100 * count / total)):>8}"
        rows.append(row((fill * 2 + " ", look), padded(label, label_room), strong(f"{count:>4}"), (share, "dim")))
    notes = []
    if partly:
        notes.append("The subjects and the earlier attempts count a partly correct answer as incorrect.")
    if waiting:
        notes.append(f"{waiting_words(waiting)}.")
    return [*rows, EMPTY, *wrapped(" ".join(notes), room, "dim")] if notes else rows


def earlier_rows(
    attempt: Attempt,
    others: Sequence[Attempt],
    room: int,
    now: datetime,
    zone: tzinfo | None = None,
) -> list[Row]:
    """Every finished attempt at this exam, oldest first. A sign marks `attempt`."""
    mine = [
        a for a in others if a.id != attempt.id and a.state != AttemptState.RUNNING and a.exam.slug == attempt.exam.slug
    ]
    ordered = sorted([*mine, attempt], key=lambda a: a.date.timestamp() if a.date else 0.0)
    if len(ordered) < 2:
        return wrapped("This is your first attempt at this exam.", room, "dim")
    most = max(float(full_marks(attempt.exam) or 0), *(float(a.score or 0) for a in ordered))
    date_room = 14 if room >= 40 else 8
    bar_room = max(4, min(60, room - date_room - 12))
    rows: list[Row] = []
    for each in ordered:
        score = f"{say.number(each.score):>8}"
        date = padded(fitted(say.moment_near(each.date, now, zone), date_room), date_room)
        height = max(0.0, float(each.score or 0))
        if each.id == attempt.id:
            rows.append((strong(f"▸ {date}"), *charts.bar(height, most, bar_room, look="accent"), strong(score)))
        else:
            rows.append((Span(f"  {date}", "dim"), *charts.bar(height, most, bar_room, look="dim"), Span(score)))
        rows += _counts_and_time(each, room)
    return [*rows, EMPTY, *wrapped(_progress(attempt, ordered), room)]


def _counts_and_time(attempt: Attempt, room: int) -> list[Row]:
    """Counts and time in one row, or in two in a narrow room."""
    waiting = unmarked(attempt)
    counts = f"{attempt.correct_count} correct · {attempt.incorrect_count} incorrect"
    counts += f" · {waiting} not marked" if waiting else ""
    time = say.seconds(attempt.time_taken.total_seconds()) if attempt.time_taken else ""
    whole = f"{counts} · {time}" if time else counts
    texts = [whole] if len(whole) + 2 <= room else [text for text in (counts, time) if text]
    return [(Span("  ", "dim"), *line) for text in texts for line in wrapped(text, max(4, room - 2), "dim")]


def _progress(attempt: Attempt, ordered: Sequence[Attempt]) -> str:
    before = [a for a in ordered if a.id != attempt.id and a.score is not None]
    if attempt.score is None or not before:
        return ""
    best = max(a.score for a in before if a.score is not None)
    apart = attempt.score - best
    if apart > 0:
        compared = f"{say.number(apart)} more than your best score before."
    else:
        compared = (
            "Equal to your best score."
            if apart == 0
            else f"{say.number(-apart)} less than your best, {say.number(best)}."
        )
    return f"{compared} {_difference(attempt, ordered)}".strip()


def _difference(attempt: Attempt, ordered: Sequence[Attempt]) -> str:
    """Compare the counts with those of the attempt before this one."""
    place = [a.id for a in ordered].index(attempt.id)
    if not place:
        return ""
    before = ordered[place - 1]
    changes = [
        (attempt.correct_count - before.correct_count, "correct"),
        (attempt.incorrect_count - before.incorrect_count, "incorrect"),
        (attempt.unanswered_count - before.unanswered_count, "unanswered"),
        (unmarked(attempt) - unmarked(before), "not marked"),
    ]
    changed = ", ".join(f"{say.signed(by)} {what}" for by, what in changes if by)
    return f"Compared with the attempt before: {changed}." if changed else ""
