"""The places beyond the exams, as a list (pure)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lms_tui.views.rows import Row, padded, row, strong


class Destination(StrEnum):
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
class MenuEntry:
    place: Destination
    title: str
    words: str


EVERYONE: Final = (
    MenuEntry(Destination.PROFILE, "Your profile", "what your institute knows of you, and your photo"),
    MenuEntry(Destination.PERSON, "Someone else", "what may be seen of another user"),
    MenuEntry(Destination.POST, "A post", "what your institute tells, by its name"),
    MenuEntry(Destination.COURSE, "A course", "its videos and other contents, by its number"),
)
ADMINISTRATORS: Final = (
    MenuEntry(Destination.POSTS, "Posts", "write, change and delete what the institute tells"),
    MenuEntry(Destination.ACCOUNTS, "Accounts", "find, make, change and delete users"),
    MenuEntry(Destination.MENTORS, "Mentors", "who looks after which students"),
    MenuEntry(Destination.BATCHES, "Batches", "groups of students"),
)


def menu_row(entry: MenuEntry, room: int) -> Row:
    title = min(16, room)
    return row(
        strong(padded(entry.title, title)), "  " if room > title + 2 else "", (entry.words[: room - title - 2], "dim")
    )
