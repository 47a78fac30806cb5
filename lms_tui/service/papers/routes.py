"""Reviews as PDF, for the student and for staff."""

from collections.abc import Callable

from fastapi import Response

from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.tables import Attempt
from lms_tui.service.core.dependencies import ServiceDep
from lms_tui.service.core.errors import Forbidden, NotFound, not_yours
from lms_tui.service.core.roles import Staff
from lms_tui.service.core.routing import Id, Router
from lms_tui.wire.attempt_states import AttemptState

router = Router()


@router.get("/api/v2.2/attempts/{attempt_id}/review/pdf/", response_class=Response)
def print_review(attempt_id: Id, student: StudentDep, service: ServiceDep) -> Response:
    """Return the review of an own, ended attempt as a PDF."""
    student.close_overdue()

    def own(attempt: Attempt | None) -> Attempt:
        if attempt is None or attempt.user_id != student.user_id:
            raise not_yours()
        if attempt.state == AttemptState.COMPLETED and not (
            attempt.exam.shows_answers(student.now) and attempt.exam.allow_pdf
        ):
            raise Forbidden("This exam has no PDF review.")
        return attempt

    return _printed(service, attempt_id, own)


@router.get("/api/v2.5/admin/attempts/{attempt_id}/review/pdf/", response_class=Response)
def print_review_of_student(attempt_id: Id, _staff: Staff, service: ServiceDep) -> Response:
    """Return the review of an ended attempt of any student as a PDF."""

    def known(attempt: Attempt | None) -> Attempt:
        if attempt is None:
            raise NotFound
        return attempt

    return _printed(service, attempt_id, known)


def _printed(service: Service, attempt_id: int, permitted: Callable[[Attempt | None], Attempt]) -> Response:
    """Return a review as a PDF. `permitted` raises Failure for an attempt that the caller may not read."""
    # The typesetter is slow to import and rarely needed.
    from lms_tui.service.papers import typesetter  # noqa: PLC0415  # see above
    from lms_tui.service.papers.review import attempt_to_print, paper_of  # noqa: PLC0415  # as above

    with service.database.read() as session:
        attempt = permitted(attempt_to_print(session, attempt_id))
        if attempt.state != AttemptState.COMPLETED:
            raise Forbidden("The exam has not ended yet.")
        if not typesetter.is_installed():
            raise NotFound
        paper = paper_of(session, attempt)
        slug = attempt.exam.slug
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
