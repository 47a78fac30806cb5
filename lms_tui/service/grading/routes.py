"""The results of an exam for staff, its statistics, and marks by hand."""

from collections.abc import Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Final

from fastapi import Query, Response
from fastapi.responses import StreamingResponse
from pydantic import AfterValidator, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from lms_tui.banks.scoring import BY_HAND
from lms_tui.service.attempts import file_routes
from lms_tui.service.attempts.files import complete_file
from lms_tui.service.attempts.results import review_page
from lms_tui.service.core.audit import login_of
from lms_tui.service.core.bodies import Body
from lms_tui.service.core.database.tables import Attempt, Exam
from lms_tui.service.core.dependencies import Paged, ServiceDep, UrlsDep
from lms_tui.service.core.errors import Failure, Forbidden, Invalid, NotFound
from lms_tui.service.core.roles import Staff
from lms_tui.service.core.routing import Id, Router, Slug
from lms_tui.service.core.text import storable
from lms_tui.service.exams.statistics import statistics_of
from lms_tui.service.grading import gradebook, marking
from lms_tui.service.grading.marking import Mark, Paper
from lms_tui.service.grading.result_files import ResultsError, Sheet, as_csv, as_xlsx
from lms_tui.service.grading.results import AttemptResult, Column, ExamResults
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import ReviewQuestion
from lms_tui.wire.base import Page
from lms_tui.wire.grading import (
    AnswerToMark,
    Criterion,
    ExamResult,
    ExamStatistics,
    MarkedAnswer,
    Marker,
    ReleasedMarks,
    SubjectMarks,
)
from lms_tui.wire.question_types import QuestionType

_PATH: Final = "/api/v2.5/admin/exams/{slug}"
_AT_A_TIME: Final = 50
router = Router()


class FileKind(StrEnum):
    CSV = "csv"
    XLSX = "xlsx"


