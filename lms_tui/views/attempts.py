"""The exam list: its rows in groups, and the details of one exam (pure)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Final

from lms_tui.attempt.ports import Unfinished
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.views import charts
from lms_tui.views import format as say
from lms_tui.views.marks import most_of
from lms_tui.views.ranks import rank_words
from lms_tui.views.rows import EMPTY, Row, flowed, pairs, row, spans, strong, wrapped
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.exams import Exam, ListedExam


class ExamGroup(StrEnum):
    """The groups of the list, in their order."""

    UNSENT = "Not sent yet"
    RESUME = "Resume"
    AVAILABLE = "Available"
    UPCOMING = "Upcoming"
    DONE = "Done"


SIGNS: Final = {
    ExamGroup.UNSENT: "!",
    ExamGroup.RESUME: "▶",
    ExamGroup.AVAILABLE: "○",
    ExamGroup.UPCOMING: "◷",
    ExamGroup.DONE: "✓",
}
LOOKS: Final = {
    ExamGroup.UNSENT: "bad",
    ExamGroup.RESUME: "accent",
    ExamGroup.AVAILABLE: "good",
    ExamGroup.UPCOMING: "dim",
    ExamGroup.DONE: "dim",
}
_NEAR: Final = timedelta(days=7)
"""How long before an exam closes the list counts down."""


@frozen
class ExamRow:
    """An exam, and its attempt if there is one. `unsent` is the number of answers that are saved but not sent."""

    kind: ExamGroup
    exam: Exam
    attempt: Attempt | None = None
    attempt_id: int = 0
    unsent: int = 0

    @property
    def key(self) -> str:
        return f"attempt-{self.attempt_id}" if self.attempt_id else f"exam-{self.exam.slug}"

    @property
    def title(self) -> str:
        return clean_line(self.exam.title) or clean_line(self.exam.slug) or "Untitled exam"

    @property
    def is_known(self) -> bool:
        """Whether the server listed the exam. Otherwise only the journal on this computer has it."""
        return bool(self.exam.slug) or self.attempt is not None


@frozen
class ExamLists:
    """The attempts and exams fetched up to now. `listed` is true if the server has lists of exams.

    `listed`: the server has lists of exams. Without them, available exams are derived from attempts. `reached`: the
    server has told of the attempts. Before that, every attempt of a journal can be resumed.
    """

    attempts: tuple[Attempt, ...] = ()
    available: tuple[ListedExam, ...] = ()
    upcoming: tuple[ListedExam, ...] = ()
    unfinished: tuple[Unfinished, ...] = ()
    listed: bool = True
    reached: bool = True

    def with_attempts(self, more: Iterable[Attempt]) -> "ExamLists":
        known = {attempt.id for attempt in self.attempts}
        return replace(self, attempts=(*self.attempts, *(a for a in more if a.id not in known)))

    def with_exams(self, *, available: Iterable[ListedExam] = (), upcoming: Iterable[ListedExam] = ()) -> "ExamLists":
        return replace(
            self, available=_together(self.available, available), upcoming=_together(self.upcoming, upcoming)
        )

    @property
    def courses(self) -> tuple[str, ...]:
        exams = [*(a.exam for a in self.attempts), *self.available, *self.upcoming]
        return tuple(sorted({exam.course for exam in exams if exam.course}))

    def by_exam(self) -> dict[str, list[Attempt]]:
        """Group the attempts by the slug of their exam."""
        found: dict[str, list[Attempt]] = {}
        for attempt in self.attempts:
            found.setdefault(attempt.exam.slug, []).append(attempt)
        return found

    def of_exam(self, slug: str) -> tuple[Attempt, ...]:
        """Finished attempts at one exam, oldest first."""
        found = [a for a in self.attempts if a.exam.slug == slug and a.state != AttemptState.RUNNING]
        return tuple(sorted(found, key=_when))

    def items(self) -> tuple[ExamRow, ...]:
        running = [a for a in self.attempts if a.state == AttemptState.RUNNING]
        unsent = {each.key.attempt_id: each.unsent for each in self.unfinished}
        available = self.available if self.listed else self._retakeable()
        busy = {a.exam.slug for a in running}
        waiting = tuple(self._with_unsent_answers())
        listed = {row.attempt_id for row in waiting}
        return (
            *waiting,
            *(
                ExamRow(ExamGroup.RESUME, a.exam, a, a.id, unsent.get(a.id, 0))
                for a in sorted(running, key=_when, reverse=True)
            ),
            *self._only_in_a_journal(),
            *(ExamRow(ExamGroup.AVAILABLE, exam) for exam in available if exam.slug not in busy),
            *(ExamRow(ExamGroup.UPCOMING, exam) for exam in self.upcoming),
            *(
                ExamRow(ExamGroup.DONE, a.exam, a, a.id)
                for a in self.attempts
                if a.state != AttemptState.RUNNING and a.id not in listed
            ),
        )

    def _with_unsent_answers(self) -> Iterator[ExamRow]:
        """Yield attempts with answers that the server has not taken, unless the server lists them as running."""
        known = {a.id: a for a in self.attempts}
        for each in self.unfinished:
            attempt = known.get(each.key.attempt_id)
            if self.reached and each.unsent and (attempt is None or attempt.state != AttemptState.RUNNING):
                exam = Exam(title=each.title) if attempt is None else attempt.exam
                yield ExamRow(ExamGroup.UNSENT, exam, attempt, each.key.attempt_id, each.unsent)

    def _only_in_a_journal(self) -> Iterator[ExamRow]:
        """Yield attempts that the server does not list, without those that `_with_unsent_answers` yields."""
        known = {a.id for a in self.attempts}
        for each in self.unfinished:
            if each.key.attempt_id not in known and not (self.reached and each.unsent):
                yield ExamRow(ExamGroup.RESUME, Exam(title=each.title), None, each.key.attempt_id, each.unsent)

    def _retakeable(self) -> tuple[Exam, ...]:
        exams = {a.exam.slug: a.exam for a in self.attempts if a.exam.slug and a.allow_retake}
        spent = {a.exam.slug for a in self.attempts if a.remaining_attempts == 0}
        return tuple(exam for slug, exam in exams.items() if slug not in spent)


def without_server(unfinished: Sequence[Unfinished]) -> str:
    """Say what can be done before the server has been reached."""
    if not unfinished:
        return "No exam on this computer can be resumed without the server now."
    return (
        "Exams that were begun on this computer can be resumed without the server. "
        "Answers are saved here and sent when it is back."
    )


def _together(known: Sequence[ListedExam], more: Iterable[ListedExam]) -> tuple[ListedExam, ...]:
    slugs = {exam.slug for exam in known}
    return (*known, *(exam for exam in more if exam.slug not in slugs))


def _when(attempt: Attempt) -> float:
    return attempt.date.timestamp() if attempt.date else 0.0


def when_of(item: ExamRow, now: datetime, zone: tzinfo | None) -> str:
    match item.kind:
        case ExamGroup.AVAILABLE:
            return say.moment_near(item.exam.end_date, now, zone) if item.exam.end_date else ""
        case ExamGroup.UPCOMING:
            return say.moment_near(item.exam.start_date, now, zone)
        case _:
            return say.moment_near(item.attempt.date, now, zone) if item.attempt else ""


def score_of(item: ExamRow, now: datetime) -> str:
    """Return the score, the time left, or the time until the exam opens or closes."""
    attempt = item.attempt
    match item.kind:
        case ExamGroup.AVAILABLE:
            return say.until(item.exam.end_date, now, most=_NEAR)
        case ExamGroup.UPCOMING:
            return say.until(item.exam.start_date, now)
    if item.kind is ExamGroup.UNSENT or (item.unsent and attempt is None):
        return f"{item.unsent} unsent"
    if attempt is None:
        return ""
    if item.kind is ExamGroup.RESUME:
        return say.clock(attempt.remaining_time) if attempt.exam.duration else "untimed"
    most = most_of(attempt)
    return say.number(attempt.score) + (
        f"/{say.number(most)}" if most is not None and attempt.score is not None else ""
    )


def details(item: ExamRow, holdings: ExamLists, room: int, now: datetime, zone: tzinfo | None = None) -> list[Row]:
    exam = item.exam
    rows: list[Row] = [(strong(line[0].text),) for line in wrapped(item.title, room) if line]
    if exam.course:
        rows += wrapped(clean_line(exam.course), room, "dim")
    rows.append(EMPTY)
    if item.unsent:
        rows += [*wrapped(f"! {say.counted(item.unsent, 'answer')} saved but not sent.", room, "bad"), EMPTY]
    if item.is_known:
        rows += pairs(_facts(item, now, zone), room)
    if description := describe(exam.description, room):
        rows += [EMPTY, *description]
    rows += _history(holdings.of_exam(exam.slug), room, item)
    rows += [EMPTY, *wrapped(_next_step(item, now, zone), room, "accent")]
    return rows


def _facts(item: ExamRow, now: datetime, zone: tzinfo | None) -> list[tuple[str, str]]:
    exam, attempt = item.exam, item.attempt
    sections = ", ".join(clean_line(section.name) for section in exam.sections if section.name)
    return [
        ("questions", str(exam.number_of_questions) if exam.number_of_questions else ""),
        ("time", say.duration(exam.duration)),
        ("marks", marking(exam)),
        ("sections", sections),
        ("opens", say.moment_near(exam.start_date, now, zone) if item.kind is ExamGroup.UPCOMING else ""),
        ("until", say.moment_near(exam.end_date, now, zone) if exam.end_date else ""),
        ("retakes", retakes(exam, attempt)),
        ("started", when_of(item, now, zone) if item.kind is ExamGroup.RESUME else ""),
        ("time left", score_of(item, now) if item.kind is ExamGroup.RESUME else ""),
        ("score", score_of(item, now) if item.kind is ExamGroup.DONE else ""),
        ("", say.percent(attempt.percentage) if attempt and item.kind is ExamGroup.DONE and attempt.percentage else ""),
        ("rank", rank_words(attempt) if item.kind is ExamGroup.DONE else ""),
    ]


def marking(exam: Exam) -> str:
    """For example `+4 correct, −1 incorrect`."""
    if exam.variable_mark_per_question:
        return "different for each question"
    if exam.mark_per_question is None:
        return ""
    minus = -abs(exam.negative_marks) if exam.negative_marks else Decimal(0)
    return f"{say.signed(exam.mark_per_question)} correct, {say.signed(minus)} incorrect"


def retakes(exam: Exam, attempt: Attempt | None) -> str:
    """Say how often the exam can be taken again."""
    if attempt is not None and attempt.remaining_attempts is not None and attempt.remaining_attempts >= 0:
        return f"{attempt.remaining_attempts} left" if attempt.remaining_attempts else "none left"
    if not exam.allow_retake:
        return "one attempt"
    if exam.max_retakes is None or exam.max_retakes < 0:
        return "no limit"
    return f"up to {exam.max_retakes}"


def describe(html: str, room: int) -> list[Row]:
    if not html.strip():
        return []
    return [spans(line.runs) for line in layout(parse(html), room)]


def _history(attempts: Sequence[Attempt], room: int, item: ExamRow) -> list[Row]:
    scores = [float(a.score) for a in attempts if a.score is not None]
    if not scores or (len(scores) == 1 and item.kind is ExamGroup.DONE):  # its score is told above
        return []
    best = say.number(max(scores))
    if len(scores) == 1:
        return [EMPTY, row(("your score  ", "dim"), best)]
    line = charts.sparkline(scores, max(4, room - 13))
    between = f"   first {say.number(scores[0])}, last {say.number(scores[-1])}"
    return [
        EMPTY,
        row(("your scores  ", "dim"), (line, "accent")),
        *flowed(row(("best  ", "dim"), strong(best), (between, "dim")), room),
    ]


def _next_step(item: ExamRow, now: datetime, zone: tzinfo | None) -> str:
    match item.kind:
        case ExamGroup.UNSENT:
            return "Press enter to open the exam and send them."
        case ExamGroup.RESUME:
            timed, attempt = item.exam.duration, item.attempt
            if attempt is not None and timed and attempt.remaining_time == timedelta():
                return "The time is over. Press enter to open the exam."
            return "Press enter to resume." + (" The clock is running." if timed else "")
        case ExamGroup.AVAILABLE:
            return "Press enter to read the instructions. The clock does not start yet."
        case ExamGroup.UPCOMING:
            return f"Opens {say.moment_near(item.exam.start_date, now, zone)}."
        case ExamGroup.DONE:
            return "Press enter to see the result."
