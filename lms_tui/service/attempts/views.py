"""Attempts as wire models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy.orm import Session

from lms_tui.service.attempts import scoring
from lms_tui.service.attempts.clock import AttemptClock
from lms_tui.service.attempts.rankings import rankings
from lms_tui.service.attempts.records import clock_of, load_with_all
from lms_tui.service.attempts.rows import SectionRow, ShownAttemptRow
from lms_tui.service.attempts.scoring import Ranking
from lms_tui.service.core.database.tables import Attempt, AttemptSection, Exam
from lms_tui.service.core.errors import not_yours
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.retakes import AttemptCounts, attempt_counts, remaining_attempts
from lms_tui.service.exams.views import exam_view
from lms_tui.service.users.views import summary_view
from lms_tui.wire import attempts as wire
from lms_tui.wire import exams as exam_wire
from lms_tui.wire.attempt_states import AttemptState

A = TypeVar("A", bound=wire.Attempt)


@dataclass(frozen=True, slots=True)
class Presenter:
    """Presents the attempts of one student."""

    session: Session
    urls: Urls
    now: datetime

    def many(self, shape: type[A], ids: Sequence[int], counts: Mapping[int, AttemptCounts] | None = None) -> list[A]:
        """Return attempts in the order of their IDs. The number of queries does not depend on that of attempts.

        `counts`: the attempts of the student at each of the exams, if they are known.
        """
        loaded = load_with_all(self.session, ids)
        return self._present(shape, [loaded[id_] for id_ in ids], counts)

    def _present(
        self, shape: type[A], rows: Sequence[Attempt], counts: Mapping[int, AttemptCounts] | None = None
    ) -> list[A]:
        if not rows:
            return []
        if counts is None:
            counts = attempt_counts(self.session, rows[0].user_id, {row.exam_id for row in rows})
        exams = {row.exam_id: exam_view(row.exam, self.urls, self.now) for row in rows}
        places = rankings(self.session, [row.id for row in rows if row.state == AttemptState.COMPLETED])
        return [
            self._show(shape, row, counts[row.exam_id].made, exams[row.exam_id], places.get(row.id)) for row in rows
        ]

    def one(self, shape: type[A], attempt_id: int) -> A:
        return self.many(shape, [attempt_id])[0]

    def own(self, shape: type[A], attempt_id: int, user_id: int) -> A:
        """Return an attempt of this user. Raises Forbidden if it is missing or belongs to another user."""
        row = load_with_all(self.session, [attempt_id]).get(attempt_id)
        if row is None or row.user_id != user_id:
            raise not_yours()
        return self._present(shape, [row])[0]

    def _show(self, shape: type[A], row: Attempt, attempts: int, exam: exam_wire.Exam, place: Ranking | None) -> A:
        clock = clock_of(row)
        if row.state == AttemptState.RUNNING:
            clock = clock.at(self.now)
        fields = attempt_fields(row, row.exam, attempts, clock, self.urls) | self._ranking(row.exam, place)
        fields["exam"] = exam
        fields["user"] = (
            summary_view(row.user, self.urls) if issubclass(shape, wire.AttemptWithUser) else row.user.username
        )
        if issubclass(shape, wire.LiveAttempt):
            fields["exam_url"] = self.urls.exam(row.exam.slug)
        return shape(**fields)

    def _ranking(self, exam: Exam, place: Ranking | None) -> dict[str, Any]:
        """Return rank, max_rank and percentile. Ranks stay `NA` until the exam publishes them."""
        if place is None:
            return {"percentile": 0.0}
        fields: dict[str, Any] = {"percentile": place.percentile}
        if _publishes_ranks(exam, self.now):
            fields |= {"rank": place.rank, "max_rank": place.max_rank}
        return fields


def attempt_fields(
    row: Attempt | ShownAttemptRow, exam: Exam, attempts: int, clock: AttemptClock, urls: Urls
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
        "percentage": scoring.percentage(row.score, row.max_score),
        "allow_retake": exam.allow_retake and remaining != 0,
        "remaining_attempts": remaining,
        "total_bonus": int(row.total_bonus),
        "rank_enabled": exam.enable_ranks,
        "sections": _sections(row, exam, clock, urls),
        "speed": row.speed,
        "accuracy": row.accuracy,
    }


def _sections(row: Attempt | ShownAttemptRow, exam: Exam, clock: AttemptClock, urls: Urls) -> list[dict[str, Any]]:
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


def _publishes_ranks(exam: Exam, now: datetime) -> bool:
    return exam.enable_ranks and (exam.rank_publishing_date is None or exam.rank_publishing_date <= now)
