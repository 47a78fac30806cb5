"""The menu of screens beyond the exams (pure)."""

from enum import StrEnum
from typing import Final

from lms_tui.common.frozen import frozen
from lms_tui.views.rows import Row, fitted, padded, row, strong


class Destination(StrEnum):
    """The screens of the menu, and those that they lead to."""

    MORE = "more"
    DECK = "deck"
    PROFILE = "profile"
    PERSON = "person"
    NOTICES = "notices"
    POST = "post"
    COURSES = "courses"
    VIDEOS = "videos"
    COURSE = "course"
    POSTS = "posts"
    USERS = "users"
    MENTORS = "mentors"
    STUDENTS = "students"
    BATCHES = "batches"
    TOKENS = "tokens"
    STAFF_EXAMS = "exams of the institute"
    STAFF_EXAM = "exam of the institute"
    BOARD = "board"
    STAFF_RESULTS = "results of an exam"
    STAFF_REVIEW = "review for staff"
    STAFF_STATISTICS = "statistics of an exam"
    MARKING = "marking by hand"


@frozen
class MenuEntry:
    place: Destination
    title: str
    words: str


EVERYONE: Final = (
    MenuEntry(Destination.PROFILE, "Your details", "your name, address and photo"),
    MenuEntry(Destination.PERSON, "Find a user", "the public details of another user"),
    MenuEntry(Destination.NOTICES, "Notices", "what your institute announces"),
    MenuEntry(Destination.COURSES, "Courses", "your courses with their videos and other contents"),
    MenuEntry(Destination.VIDEOS, "Videos", "the videos of all your courses"),
)
ADMINISTRATORS: Final = (
    MenuEntry(Destination.POSTS, "Posts", "write, change and delete posts"),
    MenuEntry(Destination.USERS, "Users", "find, create, change and delete users"),
    MenuEntry(Destination.MENTORS, "Mentors", "mentors and their students"),
    MenuEntry(Destination.BATCHES, "Batches", "groups of students"),
)

WATCHERS: Final = (MenuEntry(Destination.STAFF_EXAMS, "Exams", "watch, mark and change the exams of the institute"),)
MenuGroup = tuple[str, tuple[MenuEntry, ...]]
"""A heading with its entries."""


def groups(*, administers: bool, watches: bool) -> tuple[MenuGroup, ...]:
    """Return the entries of administrators and staff under their headings."""
    staff: tuple[MenuGroup, ...] = (("For staff", WATCHERS),) if watches else ()
    return (("For administrators", ADMINISTRATORS), *staff) if administers else staff


NO_STAFF_EXAMS: Final = "This server has no list of exams for staff."


def menu_row(entry: MenuEntry, room: int) -> Row:
    title = min(16, room)
    return row(
        strong(padded(entry.title, title)),
        "  " if room > title + 2 else "",
        (fitted(entry.words, room - title - 2), "dim"),
    )
