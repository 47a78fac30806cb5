"""The contents of courses, and their videos."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from lms_tui.service.core.database.tables import Content, ContentType, Course, Video
from lms_tui.service.core.errors import Forbidden, Invalid, NotFound
from lms_tui.service.core.paging import Paging
from lms_tui.service.core.roles import STAFF
from lms_tui.service.core.security import Principal
from lms_tui.service.core.settings import Clock
from lms_tui.service.exams.availability import content_available, courses_of
from lms_tui.wire import videos as wire

_TYPES: Final = {kind.value.lower().replace(" ", "_"): kind for kind in ContentType}


def course_contents(
    session: Session, caller: Principal, clock: Clock, course_id: int, kind: str, paging: Paging
) -> wire.CourseContentsPage:
    """List the contents of a course that the caller can use. Students get Forbidden for a missing course too."""
    statement = select(Content).where(Content.course_id == course_id).order_by(Content.order, Content.id)
    if kind:
        wanted = _TYPES.get(kind.lower().replace(" ", "_"))
        if wanted is None:
            raise Invalid({"type": [f"The types are {', '.join(sorted(_TYPES))}."]})
        statement = statement.where(Content.content_type == wanted.value)
    if caller.role not in STAFF:
        statement = statement.where(content_available(caller.id, clock()))
        _refuse_unless_reached(session, caller, clock, course_id)
    elif session.get(Course, course_id) is None:
        raise NotFound
    page = paging.of_rows(session, statement, lambda rows: _views(session, rows))
    return wire.CourseContentsPage(
        count=page.count,
        next=page.next,
        previous=page.previous,
        per_page=page.per_page,
        results=wire.CourseContents(contents=page.results),
    )


def details(session: Session, caller: Principal, clock: Clock, content_id: int) -> wire.ContentDetails:
    """Return a content. Students get Forbidden for a missing content too."""
    statement: Select[Content] = select(Content).where(Content.id == content_id)
    if caller.role not in STAFF:
        statement = statement.where(content_available(caller.id, clock()))
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


def _refuse_unless_reached(session: Session, caller: Principal, clock: Clock, course_id: int) -> None:
    """Raise Forbidden unless the course or one of its contents is available to the caller."""
    given = select(Content.id).where(Content.course_id == course_id, content_available(caller.id, clock())).limit(1)
    whole = courses_of(caller.id).where(Course.id == course_id)
    if session.scalar(whole) is None and session.scalar(given) is None:
        raise Forbidden("This course is not available to you.")


def _views(session: Session, rows: Sequence[Content]) -> list[wire.CourseContent]:
    found = session.execute(select(Video.content_id, Video.id).where(Video.content_id.in_([row.id for row in rows])))
    videos = {content_id: video_id for content_id, video_id in found}  # noqa: C416  # dict() cannot take rows as the type checker sees them
    return [
        wire.CourseContent(id=row.id, title=row.title, content_type=row.content_type, video_id=videos.get(row.id))
        for row in rows
    ]
