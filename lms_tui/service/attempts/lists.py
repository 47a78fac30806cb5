"""The exams and attempts of a student, which the first screens show."""

from datetime import timedelta
from typing import Final

from sqlalchemy import func, or_, select

from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.single_exams import ExamWithAttempts, single_view
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.core.database.tables import Attempt, Course, Exam
from lms_tui.service.core.pages import PER_PAGE
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.text import storable
from lms_tui.service.exams.accommodations import accommodation_of, closes_later
from lms_tui.service.exams.attempt_counts import attempt_counts
from lms_tui.service.exams.handlers import ListState, exam_named, listed, present
from lms_tui.service.exams.views import listed_fields
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import Page
from lms_tui.wire.exams import ListedExam
from lms_tui.wire.single_attempts import AttemptWithUser

_NEWEST: Final = (Attempt.date, Attempt.id)


def list_exams(
    student: StudentAttempts, paging: Paging, state: ListState = ListState.ALL, course: str = "", title: str = ""
) -> Page[ListedExam]:
    student.close_overdue()
    with student.database.read() as session:
        statement = listed(session, student.user_id, student.now, state, course, title)
        return paging.of_rows(
            session, statement, lambda rows: present(session, student.urls, student.user_id, rows, student.now)
        )


def list_attempts(student: StudentAttempts, paging: Paging, course: str = "", title: str = "") -> Page[wire.Attempt]:
    """List the attempts of the student, the newest first. `course` and `title`: see `listed`."""
    student.close_overdue()
    statement = select(Attempt.id).where(Attempt.user_id == student.user_id)
    if course:
        name = storable(course)
        of_course = select(Exam.id).join(Exam.course)
        of_course = of_course.where(or_(Course.name == name, func.lower(Course.name) == name.lower()))
        statement = statement.where(Attempt.exam_id.in_(of_course))
    if title:
        titled = select(Exam.id).where(Exam.title.icontains(storable(title), autoescape=True))
        statement = statement.where(Attempt.exam_id.in_(titled))
    with student.database.read() as session:
        presenter = Presenter(session, student.urls, student.now)
        return paging.of_newest(session, statement, _NEWEST, lambda ids: presenter.many(wire.Attempt, ids))


def read_exam(student: StudentAttempts, slug: str) -> ExamWithAttempts:
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
        fields = listed_fields(exam, student.urls, student.now, counts[exam.id], given)
        return single_view(fields, attempts, exam.calculator, exam.reference_sheet, exam.access_code)


def list_attempts_of_exam(student: StudentAttempts, slug: str, paging: Paging) -> Page[AttemptWithUser]:
    student.close_overdue()
    with student.database.read() as session:
        exam = exam_named(session, slug, student.user_id, student.now, closes_later(session, student.user_id))
        statement = select(Attempt.id).where(Attempt.user_id == student.user_id, Attempt.exam_id == exam.id)
        presenter = Presenter(session, student.urls, student.now)
        return paging.of_newest(session, statement, _NEWEST, lambda ids: presenter.many(AttemptWithUser, ids))
