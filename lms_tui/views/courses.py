"""Courses, their contents, and videos (pure)."""

from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, pairs, title_rows, wrapped
from lms_tui.wire.videos import ContentDetails, Course, CourseContent, OwnContent

LISTING: Final[Listing[CourseContent]] = Listing(
    "Content",
    (Column("type", 16, 40), Column("ID", 6, 46, right=True)),
    lambda content: (content.title, content.content_type, str(content.id)),
)

COURSES: Final[Listing[Course]] = Listing(
    "Course",
    (Column("contents", 8, 46, right=True), Column("videos", 6, 36, right=True)),
    lambda course: (course.name, str(course.contents_count), str(course.videos_count)),
)
VIDEOS: Final[Listing[OwnContent]] = Listing(
    "Video",
    (Column("course", 30, 64),),
    lambda content: (content.title, content.course),
)


def course_details(course: Course, room: int) -> list[Row]:
    facts = [("contents", str(course.contents_count)), ("videos", str(course.videos_count)), ("ID", str(course.id))]
    return [*title_rows(clean_line(course.name), room), EMPTY, *pairs(facts, room)]


def video_words(content: OwnContent) -> str:
    """Return the text in which the filter of the videos searches."""
    return " ".join((*VIDEOS.cells(content), content.chapter))


def video_details(content: OwnContent, room: int) -> list[Row]:
    facts = [("course", clean_line(content.course)), ("chapter", clean_line(content.chapter)), ("ID", str(content.id))]
    return [*title_rows(clean_line(content.title), room), EMPTY, *pairs(facts, room)]


def is_video(content: CourseContent) -> bool:
    return content.content_type.casefold() == "video"


def details(content: CourseContent, known: ContentDetails | None, room: int, *, plays: bool) -> list[Row]:
    """Return the details of a content. `known` is None before the server has sent them.

    `plays` is true if this user may play the video.
    """
    facts = [("type", clean_line(content.content_type)), ("ID", str(content.id))]
    if known is not None and known.video is not None:
        facts += [("video", clean_line(known.video.title) if known.video.title != content.title else "")]
        facts += [("video ID", clean_line(str(known.video.id or "")))]
    if known is not None and plays:
        facts += [("uuid", clean_line(known.uuid))]
    rows = [*title_rows(clean_line(content.title), room), EMPTY, *pairs(facts, room)]
    if not is_video(content):
        return rows
    if plays:
        return [
            *rows,
            EMPTY,
            *wrapped("Press p to play it in the browser, t to list its playback tokens.", room, "accent"),
        ]
    words = "Watch this on your institute's website."
    return [*rows, EMPTY, *wrapped(words, room, "dim")]
