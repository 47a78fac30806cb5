"""Videos from the command line. Each is a file in the media folder and a content in a course."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy import Select, delete, func, insert, select
from sqlalchemy.orm import Session

from lms_tui.common.frozen import frozen
from lms_tui.service.admin.administration import AdminError, translate_errors
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.playbacks import Video
from lms_tui.service.core.database.tables import Content, ContentType, Course, course_batches
from lms_tui.service.core.media import VIDEOS, Media
from lms_tui.service.core.naming import MAX_BATCH_NAME, clean_name
from lms_tui.service.exams.importer import batches_named, course_name, course_named

Row = dict[str, Any]
_MAX_TITLE: Final = 300
_HEAD: Final = 64
_EBML: Final = b"\x1a\x45\xdf\xa3"
_BRANDS: Final = {b"isom", b"iso2", b"iso4", b"iso5", b"iso6", b"mp41", b"mp42", b"avc1", b"dash", b"M4V "}
_OTHER_BRANDS: Final = {b"M4A ", b"M4B ", b"M4P ", b"qt  ", b"avif", b"avis", b"heic", b"heix", b"mif1"}
"""Brands of audio, images and QuickTime, which begin like MP4."""


@frozen
class NewVideo:
    """`batches`, `is_public`: who gets the whole course. `start`: None to make the video available now."""

    file: Path
    title: str
    course: str
    chapter: str = ""
    batches: Sequence[str] = ()
    is_public: bool = False
    start: datetime | None = None


@frozen
class VideoLibrary:
    """The videos of the institute. Rows are printed by `--json`, sizes are in bytes. Raises AdminError."""

    database: Database
    media: Media
    now: datetime

    def add(self, new: NewVideo) -> tuple[Row, list[str]]:
        """Copy a WebM or MP4 file and create its content. Return its row and warnings."""
        suffix = _suffix_of(new.file)
        uuid = uuid4()
        name = f"{uuid.hex}{suffix}"
        with translate_errors():
            title = clean_name(new.title, "title", _MAX_TITLE)
            chapter = clean_name(new.chapter, "chapter", _MAX_TITLE) if new.chapter else ""
            # A file is copied only for names that the database takes.
            course_name(new.course)
            for batch in new.batches:
                clean_name(batch, "batch", MAX_BATCH_NAME)
        try:
            self.media.add_file(VIDEOS, name, new.file)
        except OSError as error:
            raise AdminError(
                f"The file could not be copied into the media folder: {error.strerror}.",
                "Check that the folder is writable and has free space.",
            ) from None
        try:
            with translate_errors(), self.database.write() as session:
                course = self._course(session, new)
                content = Content(
                    uuid=uuid,
                    course_id=course.id,
                    chapter=chapter,
                    order=_next_order(session, course.id),
                    title=title,
                    content_type=ContentType.VIDEO.value,
                    start_date=new.start,
                )
                session.add(content)
                session.flush()
                video = Video(content_id=content.id, title=title, file=name)
                session.add(video)
                session.flush()
                return self._row(content, course, video), _notes(session, course)
        except BaseException:
            self.media.remove_file(VIDEOS, name)
            raise

    def listed(self, course: str | None) -> list[Row]:
        statement = _videos().order_by(Course.name, Content.order, Content.id)
        if course is not None:
            statement = statement.where(Course.name == " ".join(course.split()))
        with self.database.read() as session:
            return [self._row(content, course, video) for content, course, video in session.execute(statement)]

    def remove(self, uuid: str) -> Row:
        """Remove a video: its content, its playback tokens, and its file if no other video uses it."""
        with self.database.write() as session:
            found = session.execute(_videos().where(Content.uuid == _parsed(uuid))).one_or_none()
            if found is None:
                raise _unknown(uuid)
            content, course, video = found
            row = self._row(content, course, video)
            session.execute(delete(Content).where(Content.id == content.id))
            others = session.scalar(select(Video.id).where(Video.file == video.file).limit(1))
        if others is None:
            self.media.remove_file(VIDEOS, video.file)
        return row

    def _course(self, session: Session, new: NewVideo) -> Course:
        course = course_named(session, new.course, self.now)
        course.is_public = course.is_public or new.is_public
        has = select(course_batches.c.batch_id).where(course_batches.c.course_id == course.id)
        there = set(session.scalars(has))
        rows = [
            {"course_id": course.id, "batch_id": batch.id}
            for batch in batches_named(session, new.batches, self.now)
            if batch.id not in there
        ]
        if rows:
            session.execute(insert(course_batches), rows)
        return course

    def _row(self, content: Content, course: Course, video: Video) -> Row:
        path = self.media.find(VIDEOS, video.file)
        return {
            "uuid": str(content.uuid),
            "content": content.id,
            "title": video.title,
            "course": course.name,
            "chapter": content.chapter,
            "start": None if content.start_date is None else content.start_date.isoformat(timespec="seconds"),
            "file": video.file or None,
            "size": None if path is None else path.stat().st_size,
        }


def _videos() -> Select[Content, Course, Video]:
    return (
        select(Content, Course, Video)
        .join(Video, Video.content_id == Content.id)
        .join(Course, Course.id == Content.course_id)
    )


def _next_order(session: Session, course_id: int) -> int:
    return (session.scalar(select(func.max(Content.order)).where(Content.course_id == course_id)) or 0) + 1


def _notes(session: Session, course: Course) -> list[str]:
    has = select(course_batches.c.batch_id).where(course_batches.c.course_id == course.id).limit(1)
    if course.is_public or session.scalar(has) is not None:
        return []
    return [
        f"No student can use the course {course.name} yet. Assign it to a batch with --batch, or to all with --public."
    ]


def _suffix_of(file: Path) -> str:
    """Return the suffix for the format of a file. Raises AdminError unless browsers can play it."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise AdminError(f"{file} cannot be read: {error.strerror}.", "Give a WebM or MP4 file.") from None
    if head.startswith(_EBML) and b"webm" in head:
        return ".webm"
    brands = {head[at : at + 4] for at in (8, *range(16, min(len(head), int.from_bytes(head[:4], "big")), 4))}
    if head[4:8] == b"ftyp" and head[8:12] not in _OTHER_BRANDS and brands & _BRANDS:
        return ".mp4"
    raise AdminError(f"{file} is not a WebM or MP4 video.", "Convert it to one of these formats.")


def _parsed(uuid: str) -> UUID:
    try:
        return UUID(uuid)
    except ValueError:
        raise _unknown(uuid) from None


def _unknown(uuid: str) -> AdminError:
    return AdminError(f"There is no video {uuid}.", "See `lms-tui video list`.")
