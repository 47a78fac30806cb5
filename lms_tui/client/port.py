"""What a screen may ask of a signed-in service. No HTTP here, so that a screen costs no HTTP library to import."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from lms_tui.wire.attempts import (
        AnswerInput,
        Attempt,
        AttemptQuestion,
        AttemptSection,
        ReviewQuestion,
        SubjectAnalytics,
    )
    from lms_tui.wire.base import Page
    from lms_tui.wire.batches import Batch
    from lms_tui.wire.exams import ListedExam
    from lms_tui.wire.mentors import CreatedMentor, Mentor, MentorStudent, NewMentor
    from lms_tui.wire.posts import ListedPost, Post, PostInput, WholePost
    from lms_tui.wire.stats import StudentStats
    from lms_tui.wire.users import (
        AdminUser,
        CreatedUser,
        CurrentUser,
        FoundUser,
        NewUser,
        OwnProfile,
        ProfileChanges,
        UpdatedUser,
        UserChanges,
        UserSummary,
    )
    from lms_tui.wire.videos import (
        ContentDetails,
        CourseContent,
        CourseContentsPage,
        PlaybackToken,
        PlaybackTokenInput,
    )

TOKEN_PATH: Final = "/api/v2.5/auth-token/"  # noqa: S105 - an address, not a secret
"""Where services of this kind hand out tokens (wire notes, Signing in)."""


class ExamState(StrEnum):
    AVAILABLE = "available"
    UPCOMING = "upcoming"
    HISTORY = "history"


class Attempts(Protocol):
    """The attempt endpoints; every method raises an error of `lms_tui.wire.errors` and nothing else."""

    async def page(self, number: int = 1, *, course: str = "", title: str = "") -> "Page[Attempt]": ...
    async def of_exam(self, slug: str) -> "list[Attempt]": ...
    async def read(self, attempt_id: int) -> "Attempt": ...
    async def create(self, slug: str) -> "Attempt": ...
    async def start(self, attempt_id: int) -> "Attempt": ...
    async def heartbeat(self, attempt_id: int) -> "Attempt": ...
    async def end(self, attempt_id: int) -> "Attempt": ...
    async def questions(self, attempt_id: int) -> "list[AttemptQuestion]":
        """Every page, de-duplicated by id, in order of first sight."""
        ...

    async def section_questions(self, section: "AttemptSection") -> "list[AttemptQuestion]":
        """The questions behind `section.questions_url`, which must be of this origin."""
        ...

    async def start_section(self, section: "AttemptSection") -> None: ...
    async def end_section(self, section: "AttemptSection") -> None: ...
    async def save(
        self, attempt_id: int, question_id: int, answer: "AnswerInput", stamp: str = ""
    ) -> "AttemptQuestion":
        """`stamp`: `writer:sequence`, so that a service that knows it drops an older change that arrives late."""
        ...

    def review(self, attempt_id: int) -> "AsyncIterator[Page[ReviewQuestion]]":
        """Page after page, so that the first is on the screen before the last is asked for."""
        ...

    async def subjects(self, attempt_id: int) -> "list[SubjectAnalytics]": ...
    async def review_pdf(self, attempt: "Attempt", progress: Callable[[int, int | None], None]) -> bytes:
        """The printed review behind `review_pdf_url`, which must be of this origin; NotFound where there is none.

        `progress`: bytes so far and in all, None where nobody knows.
        """
        ...


class Exams(Protocol):
    async def page(
        self, state: ExamState, number: int = 1, *, course: str = "", title: str = ""
    ) -> "Page[ListedExam]": ...
    async def read(self, slug: str) -> "ListedExam": ...


class Posts(Protocol):
    """What an institute tells; all but `read` is for administrators."""

    async def page(self, number: int = 1) -> "Page[ListedPost]": ...
    def pages(self) -> "AsyncIterator[Page[ListedPost]]":
        """Page after page, each post once."""
        ...

    async def read(self, slug: str) -> "Post":
        """Raises Forbidden for a post that is not for the caller."""
        ...

    async def create(self, post: "PostInput") -> "WholePost": ...
    async def update(self, slug: str, changes: "PostInput") -> "WholePost": ...
    async def delete(self, slug: str) -> None: ...


class Users(Protocol):
    """Accounts, for administrators; and what everyone may see and change."""

    async def create(self, user: "NewUser") -> "CreatedUser": ...
    async def read(self, user_id: int) -> "AdminUser": ...
    async def update(self, user_id: int, changes: "UserChanges") -> "UpdatedUser": ...
    async def delete(self, user_id: int) -> None:
        """Delete the account and everything that belongs to it; there is no way back."""
        ...

    async def find(self, email: str) -> "FoundUser": ...
    async def public(self, user_id: int) -> "UserSummary":
        """What may be seen of a user; a CurrentUser where it is the caller."""
        ...

    async def update_profile(self, user_id: int, changes: "ProfileChanges") -> "OwnProfile":
        """Change the caller's own profile; raises Forbidden for another's."""
        ...


class Mentors(Protocol):
    """Mentors and their students, for administrators."""

    async def create(self, mentor: "NewMentor") -> "CreatedMentor": ...
    async def create_with_students(self, mentor: "NewMentor") -> "Mentor":
        """The older way (v2.2), whose answer counts the students."""
        ...

    async def all(self) -> "list[Mentor]": ...
    async def all_older(self) -> "list[Mentor]":
        """The list under v2.2, for servers that have only that."""
        ...

    async def students(self, mentor_id: int) -> "list[MentorStudent]": ...
    async def assign(self, mentor_id: int, usernames: "Sequence[str]") -> "list[MentorStudent]": ...
    async def remove(self, mentor_id: int, usernames: "Sequence[str]") -> None: ...


class Batches(Protocol):
    """Groups of students, for administrators. `search`: a part of the name."""

    async def page(self, number: int = 1, *, search: str = "") -> "Page[Batch]": ...
    def pages(self, *, search: str = "") -> "AsyncIterator[Page[Batch]]": ...
    async def read(self, batch_id: int) -> "Batch": ...
    async def create(self, name: str) -> "Batch": ...


class Videos(Protocol):
    """Contents of courses; and, for staff, the tokens that let a video be played. `uuid`: of the content."""

    async def contents(self, course_id: int, kind: str = "video", number: int = 1) -> "CourseContentsPage": ...
    async def every_content(self, course_id: int, kind: str = "video") -> "list[CourseContent]": ...
    async def details(self, content_id: int) -> "ContentDetails": ...
    async def create_token(self, uuid: str, token: "PlaybackTokenInput") -> "PlaybackToken":
        """Keep what is answered to whoever may watch: it is the right to play."""
        ...

    async def tokens(self, uuid: str, number: int = 1, *, status: str = "") -> "Page[PlaybackToken]":
        """`status`: active, expired, or "" for all."""
        ...

    async def token(self, uuid: str, code: str) -> "PlaybackToken": ...
    async def update_token(self, uuid: str, code: str, changes: "PlaybackTokenInput") -> "PlaybackToken": ...


@dataclass(frozen=True, slots=True)
class PictureAddress:
    """Where a picture is. `host`: whose it is, "" for the service's own."""

    url: str
    host: str = ""


class Pictures(Protocol):
    """Pictures that texts name by their address."""

    def locate(self, source: str) -> PictureAddress | None:
        """Resolve the source of an image; None where it is no address that may be read."""
        ...

    async def read(self, address: PictureAddress, largest: int) -> bytes:
        """Read at most `largest` bytes; the token goes to the service only, redirects stay on one server."""
        ...


class Lms(Protocol):
    """A signed-in service. `origin`: scheme, host and port, without a slash at the end; never holds a secret."""

    origin: str

    @property
    def attempts(self) -> Attempts: ...
    @property
    def exams(self) -> Exams: ...
    @property
    def posts(self) -> Posts: ...
    @property
    def users(self) -> Users: ...
    @property
    def mentors(self) -> Mentors: ...
    @property
    def batches(self) -> Batches: ...
    @property
    def videos(self) -> Videos: ...
    @property
    def pictures(self) -> Pictures: ...

    async def me(self) -> "CurrentUser": ...
    async def stats(self) -> "StudentStats": ...
    async def sign_in_again(self, password: str) -> None:
        """Sign in as the same user after a 401; raises Invalid on a wrong password, Forbidden on another user."""
        ...

    async def close(self) -> None: ...