_MEDIA: Final = {
    FileKind.CSV: "text/csv",
    FileKind.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
Text = Annotated[str, Field(strict=True, max_length=2_000), AfterValidator(storable)]
Number = Annotated[int, Field(strict=True, ge=1, le=100_000)]


Exams = Annotated[list[Annotated[str, Field(max_length=200)]] | None, Query(max_length=20)]
"""So many fit into the head of a request, whatever their names."""
Points = Annotated[Decimal, Field(max_digits=12, decimal_places=2, allow_inf_nan=False)]


class MarkBody(Body):
    """`points`: of each criterion of the rubric, in place of `marks`."""

    question: Number
    attempt: Annotated[int, Field(strict=True, ge=1, le=2**63 - 1)]
    marks: Points | None = None
    points: Annotated[tuple[Points, ...], Field(max_length=50)] = ()
    comment: Text = ""
    reason: Text = ""
    marker: Marker = Marker.FIRST


def _exam(session: Session, slug: str, *, lock: bool = False) -> Exam:
    statement = select(Exam).where(Exam.slug == slug)
    exam = session.scalar(statement.with_for_update() if lock else statement)
    if exam is None:
        raise NotFound
    return exam


@router.get(_PATH + "/results/")
def list_results(slug: Slug, _staff: Staff, service: ServiceDep, paging: Paged) -> Page[ExamResult]:
    """List the attempts of an exam with their answers and marks, the oldest first."""
    with service.database.read() as session:
        exam = _exam(session, slug)
        results = ExamResults(session, exam)
        attempts = select(Attempt.id).where(Attempt.exam_id == exam.id).order_by(Attempt.id)
        return paging.of_rows(
            session, attempts, lambda ids: [_view(result, results.columns) for result in results.of(ids)]
        )


@router.get(_PATH + "/results/file/", response_class=Response)
def write_results(slug: Slug, kind: FileKind, _staff: Staff, service: ServiceDep, answers: bool = False) -> Response:
    """Return the results as the file that `lms-tui exam results` writes. `answers`: each answer beside its marks."""
    with service.database.read() as session, service.heavy_work:
        exam = _exam(session, slug)
        results = ExamResults(session, exam)
        sheet = Sheet(exam.title, results.columns, results.attempts(), answers)
        try:
            content = as_csv(sheet) if kind is FileKind.CSV else as_xlsx(sheet)
        except ResultsError as error:
            raise Failure(str(error)) from error
    return Response(content, media_type=_MEDIA[kind], headers={"Cache-Control": "private, no-store"})


@router.get("/api/v2.5/admin/gradebook/file/", response_class=Response)
def write_gradebook(
    kind: gradebook.Kind, _staff: Staff, service: ServiceDep, exam: Exams = None, questions: bool = False
) -> Response:
    """Return the gradebook as the file that `lms-tui exam gradebook` writes.

    `exam`: only these exams, by their link names. `questions`: an item for each question of these exams.
    """
    if questions and not exam:
        raise Invalid({"exam": ["This field is required."]})
    with service.database.read() as session, service.heavy_work:
        slugs = [_exam(session, slug).slug for slug in exam or ()]
        book = (gradebook.gradebook_by_question if questions else gradebook.gradebook_of)(session, slugs)
        content = gradebook.as_bytes(book, kind)
    return Response(content, media_type="text/csv", headers={"Cache-Control": "private, no-store"})


@router.get(_PATH + "/statistics/")
def read_statistics(slug: Slug, _staff: Staff, service: ServiceDep) -> ExamStatistics:
    """Return the item analysis of an exam."""
    with service.database.read() as session:
        whole, questions = statistics_of(session, _exam(session, slug))
    return ExamStatistics.model_validate(whole | {"questions": questions})


@router.get("/api/v2.5/admin/attempts/{attempt_id}/review/")
def review_attempt(
    attempt_id: Id, _staff: Staff, service: ServiceDep, urls: UrlsDep, paging: Paged
) -> Page[ReviewQuestion]:
    """Return the review of an ended attempt of any student, as the student sees it once answers are shown."""
    with service.database.read() as session:
        state = session.scalar(select(Attempt.state).where(Attempt.id == attempt_id))
        if state is None:
            raise NotFound
        if state != AttemptState.COMPLETED:
            raise Forbidden("The exam has not ended yet.")
        return review_page(session, attempt_id, urls, paging)


@router.get(
    "/api/v2.5/admin/attempts/{attempt_id}/files/{digest}", response_class=StreamingResponse, responses=file_routes.SENT
)
def download_file_of_student(
    attempt_id: Id, digest: file_routes.Digest, _staff: Staff, service: ServiceDep
) -> StreamingResponse:
    """Return the content of a file of any student. The API document has no such endpoint."""
    with service.database.read() as session:
        file = complete_file(session, attempt_id, digest)
    return file_routes.sent(service.database, file)


@router.get(_PATH + "/answers-to-mark/")
def list_answers_to_mark(
    slug: Slug,
    _staff: Staff,
    service: ServiceDep,
    paging: Paged,
    question: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> Page[AnswerToMark]:
    """List the answers that a person marks, by question. `question`: only this one, which can have short texts."""
    with service.database.read() as session:
        exam = _exam(session, slug)
        chosen = marking.marked_by_hand(exam, question)
        return paging.of_rows(session, chosen, lambda answers: _papers(session, exam, answers), _AT_A_TIME)


def _papers(session: Session, exam: Exam, answers: Sequence[int]) -> list[AnswerToMark]:
    """Return these answers with their questions."""
    rows = marking.answers_of(session, answers)
    views = []
    for paper in marking.papers(session, exam, marked=True, answers=answers):
        row = rows[paper.answer_id]
        question = row.question
        files = row.gap_fill_responses if question.kind == QuestionType.FILES else ()
        told = {
            "question_html": question.html,
            "automatic": question.kind not in BY_HAND,
            "answer": marking.text_of(row),
            "files": tuple(gap["answer"] for gap in files),
            "rubric": tuple(map(Criterion.model_validate, question.rubric)),
        }
        views.append(_paper_view(paper).model_copy(update=told))
    return views


@router.put(_PATH + "/marks/")
def give_marks(slug: Slug, body: MarkBody, staff: Staff, service: ServiceDep) -> AnswerToMark:
    """Keep marks for an answer, with a comment. Students see them once they are released."""
    with service.database.write() as session:
        exam = _exam(session, slug, lock=True)
        if body.marks is None and not body.points:
            raise Invalid({"marks": ["This field is required."]})
        mark = Mark(
            *(body.question, body.marks or Decimal()),
            attempt=body.attempt,
            comment=body.comment,
            reason=body.reason,
            marker=body.marker,
            points=body.points,
        )
        by = login_of(session, staff.id)
        return _paper_view(marking.give(session, exam, mark, by=by, now=service.clock()))


@router.post(_PATH + "/marks/release/")
def release_marks(
    slug: Slug, staff: Staff, service: ServiceDep, differ_by: Annotated[Decimal | None, Query(ge=0, le=10**6)] = None
) -> ReleasedMarks:
    """Let all marks by hand count, and show them to students.

    `differ_by`: an answer whose two marks differ by more waits for final marks.
    """
    with service.database.write() as session:
        exam = _exam(session, slug, lock=True)
        by = login_of(session, staff.id)
        released, waiting = marking.release(session, exam, by=by, now=service.clock(), differ_by=differ_by)
        return ReleasedMarks(released=released, to_mark=waiting)


def _paper_view(paper: Paper) -> AnswerToMark:
    return AnswerToMark(
        id=paper.answer_id,
        attempt=paper.attempt,
        username=paper.username,
        name=paper.name,
        question=paper.question,
        max_marks=paper.maximum,
        marks=paper.given,
        comment=paper.comment,
        is_released=paper.is_released,
        second_marks=paper.second,
    )


def _view(result: AttemptResult, columns: Sequence[Column]) -> ExamResult:
    over = result.ended is not None
    return ExamResult(
        id=result.id,
        username=result.username,
        display_name=result.name,
        state=result.state,
        score=result.score if over else None,
        max_score=result.max_score if over else None,
        percentage=result.percentage if over else "",
        rank=None if result.ranking is None else result.ranking.rank,
        correct_count=result.correct,
        incorrect_count=result.incorrect,
        unanswered_count=result.unanswered,
        to_mark=result.waiting,
        date=result.started,
        ended=result.ended,
        time_taken=result.time_taken,
        subjects=tuple(
            SubjectMarks(subject=name, marks=marks) for name, marks in result.by_subject(columns).items() if name
        ),
        answers=tuple(
            MarkedAnswer(question=column.number, answer=given.answer, outcome=given.outcome or "", marks=given.marks)
            for column in columns
            if (given := result.answers.get(column.id)) is not None
        ),
    )
