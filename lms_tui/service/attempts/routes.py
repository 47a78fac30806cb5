from http import HTTPStatus

from fastapi import Response

from lms_tui.service.attempts import access_codes, acknowledgement
from lms_tui.service.attempts.answers import AnswerBody, AttemptQuestions
from lms_tui.service.attempts.dependencies import GivenCodeDep, StampHeader, StudentDep, TimeHeader, WriterDep
from lms_tui.service.attempts.lifecycle import StudentAttempts
from lms_tui.service.attempts.notices import DESCRIBED, mark_seen, notices_of
from lms_tui.service.attempts.records import check_owner, running_attempt
from lms_tui.service.attempts.responses import response_of
from lms_tui.service.attempts.results import Results
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.attempts.writes import AnswerWrite, Heartbeat
from lms_tui.service.core.context import Service
from lms_tui.service.core.dependencies import Paged, ServiceDep
from lms_tui.service.core.routing import Id, Router, Slug
from lms_tui.wire import attempts as wire
from lms_tui.wire.acknowledgement import ACKNOWLEDGEMENT_HEADER
from lms_tui.wire.base import Page
from lms_tui.wire.single_attempts import CreatedAttempt, LiveAttempt

router = Router(prefix="/api/v2.2")


@router.post(
    "/exams/{slug}/attempts/",
    status_code=HTTPStatus.CREATED,
    responses={200: {"model": CreatedAttempt, "description": "The running attempt."}},
)
def create_attempt(slug: Slug, student: StudentDep, given: GivenCodeDep, response: Response) -> CreatedAttempt:
    """Return a new attempt with status 201, or the running one with 200."""
    attempt, new = access_codes.create_attempt(student, slug, given)
    if not new:
        response.status_code = HTTPStatus.OK
    return attempt


@router.get("/attempts/{attempt_id}")
def read_attempt(attempt_id: Id, student: StudentDep) -> wire.Attempt:
    return student.read(attempt_id)


@router.put("/attempts/{attempt_id}/start/", responses=DESCRIBED)
def start_attempt(attempt_id: Id, student: StudentDep, service: ServiceDep, response: Response) -> wire.Attempt:
    attempt, headers = student.start(attempt_id, service.epoch.value)
    response.raw_headers.extend(headers)
    return attempt


@router.put("/attempts/{attempt_id}/heartbeat/", response_model=LiveAttempt, responses=DESCRIBED)
async def heartbeat(attempt_id: Id, student: StudentDep, writer: WriterDep) -> Response:
    write = Heartbeat(student.user_id, None, attempt_id, student.urls, student.now)
    return response_of(await writer.perform(write))


@router.put("/attempts/{attempt_id}/end/", responses=acknowledgement.DESCRIBED)
def end_attempt(attempt_id: Id, student: StudentDep, service: ServiceDep, response: Response) -> wire.Attempt:
    attempt = student.end(attempt_id)
    # After the commit, because only durable answers are acknowledged.
    response.headers[ACKNOWLEDGEMENT_HEADER] = _acknowledged(attempt_id, student, service)
    return attempt


@router.get("/attempts/{attempt_id}/acknowledgement/")
def acknowledge(attempt_id: Id, student: StudentDep, service: ServiceDep) -> wire.AnswersAcknowledged:
    """Return which answers the service holds now, signed. The API document has no such endpoint."""
    student.close_overdue()
    return wire.AnswersAcknowledged(acknowledgement=_acknowledged(attempt_id, student, service))


def _acknowledged(attempt_id: int, student: StudentAttempts, service: Service) -> str:
    with student.database.read() as session:
        check_owner(session, student.user_id, attempt_id)
        return acknowledgement.acknowledgement_of(session, attempt_id, service.signer, student.now)


@router.get("/attempts/{attempt_id}/questions/")
def list_questions(attempt_id: Id, student: StudentDep, paging: Paged) -> Page[wire.AttemptQuestion]:
    return AttemptQuestions(student).page(attempt_id, paging)


@router.get("/attempts/{attempt_id}/aids/")
def read_aids(attempt_id: Id, student: StudentDep) -> wire.ExamAids:
    """Return the aids of a running attempt. The API document has no such endpoint."""
    student.close_overdue()
    with student.database.read() as session:
        exam = running_attempt(session, student.user_id, attempt_id).exam
        return wire.ExamAids(calculator=exam.calculator, reference_sheet=exam.reference_sheet)


@router.get("/attempts/{attempt_id}/notices/")
def list_notices(attempt_id: Id, student: StudentDep) -> list[wire.AttemptNotice]:
    """Return what the institute has told the student of this attempt. The API document has no such endpoint."""
    with student.database.read() as session:
        check_owner(session, student.user_id, attempt_id)
        return notices_of(session, attempt_id)


@router.put("/attempts/{attempt_id}/notices/{notice_id}/seen/", status_code=HTTPStatus.NO_CONTENT)
def mark_notices_seen(attempt_id: Id, notice_id: Id, student: StudentDep) -> None:
    """Note that the student's app has shown the notices up to this one."""
    with student.database.write() as session:
        check_owner(session, student.user_id, attempt_id)
        mark_seen(session, attempt_id, notice_id, student.now)


@router.put("/attempts/{attempt_id}/questions/{question_id}", response_model=wire.AttemptQuestion)
async def save_answer(
    attempt_id: Id,
    question_id: Id,
    body: AnswerBody,
    student: StudentDep,
    writer: WriterDep,
    sequence: StampHeader = None,
    time: TimeHeader = None,
) -> Response:
    """Save an answer. An answer older than the one that stands changes nothing."""
    stamp = Stamp.read(sequence, time)
    write = AnswerWrite(student.user_id, None, attempt_id, student.urls, student.now, question_id, body, stamp)
    return response_of(await writer.perform(write))


@router.get("/attempts/{attempt_id}/review/")
def review(attempt_id: Id, student: StudentDep, paging: Paged) -> Page[wire.ReviewQuestion]:
    return Results(student).review(attempt_id, paging)


@router.get("/attempts/{attempt_id}/review/subjects/")
def subjects(attempt_id: Id, student: StudentDep, paging: Paged) -> Page[wire.SubjectAnalytics]:
    return Results(student).subjects(attempt_id, paging)


@router.get("/attempts/{attempt_id}/sections/{section_id}/questions/")
def list_section_questions(
    attempt_id: Id, section_id: Id, student: StudentDep, paging: Paged
) -> Page[wire.AttemptQuestion]:
    return AttemptQuestions(student).page(attempt_id, paging, section_id)


@router.put("/attempts/{attempt_id}/sections/{section_id}/start/")
def start_section(attempt_id: Id, section_id: Id, student: StudentDep) -> wire.Attempt:
    return student.start_section(attempt_id, section_id)


@router.put("/attempts/{attempt_id}/sections/{section_id}/end/")
def end_section(attempt_id: Id, section_id: Id, student: StudentDep) -> wire.Attempt:
    return student.end_section(attempt_id, section_id)
