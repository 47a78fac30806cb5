"""The list of exams, one sentence for each (pure)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum, auto

from lms_tui.attempt.ports import Unfinished
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.plain.typed_lines import Order
from lms_tui.views import format as say
from lms_tui.views.instructions import AidKeys, instructions_of, time_limit
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.exams import Exam


class Kind(Enum):
    RESUME = auto()
    AVAILABLE = auto()
    UPCOMING = auto()
    DONE = auto()


@frozen
class Entry:
    """`text`: the sentence of the list."""

    kind: Kind
    title: str
    text: str
    slug: str = ""
    attempt_id: int = 0


def entries(
    attempts: Iterable[Attempt],
    available: Iterable[Exam],
    upcoming: Iterable[Exam],
    unfinished: Iterable[Unfinished],
    now: datetime,
) -> list[Entry]:
    """Return the list: exams to resume, available, upcoming, done.

    `attempts` and the exams are what the server told. An attempt that it did not tell of is resumed from its journal.
    """
    known, kept = list(attempts), list(unfinished)
    told = {attempt.id for attempt in known}
    unsent = {each.key.attempt_id: each.unsent for each in kept}
    running = [attempt for attempt in known if attempt.state == AttemptState.RUNNING]
    busy = {attempt.exam.slug for attempt in running}
    return [
        *(_resume(attempt, unsent.get(attempt.id, 0)) for attempt in running),
        *(_kept(each) for each in kept if each.key.attempt_id not in told),
        *(_available(exam, now) for exam in available if exam.slug not in busy),
        *(_upcoming(exam, now) for exam in upcoming),
        *(_done(attempt, unsent.get(attempt.id, 0), now) for attempt in known if attempt.state != AttemptState.RUNNING),
    ]


def size_words(entries: Sequence[Entry]) -> str:
    """Say how many exams the list has. An exam with several attempts counts once."""
    if not entries:
        return "You have no exams yet."
    exams = len({entry.slug or entry.attempt_id for entry in entries})
    rows = f" in {len(entries)} entries" if exams < len(entries) else ""
    return f"{say.counted(exams, 'exam')}{rows}."


def _title(exam: Exam) -> str:
    return clean_line(exam.title) or clean_line(exam.slug) or "Untitled exam"


def _undelivered(unsent: int) -> str:
    return f" {say.counted(unsent, 'answer')} not sent yet." if unsent else ""


def _resume(attempt: Attempt, unsent: int) -> Entry:
    title = _title(attempt.exam)
    left = f", {say.duration(attempt.remaining_time)} left" if attempt.remaining_time else ""
    return Entry(Kind.RESUME, title, f"To resume: {title}{left}.{_undelivered(unsent)}", attempt.exam.slug, attempt.id)


def _kept(each: Unfinished) -> Entry:
    title = clean_line(each.title) or "Untitled exam"
    text = f"To resume: {title}.{_undelivered(each.unsent)}"
    return Entry(Kind.RESUME, title, text, attempt_id=each.key.attempt_id)


def _available(exam: Exam, now: datetime) -> Entry:
    until = f", until {say.moment_near(exam.end_date, now)}" if exam.end_date else ""
    size = say.counted(exam.number_of_questions, "question")
    text = f"Available: {_title(exam)}, {size}, {say.duration(exam.duration)}{until}."
    return Entry(Kind.AVAILABLE, _title(exam), text, exam.slug)


def _upcoming(exam: Exam, now: datetime) -> Entry:
    opens = f", opens {say.moment_near(exam.start_date, now)}" if exam.start_date else ""
    return Entry(Kind.UPCOMING, _title(exam), f"Upcoming: {_title(exam)}{opens}.", exam.slug)


def _done(attempt: Attempt, unsent: int, now: datetime) -> Entry:
    title = _title(attempt.exam)
    score = f", score {say.number(attempt.score)}" if attempt.score is not None else ""
    when = f", {say.moment_near(attempt.date, now)}" if attempt.date else ""
    return Entry(Kind.DONE, title, f"Done: {title}{score}{when}.{_undelivered(unsent)}", attempt.exam.slug, attempt.id)


def rules(exam: Exam, attempts: Sequence[Attempt]) -> list[str]:
    """The instructions of an exam, with the commands that open its aids. The time comes last."""
    aid_keys = AidKeys(calculator=f"type {Order.CALC}", sheet=f"type {Order.SHEET}")
    told = instructions_of(exam, aid_keys, attempts)
    return [*(f"{heading}: {text}" for heading, text in told if heading != "Time"), _time_words(exam)]


def _time_words(exam: Exam) -> str:
    """The rule about time, with the command that starts the clock."""
    count = say.counted(exam.number_of_questions, "question") if exam.number_of_questions else "The questions"
    if not (limit := time_limit(exam)):
        return f"Time: {count}, no time limit."
    return f"Time: {count} in {limit}. The clock starts when you type start."
