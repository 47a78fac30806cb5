"""SQL conditions for the exams and contents that a student can use."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select

from lms_tui.service.core.database.tables import (
    Attempt,
    Content,
    Course,
    Exam,
    batch_members,
    content_assignments,
    course_batches,
    exam_batches,
)


def exam_assigned(user_id: int, now: datetime) -> ColumnElement[bool]:
    """The exam is published and meant for this student, whatever its dates are."""
    in_batches = select(batch_members.c.batch_id).where(batch_members.c.user_id == user_id)
    return and_(
        Exam.is_published,
        or_(
            Exam.is_public,
            Exam.course_id.in_(courses_of(user_id)),
            exists().where(exam_batches.c.exam_id == Exam.id, exam_batches.c.batch_id.in_(in_batches)),
            exists().where(
                Content.exam_id == Exam.id,
                Content.is_published,
                or_(Content.start_date.is_(None), Content.start_date <= now),
                content_assignments.c.content_id == Content.id,
                content_assignments.c.user_id == user_id,
            ),
        ),
    )


def exam_available(user_id: int, now: datetime, closes_later: timedelta = timedelta()) -> ColumnElement[bool]:
    """The exam is meant for this student and open now. `closes_later`: see `Accommodation`."""
    is_open = or_(Exam.end_date.is_(None), Exam.end_date > now - closes_later)
    return and_(exam_assigned(user_id, now), Exam.start_date <= now, is_open)


def exam_upcoming(user_id: int, now: datetime) -> ColumnElement[bool]:
    return and_(exam_assigned(user_id, now), Exam.start_date > now)


def exam_attempted(user_id: int) -> ColumnElement[bool]:
    return exists().where(Attempt.exam_id == Exam.id, Attempt.user_id == user_id)


def content_available(user_id: int, now: datetime) -> ColumnElement[bool]:
    """The content is in a course of the student or assigned to the student, and has started."""
    return and_(
        Content.is_published,
        or_(Content.start_date.is_(None), Content.start_date <= now),
        or_(
            Content.course_id.in_(courses_of(user_id)),
            exists().where(content_assignments.c.content_id == Content.id, content_assignments.c.user_id == user_id),
        ),
    )


def course_reached(user_id: int, now: datetime) -> ColumnElement[bool]:
    """The course is one of the student's, or one of its contents is available to the student."""
    return or_(
        Course.id.in_(courses_of(user_id)),
        exists().where(Content.course_id == Course.id, content_available(user_id, now)),
    )


def courses_of(user_id: int) -> Select[int]:
    """Select the courses that are public or assigned to a batch of the student.

    A statement over courses can contain it: it does not refer to the courses of that statement.
    """
    in_batches = select(batch_members.c.batch_id).where(batch_members.c.user_id == user_id)
    given = exists().where(course_batches.c.course_id == Course.id, course_batches.c.batch_id.in_(in_batches))
    return select(Course.id).where(or_(Course.is_public, given)).correlate(None)
