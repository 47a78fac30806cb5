"""An attempt as a wire model, from rows of the ORM or plain ones."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from lms_tui.service.attempts import shares
from lms_tui.service.attempts.clock import AttemptClock
from lms_tui.service.attempts.row_clocks import clock_of
from lms_tui.service.attempts.rows import SectionRow, ShownAttemptRow
from lms_tui.service.attempts.shares import Ranking
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.retakes import remaining_attempts
from lms_tui.service.exams.rows import ExamRow
from lms_tui.service.users.views import summary_view
from lms_tui.wire import attempts as wire
from lms_tui.wire import exams as exam_wire
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.single_attempts import AttemptWithUser, LiveAttempt

if TYPE_CHECKING:
    from lms_tui.service.core.database.tables import Attempt, AttemptSection, Exam

A = TypeVar("A", bound=wire.Attempt)


def attempt_view(
    shape: type[A],
    row: "Attempt | ShownAttemptRow",
    exam: "Exam | ExamRow",
    shown: exam_wire.Exam,
    attempts: int,
    place: Ranking | None,
    urls: Urls,
    now: datetime,
) -> A:
    """Return an attempt with its exam as `shown`, and its place if it has one. `attempts`: see `attempt_fields`."""
    clock = clock_of(row)
    if row.state == AttemptState.RUNNING:
        clock = clock.at(now)
    fields = attempt_fields(row, exam, attempts, clock, urls) | _ranking(exam, place, now)
    fields["exam"] = shown
    fields["user"] = summary_view(row.user, urls) if issubclass(shape, AttemptWithUser) else row.user.username
    if issubclass(shape, LiveAttempt):
        fields["exam_url"] = urls.exam(exam.slug)
    return shape(**fields)


def _ranking(exam: "Exam | ExamRow", place: Ranking | None, now: datetime) -> dict[str, Any]:
    """Return rank, max_rank and percentile. Ranks stay `NA` until the exam publishes them."""
    if place is None:
        return {"percentile": 0.0}
    fields: dict[str, Any] = {"percentile": place.percentile}
    if _publishes_ranks(exam, now):
        fields |= {"rank": place.rank, "max_rank": place.max_rank}
    return fields


def attempt_fields(
    row: "Attempt | ShownAttemptRow", exam: "Exam | ExamRow", attempts: int, clock: AttemptClock, urls: Urls
) -> dict[str, Any]:
    """Return every field except user, exam and rank. `attempts` is the number of attempts of the student."""
    remaining = remaining_attempts(exam, attempts)
    return {
        "url": urls.attempt(row.id),
        "id": row.id,
        "date": row.date,
        "total_questions": row.total_questions,
        "score": row.score,
        "review_pdf_url": urls.review_pdf(row.id) if exam.allow_pdf else "",
        "review_url": urls.review(row.id),
        "questions_url": urls.attempt_questions(row.id),
        "correct_count": row.correct_count,
        "incorrect_count": row.incorrect_count,
        "unanswered_count": row.unanswered_count,
        "last_started_time": row.last_started_time,
        "remaining_time": clock.left,
        "time_taken": clock.taken,
        "state": row.state,
        "percentage": shares.percentage(row.score, row.max_score),
        "allow_retake": exam.allow_retake and remaining != 0,
        "remaining_attempts": remaining,
        "total_bonus": int(row.total_bonus),
        "rank_enabled": exam.enable_ranks,
        "sections": _sections(row, exam, clock, urls),
        "speed": row.speed,
        "accuracy": row.accuracy,
    }


def _sections(
    row: "Attempt | ShownAttemptRow", exam: "Exam | ExamRow", clock: AttemptClock, urls: Urls
) -> list[dict[str, Any]]:
    """Return the fields of each named section."""
    named = {section.id: section for section in exam.named_sections}
    sections: Sequence[AttemptSection | SectionRow] = row.sections
    unlocked = exam.locks_sections and not clock.sections
    return [
        {
            "id": section.exam_section_id,
            "attempt_section_id": section.id,
            "name": named[section.exam_section_id].name,
            "order": section.order,
            "state": clock.sections[index].state if clock.sections else section.state,
            # Without a time limit for the student, the section has none either.
            "duration": None if unlocked else named[section.exam_section_id].duration,
            "remaining_time": clock.sections[index].left if clock.sections else None,
            "instructions": named[section.exam_section_id].instructions,
            "questions_url": urls.section(row.id, section.id, "questions"),
            "start_url": urls.section(row.id, section.id, "start"),
            "end_url": urls.section(row.id, section.id, "end"),
        }
        for index, section in enumerate(sections)
        if section.exam_section_id in named
    ]


def _publishes_ranks(exam: "Exam | ExamRow", now: datetime) -> bool:
    return exam.enable_ranks and (exam.rank_publishing_date is None or exam.rank_publishing_date <= now)
