from pydantic import Field

from lms_tui.wire.base import Count, Flag, Input, Instant, Integer, Many, OffsetInstant, Text, Wire


class CourseContent(Wire):
    """A content of a course. `video_id`: of a video's record; not what embedding needs (API document, Identifiers)."""

    id: Count = 0
    title: Text = ""
    content_type: Text = ""
    video_id: Integer = None


class CourseContents(Wire):
    contents: Many[CourseContent] = ()


class CourseContentsPage(Wire):
    """The paginated envelope around `results.contents`."""

    count: Count = 0
    next: str | None = None
    previous: str | None = None
    per_page: Count = 20
    results: CourseContents = CourseContents()


class VideoRecord(Wire):
    id: Count = 0
    title: Text = ""


class ContentDetails(Wire):
    """`uuid`: what the paths of embedding call `video_id`."""

    id: Count = 0
    uuid: Text = ""
    content_type: Text = ""
    video: VideoRecord | None = None


class PlaybackToken(Wire):
    """The right to play a video. `playback_url` and `code` are secrets: they let anyone play it.

    `status`: Active or Expired; `valid_until` None: without an end; `annotations`: see the wire notes.
    """

    playback_url: Text = Field(default="", repr=False)
    expires_after_first_usage: Flag = False
    code: Text = Field(default="", repr=False)
    status: Text = ""
    valid_until: OffsetInstant = None
    annotations: Many[dict[str, object]] = ()
    created: Instant = None
    modified: Instant = None


class PlaybackTokenInput(Input):
    """`time_to_live`: seconds from now; fields that are None are left out."""

    time_to_live: int | None = None
    expires_after_first_usage: bool | None = None
    annotations: tuple[dict[str, object], ...] | None = None
