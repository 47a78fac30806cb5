"""The review of a student as a PDF, for instructors."""

from sqlalchemy import select

from lms_tui.service.admin.administration import AdminError, Administration, exam_named, user_of
from lms_tui.service.core.database.tables import Attempt
from lms_tui.service.papers import typesetter
from lms_tui.service.papers.review import attempt_to_print, paper_of
from lms_tui.wire.attempt_states import AttemptState


def review_pdf(admin: Administration, slug: str, username: str) -> bytes:
    """Return the review of the newest ended attempt of a student, with answers and keys. Raises AdminError."""
    if not typesetter.is_installed():
        raise AdminError("PDF files need Typst.", "Install it with: pip install 'lms-tui[pdf]'")
    with admin.database.read() as session:
        exam, user = exam_named(session, slug), user_of(session, username)
        newest = (
            select(Attempt.id)
            .where(Attempt.exam_id == exam.id, Attempt.user_id == user.id, Attempt.state == AttemptState.COMPLETED)
            .order_by(Attempt.id.desc())
            .limit(1)
        )
        found = session.scalar(newest)
        attempt = None if found is None else attempt_to_print(session, found)
        if attempt is None:
            raise AdminError(f"{username} has not ended the exam {slug}.", "See `lms-tui exam board`.")
        return typesetter.printed(paper_of(session, attempt).source)
