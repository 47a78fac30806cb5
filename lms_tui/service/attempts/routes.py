from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Response
from sqlalchemy import func, or_, select

from lms_tui.service.attempts.answers import AnswerBody, Answering
from lms_tui.service.attempts.dependencies import Sits, Writes
from lms_tui.service.attempts.results import Results
from lms_tui.service.attempts.stamps import Stamp, StampHeader, TimeHeader
from lms_tui.service.attempts.views import Presenter
from lms_tui.service.attempts.writes import Answered, Beat
from lms_tui.service.core.database.tables import Attempt, Course, Exam
from lms_tui.service.core.paging import Paged
from lms_tui.service.core.routing import Id, Router, Slug
from lms_tui.service.core.text import storable
from lms_tui.service.exams.handlers import exam_named
from lms_tui.wire import attempts as wire
from lms_tui.wire.base import Page

router = Router(prefix="/api/v2.2")

JSON = "application/json"

Text = Annotated[str, Query(max_length=300)]


@router.get("/attempts/")
def list_attempts(sitting: Sits, paging: Paged, course: Text = "", q: Text = "") -> Page[wire.Attempt]:
    """The caller's attempts, the newest first."""
    sitting.settle()
    statement = (
        select(Attempt)
        .join(Attempt.exam)
        .where(Attempt.user_id == sitting.user_id)
        .order_by(Attempt.date.desc(), Attempt.id.desc())
    )
    if course:
        name = storable(course)
        statement = statement.join(Exam.course).where(or_(Course.name == name, func.lower(Course.name) == name.lower()))
    if q:
        statement = statement.where(Exam.title.icontains(storable(q), autoescape=True))
    with sitting.database.read() as session:
        presenter = Presenter(session, sitting.urls, sitting.now)
        return paging.of_rows(session, statement, lambda rows: presenter.many(wire.Attempt, rows))


@router.get("/exams/{slug}/attempts/")
def list_attempts_of_exam(slug: Slug, sitting: Sits, paging: Paged) -> Page[wire.AttemptWithUser]:
    sitting.settle()
    with sitting.database.read() as session:
        exam = exam_named(session, slug, sitting.user_id, sitting.now)
        statement = (
            select(Attempt)
            .where(Attempt.user_id == sitting.user_id, Attempt.exam_id == exam.id)
            .order_by(Attempt.date.desc(), Attempt.id.desc())
        )
        presenter = Presenter(session, sitting.urls, sitting.now)
        return paging.of_rows(session, statement, lambda rows: presenter.many(wire.AttemptWithUser, rows))


@router.post(
    "/exams/{slug}/attempts/",
    status_code=HTTPStatus.CREATED,
    responses={200: {"model": wire.CreatedAttempt, "description": "The attempt that runs already."}},
)
def create_attempt(slug: Slug, sitting: Sits, response: Response) -> wire.CreatedAttempt:
    """201 with a new attempt; 200 with the one that runs already."""
    attempt, new = sitting.create(slug)
    if not new:
        response.status_code = HTTPStatus.OK
    return attempt


@router.get("/attempts/{attempt_id}")
def read_attempt(attempt_id: Id, sitting: Sits) -> wire.Attempt:
    return sitting.read(attempt_id)


@router.put("/attempts/{attempt_id}/start/")
def start_attempt(attempt_id: Id, sitting: Sits) -> wire.Attempt:
    return sitting.start(attempt_id)


@router.put("/attempts/{attempt_id}/heartbeat/", response_model=wire.LiveAttempt)
async def beat(attempt_id: Id, sitting: Sits, writer: Writes) -> Response:
    move = Beat(sitting.user_id, None, attempt_id, sitting.urls, sitting.now)
    return Response(await writer.perform(move), media_type=JSON)


@router.put("/attempts/{attempt_id}/end/")
def end_attempt(attempt_id: Id, sitting: Sits) -> wire.Attempt:
    return sitting.end(attempt_id)


@router.get("/attempts/{attempt_id}/questions/")
def list_questions(attempt_id: Id, sitting: Sits, paging: Paged) -> Page[wire.AttemptQuestion]:
    return Answering(sitting).page(attempt_id, paging)


@router.put("/attempts/{attempt_id}/questions/{question_id}", response_model=wire.AttemptQuestion)
async def save_answer(
    attempt_id: Id,
    question_id: Id,
    body: AnswerBody,
    sitting: Sits,
    writer: Writes,
    sequence: StampHeader = None,
    time: TimeHeader = None,
) -> Response:
    """Apply an answer; one that is older than the answer that stands changes nothing."""
    stamp = Stamp.read(sequence, time)
    move = Answered(sitting.user_id, None, attempt_id, sitting.urls, sitting.now, question_id, body, stamp)
    return Response(await writer.perform(move), media_type=JSON)


@router.get("/attempts/{attempt_id}/review/")
def review(attempt_id: Id, sitting: Sits, paging: Paged) -> Page[wire.ReviewQuestion]:
    return Results(sitting).review(attempt_id, paging)


@router.get("/attempts/{attempt_id}/review/subjects/")
def subjects(attempt_id: Id, sitting: Sits, paging: Paged) -> Page[wire.SubjectAnalytics]:
    return Results(sitting).subjects(attempt_id, paging)


@router.get("/attempts/{attempt_id}/sections/{section_id}/questions/")
def list_section_questions(attempt_id: Id, section_id: Id, sitting: Sits, paging: Paged) -> Page[wire.AttemptQuestion]:
    return Answering(sitting).page(attempt_id, paging, section_id)


@router.put("/attempts/{attempt_id}/sections/{section_id}/start/")
def start_section(attempt_id: Id, section_id: Id, sitting: Sits) -> wire.Attempt:
    return sitting.start_section(attempt_id, section_id)


@router.put("/attempts/{attempt_id}/sections/{section_id}/end/")
def end_section(attempt_id: Id, section_id: Id, sitting: Sits) -> wire.Attempt:
    return sitting.end_section(attempt_id, section_id)
