"""The results of an exam for staff."""

from collections.abc import Sequence

from sqlalchemy import select

from lms_tui.service.core.context import ServiceDep
from lms_tui.service.core.database.tables import Attempt, Exam
from lms_tui.service.core.errors import NotFound
from lms_tui.service.core.paging import Paged
from lms_tui.service.core.roles import Staff
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.grading.results import AttemptResult, Column, ExamResults
from lms_tui.wire.base import Page
from lms_tui.wire.grading import ExamResult, MarkedAnswer, SubjectMarks

router = Router(prefix="/api/v2.5/admin/exams")


@router.get("/{slug}/results/")
def list_results(slug: Slug, _staff: Staff, service: ServiceDep, paging: Paged) -> Page[ExamResult]:
    """List the attempts of an exam with their answers and marks, the oldest first."""
    with service.database.read() as session:
        exam = session.scalar(select(Exam).where(Exam.slug == slug))
        if exam is None:
            raise NotFound
        results = ExamResults(session, exam)
        attempts = select(Attempt.id).where(Attempt.exam_id == exam.id).order_by(Attempt.id)
        return paging.of_rows(
            session, attempts, lambda ids: [_view(result, results.columns) for result in results.of(ids)]
        )


def _view(result: AttemptResult, columns: Sequence[Column]) -> ExamResult:
    over = result.ended is not None
    return ExamResult(
        id=result.id,
        username=result.username,
        display_name=result.name,
        state=result.state,
        score=result.score if over else None,
        max_score=result.max_score if over else None,
        percentage=result.percentage if over else "",
        rank=None if result.ranking is None else result.ranking.rank,
        correct_count=result.correct,
        incorrect_count=result.incorrect,
        unanswered_count=result.unanswered,
        to_mark=result.waiting,
        date=result.started,
        ended=result.ended,
        time_taken=result.time_taken,
        subjects=tuple(
            SubjectMarks(subject=name, marks=marks) for name, marks in result.by_subject(columns).items() if name
        ),
        answers=tuple(
            MarkedAnswer(question=column.number, answer=given.answer, outcome=given.outcome or "", marks=given.marks)
            for column in columns
            if (given := result.answers.get(column.id)) is not None
        ),
    )
