"""The courses of a user, the contents of courses, and their videos."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, case, func, select, true
from sqlalchemy.orm import Session

from lms_tui.service.core.database.playbacks import Video
from lms_tui.service.core.database.tables import Content, ContentType, Course
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.principal import STAFF, Principal
from lms_tui.service.core.urls import Urls
from lms_tui.service.exams.availability import content_available, course_reached
from lms_tui.wire import videos as wire
from lms_tui.wire.base import Page

_TYPES: Final = {kind.value.lower().replace(" ", "_"): kind for kind in ContentType}


def own_courses(session: Session, caller: Principal, now: datetime, urls: Urls, paging: Paging) -> Page[wire.Course]:
    """List the courses that the caller can use, in order of name."""
    statement = select(Course).where(_course_usable(caller, now)).order_by(Course.name, Course.id)

    def views(rows: Sequence[Course]) -> list[wire.Course]:
        counts = _counts(session, caller, now, [row.id for row in rows])
        return [
            wire.Course(id=row.id, name=row.name, **counts.get(row.id, {}), contents_url=urls.course_contents(row.id))
            for row in rows
        ]

    return paging.of_rows(session, statement, views)


def own_contents(
    session: Session, caller: Principal, now: datetime, kind: str, paging: Paging
) -> Page[wire.OwnContent]:
    """List the contents of all courses that the caller can use, by course and by place in it."""
    statement = (
        select(Content)
        .join(Course, Course.id == Content.course_id)
        .where(_content_usable(caller, now), _of_type(kind))
        .order_by(Course.name, Course.id, Content.order, Content.id)
    )

    def views(rows: Sequence[Content]) -> list[wire.OwnContent]:
        courses = select(Course.id, Course.name).where(Course.id.in_({row.course_id for row in rows}))
        names = {course_id: name for course_id, name in session.execute(courses)}  # noqa: C416  # as in _video_ids
        videos = _video_ids(session, rows)
        return [
            wire.OwnContent(
                **_fields(row, videos), course_id=row.course_id, course=names[row.course_id], chapter=row.chapter
            )
            for row in rows
        ]

    return paging.of_rows(session, statement, views)


def course_contents(
    session: Session, caller: Principal, now: datetime, course_id: int, kind: str, paging: Paging
) -> wire.CourseContentsPage:
    """List the contents of a course that the caller can use. Students get Forbidden for a missing course too."""
    statement = (
        select(Content)
        .where(Content.course_id == course_id, _content_usable(caller, now), _of_type(kind))
        .order_by(Content.order, Content.id)
    )
    if session.scalar(select(Course.id).where(Course.id == course_id, _course_usable(caller, now))) is None:
        raise NotFound if caller.role in STAFF else Forbidden("This course is not available to you.")

    def views(rows: Sequence[Content]) -> list[wire.CourseContent]:
        videos = _video_ids(session, rows)
        return [wire.CourseContent(**_fields(row, videos)) for row in rows]

    page = paging.of_rows(session, statement, views)
    return wire.CourseContentsPage(
        count=page.count,
        next=page.next,
        previous=page.previous,
        per_page=page.per_page,
        results=wire.CourseContents(contents=page.results),
    )


def details(session: Session, caller: Principal, now: datetime, content_id: int) -> wire.ContentDetails:
    """Return a content. Students get Forbidden for a missing content too."""
    statement: Select[Content] = select(Content).where(Content.id == content_id, _content_usable(caller, now))
    content = session.scalar(statement)
    if content is None:
        raise NotFound if caller.role in STAFF else Forbidden("This content is not available to you.")
    video = session.scalar(select(Video).where(Video.content_id == content.id))
    return wire.ContentDetails(
        id=content.id,
        uuid=str(content.uuid),
        content_type=content.content_type,
        video=None if video is None else wire.VideoRecord(id=video.id, title=video.title),
    )


def _course_usable(caller: Principal, now: datetime) -> ColumnElement[bool]:
    """Return the condition that the caller can use a course. Staff can use every course."""
    return true() if caller.role in STAFF else course_reached(caller.id, now)


def _content_usable(caller: Principal, now: datetime) -> ColumnElement[bool]:
    return true() if caller.role in STAFF else content_available(caller.id, now)


def _of_type(kind: str) -> ColumnElement[bool]:
    """Return the condition that a content has a type, such as `live_stream`, in any case. "" is every type."""
    if not kind:
        return true()
    wanted = _TYPES.get(kind.lower().replace(" ", "_"))
    if wanted is None:
        raise Invalid({"type": [f"The types are {', '.join(sorted(_TYPES))}."]})
    return Content.content_type == wanted.value


def _counts(
    session: Session, caller: Principal, now: datetime, course_ids: Sequence[int]
) -> Mapping[int, dict[str, int]]:
    """Return the numbers of contents and videos of each course that the caller can use."""
    is_video = Content.content_type == ContentType.VIDEO.value
    found = session.execute(
        select(Content.course_id, func.count(), func.count(case((is_video, 1))))
        .where(Content.course_id.in_(course_ids), _content_usable(caller, now))
        .group_by(Content.course_id)
    )
    return {course_id: {"contents_count": contents, "videos_count": videos} for course_id, contents, videos in found}


def _video_ids(session: Session, rows: Sequence[Content]) -> Mapping[int, int]:
    """Return the IDs of the videos by the IDs of their contents."""
    found = session.execute(select(Video.content_id, Video.id).where(Video.content_id.in_([row.id for row in rows])))
    return {content_id: video_id for content_id, video_id in found}  # noqa: C416  # dict() cannot take rows as the type checker sees them


def _fields(row: Content, videos: Mapping[int, int]) -> dict[str, Any]:
    return {"id": row.id, "title": row.title, "content_type": row.content_type, "video_id": videos.get(row.id)}
