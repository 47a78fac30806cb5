from datetime import datetime
from typing import TYPE_CHECKING, Final

from fastapi import Response
from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.core.context import ServiceDep
from lms_tui.service.core.database.tables import Attempt, AttemptQuestion, Exam, Question
from lms_tui.service.core.errors import Forbidden, NotFound, not_yours
from lms_tui.service.core.routing import Id, Router
from lms_tui.wire.attempt_states import AttemptState

if TYPE_CHECKING:
    from lms_tui.service.papers.review import ReviewPaper

router = Router(prefix="/api/v2.2")

_WITH_KEYS: Final = (
    joinedload(AttemptQuestion.question).selectinload(Question.options),
    joinedload(AttemptQuestion.question).selectinload(Question.numbers),
    joinedload(AttemptQuestion.question).selectinload(Question.texts),
    joinedload(AttemptQuestion.question).selectinload(Question.pairs),
    joinedload(AttemptQuestion.question).joinedload(Question.passage),
)


@router.get("/attempts/{attempt_id}/review/pdf/", response_class=Response)
def print_review(attempt_id: Id, student: StudentDep, service: ServiceDep) -> Response:
    """Return the review of an own, ended attempt as a PDF."""
    # The typesetter is slow to import and rarely needed.
    from lms_tui.service.papers import typesetter  # noqa: PLC0415  # see above

    student.close_overdue()
    with service.database.read() as session:
        paper = _paper(session, student.user_id, attempt_id, student.now)
        if not typesetter.is_installed():
            raise NotFound
        slug = paper.attempt.exam.slug
        with service.heavy_work:
            content = typesetter.printed(paper.source)
    return Response(
        content,
        media_type="application/pdf",
        headers={
            "Cache-Control": "private, no-store",
            "Content-Disposition": f'inline; filename="{slug}-{attempt_id}.pdf"',
            "X-Content-Type-Options": "nosniff",
        },
    )


def _paper(session: Session, user_id: int, attempt_id: int, now: datetime) -> "ReviewPaper":
    from lms_tui.service.papers.review import ReviewPaper  # noqa: PLC0415  # as above

    attempt = session.scalar(
        select(Attempt)
        .where(Attempt.id == attempt_id, Attempt.user_id == user_id)
        .options(joinedload(Attempt.user), joinedload(Attempt.exam).selectinload(Exam.sections))
    )
    if attempt is None:
        raise not_yours()
    if attempt.state != AttemptState.COMPLETED:
        raise Forbidden("The exam has not ended yet.")
    if not (attempt.exam.shows_answers(now) and attempt.exam.allow_pdf):
        raise Forbidden("This exam has no PDF review.")
    rows = session.scalars(
        select(AttemptQuestion)
        .where(AttemptQuestion.attempt_id == attempt.id)
        .order_by(AttemptQuestion.order)
        .options(*_WITH_KEYS)
    )
    return ReviewPaper(attempt, rows.all())
