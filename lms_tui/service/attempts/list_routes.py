"""The lists of exams and attempts of a student, which the home screen needs first."""

from typing import Annotated, Final

from fastapi import Query
from sqlalchemy import func, or_, select

from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.core.database.tables import Attempt, Course, Exam
from lms_tui.service.core.paging import Paged
from lms_tui.service.core.routing import Router
from lms_tui.service.core.text import storable
from lms_tui.service.exams.handlers import ListState, listed, present
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import Page
from lms_tui.wire.exams import ListedExam

router = Router(prefix="/api/v2.2")

Text = Annotated[str, Query(max_length=300)]

NEWEST: Final = (Attempt.date, Attempt.id)


@router.get("/exams/")
def list_exams(
    student: StudentDep, paging: Paged, state: ListState = ListState.ALL, course: Text = "", q: Text = ""
) -> Page[ListedExam]:
    student.close_overdue()
    with student.database.read() as session:
        statement = listed(session, student.user_id, student.now, state, course, q)
        return paging.of_rows(
            session, statement, lambda rows: present(session, student.urls, student.user_id, rows, student.now)
        )


@router.get("/attempts/")
def list_attempts(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[wire.Attempt]:
    """List the attempts of the caller, the newest first."""
    student.close_overdue()
    statement = select(Attempt.id).where(Attempt.user_id == student.user_id)
    if course:
        name = storable(course)
        of_course = select(Exam.id).join(Exam.course)
        of_course = of_course.where(or_(Course.name == name, func.lower(Course.name) == name.lower()))
        statement = statement.where(Attempt.exam_id.in_(of_course))
    if q:
        titled = select(Exam.id).where(Exam.title.icontains(storable(q), autoescape=True))
        statement = statement.where(Attempt.exam_id.in_(titled))
    with student.database.read() as session:
        presenter = Presenter(session, student.urls, student.now)
        return paging.of_newest(session, statement, NEWEST, lambda ids: presenter.many(wire.Attempt, ids))
