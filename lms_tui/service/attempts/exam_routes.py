"""Exams as a student sees them, with the student's own attempts."""

from typing import Annotated

from fastapi import Query

from lms_tui.service.attempts import lists
from lms_tui.service.attempts.dependencies import StudentDep
from lms_tui.service.attempts.single_exams import ExamWithAttempts
from lms_tui.service.core.dependencies import Paged
from lms_tui.service.core.routing import Router, Slug
from lms_tui.service.exams.handlers import ListState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.base import Page
from lms_tui.wire.exams import ListedExam
from lms_tui.wire.single_attempts import AttemptWithUser

router = Router(prefix="/api/v2.2")

Text = Annotated[str, Query(max_length=300)]


@router.get("/exams/")
def list_exams(
    student: StudentDep, paging: Paged, state: ListState = ListState.ALL, course: Text = "", q: Text = ""
) -> Page[ListedExam]:
    return lists.list_exams(student, paging, state, course, q)


@router.get("/attempts/")
def list_attempts(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[Attempt]:
    """List the attempts of the caller, the newest first."""
    return lists.list_attempts(student, paging, course, q)


@router.get("/exams/available/")
def list_available(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return lists.list_exams(student, paging, ListState.AVAILABLE, course, q)


@router.get("/exams/upcoming/")
def list_upcoming(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return lists.list_exams(student, paging, ListState.UPCOMING, course, q)


@router.get("/exams/history/")
def list_history(student: StudentDep, paging: Paged, course: Text = "", q: Text = "") -> Page[ListedExam]:
    return lists.list_exams(student, paging, ListState.HISTORY, course, q)


@router.get("/exams/{slug}")
def read_exam(slug: Slug, student: StudentDep) -> ExamWithAttempts:
    return lists.read_exam(student, slug)


@router.get("/exams/{slug}/attempts/")
def list_attempts_of_exam(slug: Slug, student: StudentDep, paging: Paged) -> Page[AttemptWithUser]:
    return lists.list_attempts_of_exam(student, slug, paging)
