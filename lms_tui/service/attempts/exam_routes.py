"""Exams as a student sees them, with the student's own attempts."""

from datetime import timedelta

from sqlalchemy import select

from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.attempts.list_routes import NEWEST, Text, list_exams
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.core.database.tables import Attempt
from lms_tui.service.core.paging import PER_PAGE, Paged
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.exams.accommodations import accommodation_of, closes_later
from lms_tui.service.exams.handlers import ListState, exam_named, listed_fields
from lms_tui.service.exams.retakes import attempt_counts
from lms_tui.wire.attempts import AttemptWithUser
from lms_tui.wire.base import Many, Page
from lms_tui.wire.exams import ListedExam, SingleExam

router = Router(prefix="/api/v2.2/exams")


class ExamWithAttempts(SingleExam):
    """One exam with the newest attempts of the caller. `attempts_url` lists all of them."""

    attempts: Many[AttemptWithUser] = ()


@router.get("/available/")
def list_available(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return list_exams(student, paging, ListState.AVAILABLE, course, q)


@router.get("/upcoming/")
def list_upcoming(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return list_exams(student, paging, ListState.UPCOMING, course, q)


@router.get("/history/")
def list_history(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return list_exams(student, paging, ListState.HISTORY, course, q)


@router.get("/{slug}")
def read_exam(slug: Slug, student: StudentDep) -> ExamWithAttempts:
    student.close_overdue()
    with student.database.read() as session:
        given = accommodation_of(session, student.user_id)
        later = timedelta() if given is None else given.closes_later
        exam = exam_named(session, slug, student.user_id, student.now, later)
        rows = session.scalars(
            select(Attempt.id)
            .where(Attempt.user_id == student.user_id, Attempt.exam_id == exam.id)
            .order_by(Attempt.date.desc(), Attempt.id.desc())
            .limit(PER_PAGE)
        ).all()
        counts = attempt_counts(session, student.user_id, [exam.id])
        attempts = Presenter(session, student.urls, student.now).many(AttemptWithUser, rows, counts)
        return ExamWithAttempts(
            **listed_fields(exam, student.urls, student.now, counts[exam.id], given),
            attempts=attempts,
            calculator=exam.calculator,
            has_reference_sheet=bool(exam.reference_sheet.strip()),
            needs_access_code=bool(exam.access_code),
        )


@router.get("/{slug}/attempts/")
def list_attempts_of_exam(slug: Slug, student: StudentDep, paging: Paged) -> Page[AttemptWithUser]:
    student.close_overdue()
    with student.database.read() as session:
        exam = exam_named(session, slug, student.user_id, student.now, closes_later(session, student.user_id))
        statement = select(Attempt.id).where(Attempt.user_id == student.user_id, Attempt.exam_id == exam.id)
        presenter = Presenter(session, student.urls, student.now)
        return paging.of_newest(session, statement, NEWEST, lambda ids: presenter.many(AttemptWithUser, ids))
