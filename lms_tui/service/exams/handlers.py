from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session, joinedload

from lms_tui.service.core.database.tables import Course, Exam
from lms_tui.service.core.errors import Forbidden, NotFound
from lms_tui.service.core.text import storable
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.accommodations import accommodation_of, closes_later
from lms_tui.service.exams.attempt_counts import attempt_counts
from lms_tui.service.exams.availability import exam_attempted, exam_available, exam_upcoming
from lms_tui.service.exams.sections import load_sections
from lms_tui.service.exams.views import listed_fields
from lms_tui.wire.exams import ListedExam


class ListState(StrEnum):
    """The filter of a list of exams. `available` leaves out attempted exams."""

    ALL = ""
    AVAILABLE = "available"
    UPCOMING = "upcoming"
    HISTORY = "history"


def exam_named(session: Session, slug: str, user_id: int, now: datetime, later: timedelta) -> Exam:
    """Return an exam that the student can take or has taken. Raises NotFound and Forbidden. `later`: `closes_later`."""
    exam = session.scalar(_named(), {"slug": slug})
    if exam is None:
        raise NotFound
    load_sections(session, [exam])
    available = exam_available(user_id, now, later)
    allowed = select(Exam.id).where(Exam.id == exam.id, or_(available, exam_attempted(user_id)))
    if session.scalar(allowed) is None:
        raise Forbidden("This exam is not available to you.")
    return exam


@cache
def _named() -> Select[Exam]:
    return select(Exam).where(Exam.slug == bindparam("slug")).options(joinedload(Exam.course, innerjoin=True))


def listed(session: Session, user_id: int, now: datetime, state: ListState, course: str, title: str) -> Select[Exam]:
    """Select exams. `course` is the whole name in any case. `title` is a part of the title in any case."""
    statement = (
        select(Exam)
        .where(_in_state(user_id, now, state, closes_later(session, user_id)))
        .options(joinedload(Exam.course, innerjoin=True))
        .order_by(Exam.start_date.asc() if state is ListState.UPCOMING else Exam.start_date.desc(), Exam.id)
    )
    if course:
        name = storable(course)
        statement = statement.where(Exam.course.has(or_(Course.name == name, func.lower(Course.name) == name.lower())))
    if title:
        statement = statement.where(Exam.title.icontains(storable(title), autoescape=True))
    return statement


def _in_state(user_id: int, now: datetime, state: ListState, later: timedelta) -> ColumnElement[bool]:
    attempted = exam_attempted(user_id)
    available, upcoming = exam_available(user_id, now, later), exam_upcoming(user_id, now)
    match state:
        case ListState.AVAILABLE:
            return and_(available, ~attempted)
        case ListState.UPCOMING:
            return and_(upcoming, ~attempted)
        case ListState.HISTORY:
            return attempted
        case ListState.ALL:
            return or_(available, upcoming, attempted)


def present(session: Session, urls: Urls, user_id: int, exams: Sequence[Exam], now: datetime) -> list[ListedExam]:
    """Return exams with the number of attempts of the student."""
    if not exams:
        return []
    load_sections(session, exams)
    counts = attempt_counts(session, user_id, [exam.id for exam in exams])
    given = accommodation_of(session, user_id)
    return [ListedExam(**listed_fields(exam, urls, now, counts[exam.id], given)) for exam in exams]
