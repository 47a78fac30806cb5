from pydantic import Field

from lms_tui.wire.base import Count, Flag, ForeignId, Input, Instant, Many, OffsetInstant, Text, Wire


class CourseContent(Wire):
    """An item of a course. `video_id` is the id of the video's record (API document, Identifiers)."""

    id: Count = 0
    title: Text = ""
    content_type: Text = ""
    video_id: ForeignId = None


class OwnContent(CourseContent):
    """An item of one of the caller's courses. `course` is the name of the course."""

    course_id: Count = 0
    course: Text = ""
    chapter: Text = ""


class Course(Wire):
    """A course of the caller, with the numbers of contents and videos that the caller can use."""

    id: Count = 0
    name: Text = ""
    contents_count: Count = 0
    videos_count: Count = 0
    contents_url: Text = ""


class CourseContents(Wire):
    contents: Many[CourseContent] = ()


class CourseContentsPage(Wire):
    """One page of the list in `results.contents`."""

    count: Count = 0
    next: str | None = None
    previous: str | None = None
    per_page: Count = 20
    results: CourseContents = CourseContents()


class VideoRecord(Wire):
    id: ForeignId = None
    title: Text = ""


class ContentDetails(Wire):
    """The details of an item. `uuid` is the `video_id` in the paths for embedding."""

    id: Count = 0
    uuid: Text = ""
    content_type: Text = ""
    video: VideoRecord | None = None


class PlaybackToken(Wire):
    """The right to play a video. `playback_url` and `code` are secrets, because anyone can play the video with them.

    `status` is Active or Expired. A `valid_until` of None means no end. The wire notes describe `annotations`.
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
    """The fields of a new playback token. `time_to_live` is in seconds."""

    time_to_live: int | None = None
    expires_after_first_usage: bool | None = None
    annotations: tuple[dict[str, object], ...] | None = None
