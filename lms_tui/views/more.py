"""The places beyond the exams, as a list (pure)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lms_tui.views.rows import Row, padded, row, strong


class Place(StrEnum):
    """Where one can go from home, besides exams."""

    MORE = "more"
    PROFILE = "profile"
    PERSON = "person"
    POST = "post"
    COURSE = "course"
    POSTS = "posts"
    ACCOUNTS = "accounts"
    MENTORS = "mentors"
    STUDENTS = "students"
    BATCHES = "batches"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True)
class Way:
    place: Place
    title: str
    words: str


EVERYONE: Final = (
    Way(Place.PROFILE, "Your profile", "what your institute knows of you, and your photo"),
    Way(Place.PERSON, "Someone else", "what may be seen of another user"),
    Way(Place.POST, "A post", "what your institute tells, by its name"),
    Way(Place.COURSE, "A course", "its videos and other contents, by its number"),
)
ADMINISTRATORS: Final = (
    Way(Place.POSTS, "Posts", "write, change and delete what the institute tells"),
    Way(Place.ACCOUNTS, "Accounts", "find, make, change and delete users"),
    Way(Place.MENTORS, "Mentors", "who looks after which students"),
    Way(Place.BATCHES, "Batches", "groups of students"),
)


def way_row(way: Way, room: int) -> Row:
    title = min(16, room)
    return row(
        strong(padded(way.title, title)), "  " if room > title + 2 else "", (way.words[: room - title - 2], "dim")
    )
