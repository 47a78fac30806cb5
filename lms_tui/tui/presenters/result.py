"""The result of an attempt as cards: score, answers, subjects, time, and how it compares with earlier ones (pure)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from lms_tui.cleaning import clean_line
from lms_tui.tui.presenters import charts
from lms_tui.tui.presenters import format as say
from lms_tui.tui.presenters.attempts import full_marks
from lms_tui.tui.presenters.charts import Column
from lms_tui.tui.presenters.outcomes import LOOKS, Outcome, outcome, own_seconds
from lms_tui.tui.presenters.rows import EMPTY, Row, Span, cells, fitted, flowed, padded, pairs, row, strong, wrapped
from lms_tui.wire.attempts import RUNNING, Attempt, ReviewQuestion, SubjectAnalytics


def score_rows(attempt: Attempt, room: int, now: datetime, zone: tzinfo | None = None) -> list[Row]:
    most = full_marks(attempt.exam)
    of = f" of {say.number(most)}" if most is not None else ""
    share = _percentage(attempt)
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


def _percentage(attempt: Attempt) -> float | None:
    try:
        return float(attempt.percentage)
    except ValueError:
        most = full_marks(attempt.exam)
        return float(100 * attempt.score / most) if most and attempt.score is not None else None


def _facts(attempt: Attempt, now: datetime, zone: tzinfo | None) -> list[tuple[str, str]]:
    exam = attempt.exam
    place = ""
    if attempt.rank:
        place = f"{attempt.rank} of {attempt.max_rank}" if attempt.max_rank else str(attempt.rank)
    elif exam.enable_ranks and exam.rank_publishing_date and exam.rank_publishing_date > now:
        place = f"published {say.moment_near(exam.rank_publishing_date, now, zone)}"
    elif exam.enable_ranks or attempt.rank_enabled:
        place = "not published"
    taken = attempt.time_taken.total_seconds() if attempt.time_taken else 0
    return [
        ("rank", place),
        ("percentile", say.number(attempt.percentile) if attempt.percentile is not None else ""),
        ("accuracy", say.percent(attempt.accuracy) if attempt.accuracy is not None else ""),
        ("speed", f"{say.number(attempt.speed)} questions an hour" if attempt.speed else ""),
        (
            "time taken",
            say.seconds(taken) + (f" of {say.duration(exam.duration)}" if exam.duration else "") if taken else "",
        ),
        ("date", say.moment_near(attempt.date, now, zone) if attempt.date else ""),
    ]


def answer_rows(attempt: Attempt, room: int) -> list[Row]:
    parts = [
        ("✓ right", attempt.correct_count, "good"),
        ("✗ wrong", attempt.incorrect_count, "bad"),
        ("· unanswered", attempt.unanswered_count, "dim"),
    ]
    total = sum(count for _, count, _ in parts)
    if not total:
        return [row(("The service tells no counts.", "dim"))]
    rows = [charts.stacked([(count, look) for _, count, look in parts], room), EMPTY]
    for place, (label, count, look) in enumerate(parts):
        fill = charts.FILLS[place] * 2
        share = say.percent(round(100 * count / total))
        rows.append(row((fill + " ", look), padded(label, 14), strong(f"{count:>4}"), (f"{share:>8}", "dim")))
    return rows


# Subjects.


def subject_rows(subjects: Sequence[SubjectAnalytics], room: int) -> list[Row]:
    """A tree by `parent`; what points at nothing, or in a circle, stands at the top."""
    tree = list(_tree(subjects))
    if not tree:
        return [row(("The service tells nothing about subjects.", "dim"))]
    numbers = 26 if room >= 54 else 0
    name_room = min(max(len(clean_line(s.name)) + 2 * depth for s, depth in tree), max(10, (room - numbers) // 2))
    bar_room = max(4, room - name_room - numbers - 2)
    rows: list[Row] = []
    if numbers:
        rows.append(row((" " * (name_room + bar_room + 2) + "right wrong  left   score", "dim")))
    for subject, depth in tree:
        name = padded("  " * depth + clean_line(subject.name), name_room)
        counts = [(subject.correct, "good"), (subject.incorrect, "bad"), (subject.unanswered, "dim")]
        bar = charts.stacked(counts, bar_room) or row((" " * bar_room, "dim"))
        tail = f"{subject.correct:>6}{subject.incorrect:>6}{subject.unanswered:>6}{say.number(subject.score):>8}"
        title = strong(name) if not depth else Span(name)
        rows.append((title, Span(" "), *bar, *row((f" {tail}" if numbers else "", "base"))))
        if not numbers:
            counts_told = f"{subject.correct} right, {subject.incorrect} wrong, {subject.unanswered} left"
            rows += wrapped(f"{'  ' * depth}  {counts_told}, score {say.number(subject.score)}", room, "dim")
    return rows


def _tree(subjects: Sequence[SubjectAnalytics]) -> Iterator[tuple[SubjectAnalytics, int]]:
    known = {subject.id for subject in subjects}
    told: set[int] = set()

    def below(parent: int | None, depth: int) -> Iterator[tuple[SubjectAnalytics, int]]:
        for subject in subjects:
            mine = subject.parent if subject.parent in known else None
            if mine == parent and subject.id not in told:
                told.add(subject.id)
                yield subject, depth
                yield from below(subject.id, min(depth + 1, 6))

    yield from below(None, 0)
    yield from ((subject, 0) for subject in subjects if subject.id not in told)


# Time.


def time_rows(questions: Sequence[ReviewQuestion], room: int, *, height: int = 6) -> list[Row]:
    """One column a question, in the order of the paper, with the average of all who took it across each."""
    timed = [(q, own) for q in questions if (own := own_seconds(q)) is not None]
    if not timed:
        return [row(("The service tells no times.", "dim"))]
    rows: list[Row] = []
    parts = -(-len(timed) // room)
    size = -(-len(timed) // parts)
    most = max(max(own, q.average_duration or 0.0) for q, own in timed)
    for start in range(0, len(timed), size):
        part = timed[start : start + size]
        entries = [_column(q, own) for q, own in part]
        drawn = charts.columns(entries, height, room, most=most, slots=size)
        rows += drawn
        first, last = part[0][0].order or start + 1, part[-1][0].order or start + len(part)
        used = max((cells(line) for line in drawn), default=room)
        rows.append(row((f"{first}{last!s:>{max(1, used - len(str(first)))}}", "dim")))
    right, wrong, left = charts.FILLS
    legend = row(
        ("you: ", "dim"), (f"{right} right  ", "good"), (f"{wrong} wrong  ", "bad"), (f"{left} unanswered", "dim"),
        ("   ─ average of all", "warning"),
    )  # fmt: skip
    rows += [EMPTY, *flowed(legend, room)]
    return rows + _time_words(timed, room)


def _column(question: ReviewQuestion, own: float) -> Column:
    """The filling says the outcome too, so that no colour is needed."""
    found = outcome(question)
    right, wrong, left = charts.FILLS
    fill = {Outcome.CORRECT: right, Outcome.ANSWERED: right, Outcome.UNANSWERED: left}.get(found, wrong)
    return Column(own, LOOKS[found], question.average_duration, fill)


def _time_words(timed: Sequence[tuple[ReviewQuestion, float]], room: int) -> list[Row]:
    own = sum(seconds for _, seconds in timed) / len(timed)
    averages = [q.average_duration for q, _ in timed if q.average_duration is not None]
    best = [q.best_duration for q, _ in timed if q.best_duration is not None]
    slowest, most = max(timed, key=lambda pair: pair[1])
    told = [
        ("you", f"{say.seconds(own)} a question"),
        ("average", f"{say.seconds(sum(averages) / len(averages))} a question" if averages else ""),
        ("best", f"{say.seconds(sum(best) / len(best))} a question" if best else ""),
        ("longest", f"question {slowest.order}, {say.seconds(most)}"),
    ]
    return pairs(told, room)


# Earlier attempts.


def earlier_rows(
    attempt: Attempt,
    others: Sequence[Attempt],
    room: int,
    now: datetime,
    zone: tzinfo | None = None,
) -> list[Row]:
    """Every finished attempt at this exam, oldest first, this one pointed at."""
    mine = [a for a in others if a.id != attempt.id and a.state != RUNNING and a.exam.slug == attempt.exam.slug]
    ordered = sorted([*mine, attempt], key=lambda a: a.date.timestamp() if a.date else 0.0)
    if len(ordered) < 2:
        return wrapped("This is your first attempt at this exam.", room, "dim")
    most = max(float(full_marks(attempt.exam) or 0), *(float(a.score or 0) for a in ordered))
    date_room = 14 if room >= 40 else 8
    rows: list[Row] = []
    for each in ordered:
        here = each.id == attempt.id
        score = say.number(each.score)
        bar = charts.bar(
            max(0.0, float(each.score or 0)), most, max(4, room - date_room - 12), look="accent" if here else "dim"
        )
        date = fitted(say.moment_near(each.date, now, zone), date_room)
        label = ("▸ " if here else "  ") + padded(date, date_room)
        rows.append(
            (
                strong(label) if here else Span(label, "dim"),
                *bar,
                strong(f"{score:>8}") if here else Span(f"{score:>8}"),
            )
        )
    return [*rows, EMPTY, *wrapped(_progress(attempt, ordered), room)]


def _progress(attempt: Attempt, ordered: Sequence[Attempt]) -> str:
    before = [a for a in ordered if a.id != attempt.id and a.score is not None]
    if attempt.score is None or not before:
        return ""
    best = max(a.score for a in before if a.score is not None)
    apart = attempt.score - best
    if apart > 0:
        return f"{say.number(apart)} better than your best before."
    return "As good as your best." if apart == 0 else f"{say.number(-apart)} below your best, {say.number(best)}."
