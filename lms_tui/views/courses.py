"""Contents of a course (pure)."""

from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views.listing import Column, heading_row, line_row
from lms_tui.views.rows import EMPTY, Row, pairs, row, strong, wrapped
from lms_tui.wire.videos import ContentDetails, CourseContent

_COLUMNS: Final = (Column("kind", 16, 40), Column("number", 6, 46, right=True))


def heading(room: int) -> Row:
    return heading_row("Content", _COLUMNS, room)


def line(content: CourseContent, room: int) -> Row:
    return line_row(content.title, (content.content_type, str(content.id)), _COLUMNS, room)


def is_video(content: CourseContent) -> bool:
    return content.content_type.casefold() == "video"


def details(content: CourseContent, known: ContentDetails | None, room: int, *, plays: bool) -> list[Row]:
    """`known`: what asking for it told, None before; `plays`: whether this user may play it from here."""
    title = clean_line(content.title)
    facts = [("kind", clean_line(content.content_type)), ("number", str(content.id))]
    if known is not None and known.video is not None:
        facts += [("video", clean_line(known.video.title) if known.video.title != content.title else "")]
        facts += [("video number", str(known.video.id))]
    if known is not None and plays:
        facts += [("uuid", clean_line(known.uuid))]
    rows = [*wrapped(title, room)[:1], *wrapped(title, room)[1:], EMPTY, *pairs(facts, room)]
    rows[0] = row(strong(rows[0][0].text)) if rows[0] else rows[0]
    if not is_video(content):
        return rows
    if plays:
        return [*rows, EMPTY, *wrapped("p plays it in the browser, t shows its playback tokens", room, "accent")]
    words = "Watch it on your institute's pages: a link that plays it is made there, for you."
    return [*rows, EMPTY, *wrapped(words, room, "dim")]
