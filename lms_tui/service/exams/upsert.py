"""Repeated import of exam files. The same file changes nothing, a new one only exams without attempts."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from lms_tui.banks import model
from lms_tui.service.core.database.tables import Attempt, Course, Exam, ExamSection, Passage, Question
from lms_tui.service.exams.importer import assign_to_batches, batches_named, course_name, import_exam, update_exam


class Outcome(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


class HasAttempts(Exception):
    """Students have already started the exam. `students`: how many."""

    def __init__(self, slug: str, students: int) -> None:
        super().__init__(slug)
        self.slug = slug
        self.students = students


class SlugTaken(Exception):
    """An exam of another course has this slug."""


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def upsert_exam(
    session: Session,
    exam: model.Exam,
    digest: str,
    *,
    course: str,
    slug: str,
    now: datetime,
    batches: Sequence[str],
    given: Mapping[str, Any],
) -> tuple[Exam, Outcome]:
    """Import an exam, or update the exam of an earlier version of the file.

    `slug`: the wanted slug, empty for that of the file. `given`: settings such as dates, None to leave them unchanged.
    Raises HasAttempts if questions or times of a started exam would change, SlugTaken, and Invalid for an empty or
    long name.
    """
    changes = {name: value for name, value in given.items() if value is not None}
    course = course_name(course)
    found = _found(session, exam, digest, course=course, slug=slug)
    if found is None:
        if slug and session.scalar(select(Exam.id).where(Exam.slug == slug)) is not None:
            raise SlugTaken(slug)
        fresh = {"start_date": now, **{name: value for name, value in changes.items() if name != "duration"}}
        timed = replace(exam, duration=changes.get("duration", exam.duration), slug=slug or exam.slug)
        row = session.get_one(Exam, import_exam(session, timed, course=course, now=now, batches=batches, **fresh))
        row.source_digest = digest
        session.flush()
        return row, Outcome.CREATED
    outcome = Outcome.UNCHANGED
    if found.source_digest != digest:
        _refuse_where_started(session, found)
        empty_exam(session, found)
        update_exam(session, replace(exam, duration=changes.get("duration", exam.duration)), found)
        found.source_digest = digest
        outcome = Outcome.UPDATED
    for name, value in changes.items():
        if getattr(found, name) != value:
            if name == "duration":
                _refuse_where_started(session, found)
            setattr(found, name, value)
            outcome = Outcome.UPDATED
    if assign_to_batches(session, found.id, batches_named(session, batches, now)):
        outcome = Outcome.UPDATED
    session.flush()
    return found, outcome


def _found(session: Session, exam: model.Exam, digest: str, *, course: str, slug: str) -> Exam | None:
    """Return the exam of the same file in this course, else the exam of the same slug."""
    here = select(Exam).join(Course).where(Course.name == course).with_for_update(of=Exam)
    if not slug:
        same = session.scalar(here.where(Exam.source_digest == digest).order_by(Exam.id).limit(1))
        if same is not None:
            return same
    return session.scalar(here.where(Exam.slug == (slug or exam.slug)))


def _refuse_where_started(session: Session, exam: Exam) -> None:
    students = session.scalar(select(func.count(Attempt.user_id.distinct())).where(Attempt.exam_id == exam.id))
    if students:
        raise HasAttempts(exam.slug, students)


def empty_exam(session: Session, exam: Exam) -> None:
    """Delete the questions, sections and passages of an exam without attempts."""
    for table in (Question, ExamSection, Passage):
        session.execute(delete(table).where(table.exam_id == exam.id))
    session.expire(exam)
