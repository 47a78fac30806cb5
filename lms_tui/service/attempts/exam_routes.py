from typing import Annotated

from fastapi import Query
from sqlalchemy import select

from lms_tui.service.attempts.dependencies import Sits
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.core.database.tables import Attempt
from lms_tui.service.core.paging import Paged
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.exams.handlers import ListState, exam_named, listed, listed_fields, present
from lms_tui.wire.attempts import AttemptWithUser
from lms_tui.wire.base import Many, Page
from lms_tui.wire.exams import ListedExam

router = Router(prefix="/api/v2.2/exams")

Text = Annotated[str, Query(max_length=300)]


class SingleExam(ListedExam):
    """One exam with the caller's attempts of it, the newest first."""

    attempts: Many[AttemptWithUser] = ()


def _list(sitting: Sits, paging: Paged, state: ListState, course: str, q: str) -> Page[ListedExam]:
    sitting.settle()
    with sitting.database.read() as session:
        statement = listed(sitting.user_id, sitting.now, state, course, q)
        return paging.of_rows(session, statement, lambda rows: present(session, sitting.urls, sitting.user_id, rows))


@router.get("/")
def list_exams(
    sitting: Sits, paging: Paged, state: ListState = ListState.ALL, course: Text = "", q: Text = ""
) -> Page[ListedExam]:
    return _list(sitting, paging, state, course, q)


@router.get("/available/")
def list_available(sitting: Sits, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return _list(sitting, paging, ListState.AVAILABLE, course, q)


@router.get("/upcoming/")
def list_upcoming(sitting: Sits, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return _list(sitting, paging, ListState.UPCOMING, course, q)


@router.get("/history/")
def list_history(sitting: Sits, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return _list(sitting, paging, ListState.HISTORY, course, q)


@router.get("/{slug}")
def read_exam(slug: Slug, sitting: Sits) -> SingleExam:
    sitting.settle()
    with sitting.database.read() as session:
        exam = exam_named(session, slug, sitting.user_id, sitting.now)
        rows = session.scalars(
            select(Attempt)
            .where(Attempt.user_id == sitting.user_id, Attempt.exam_id == exam.id)
            .order_by(Attempt.date.desc(), Attempt.id.desc())
        ).all()
        (fields,) = listed_fields(session, sitting.urls, sitting.user_id, [exam])
        attempts = Presenter(session, sitting.urls, sitting.now).many(AttemptWithUser, rows)
        return SingleExam(**fields, attempts=attempts)
