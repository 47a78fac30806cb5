"""The interface of a signed-in server for screens. It imports no HTTP library, which keeps the start fast."""

from collections.abc import AsyncIterator, Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

from lms_tui.common.frozen import frozen
from lms_tui.wire.errors import Forbidden, NotFound

if TYPE_CHECKING:
    from lms_tui.wire.accounts import (
        AdminUser,
        CreatedUser,
        FoundUser,
        NewUser,
        ProfileChanges,
        SshKey,
        UpdatedUser,
        UserChanges,
    )
    from lms_tui.wire.attempts import (
        AnswerInput,
        Attempt,
        AttemptNotice,
        AttemptQuestion,
        AttemptSection,
        ExamAids,
        ReviewQuestion,
        SubjectAnalytics,
    )
    from lms_tui.wire.base import Page
    from lms_tui.wire.batches import Batch
    from lms_tui.wire.board import Board, Grant, Granted
    from lms_tui.wire.exams import ListedExam
    from lms_tui.wire.files import AttemptFiles, FileReference, UploadedFile
    from lms_tui.wire.grading import AnswerToMark, ExamResult, ExamStatistics, MarkInput, ReleasedMarks
    from lms_tui.wire.mentors import CreatedMentor, Mentor, MentorStudent, NewMentor
    from lms_tui.wire.posts import ListedPost, Post, PostInput, PostSummary, WholePost
    from lms_tui.wire.staff_exams import StaffExam
    from lms_tui.wire.stats import StudentStats
    from lms_tui.wire.users import CurrentUser, OwnProfile, UserSummary
    from lms_tui.wire.videos import (
        ContentDetails,
        Course,
        CourseContent,
        CourseContentsPage,
        OwnContent,
        PlaybackToken,
        PlaybackTokenInput,
    )

TOKEN_PATH: Final = "/api/v2.5/auth-token/"  # noqa: S105 - an address, not a secret
"""The path at which servers give out tokens (wire notes, Signing in)."""


class ExamState(StrEnum):
    AVAILABLE = "available"
    UPCOMING = "upcoming"
    HISTORY = "history"


class Attempts(Protocol):
    """The attempt endpoints. All errors are those of `lms_tui.wire.errors`."""

    async def page(self, number: int = 1, *, course: str = "", title: str = "") -> "Page[Attempt]": ...
    async def of_exam(self, slug: str) -> "list[Attempt]": ...
    async def read(self, attempt_id: int) -> "Attempt": ...
    async def create(self, slug: str, access_code: str = "") -> "Attempt": ...
    async def start(self, attempt_id: int) -> "Attempt": ...
    async def heartbeat(self, attempt_id: int) -> "Attempt": ...
    async def end(self, attempt_id: int) -> "Attempt": ...
    async def questions(self, attempt_id: int) -> "list[AttemptQuestion]":
        """Return the questions of all pages, each once, in their order."""
        ...

    async def aids(self, attempt_id: int) -> "ExamAids":
        """Return the aids that the exam allows. Raises NotFound where the server has no such list."""
        ...

    async def files(self, attempt_id: int) -> "AttemptFiles":
        """Return the files of the attempt and the rules for them. Raises NotFound where the server takes no files."""
        ...

    async def send_file(
        self, attempt_id: int, reference: "FileReference", offset: int, content: bytes
    ) -> "UploadedFile":
        """Send the part of a file that begins at `offset`. The reply tells how many bytes the server has."""
        ...

    async def notices(self, attempt_id: int) -> "list[AttemptNotice]":
        """Return what the institute has told the student of the attempt, the oldest first."""
        ...

    async def acknowledgement(self, attempt_id: int) -> str:
        """Return the signed acknowledgement of the answers, or "". Raises NotFound where the server gives none."""
        ...

    async def notices_seen(self, attempt_id: int, notice_id: int) -> None:
        """Tell the server that the notices up to this one were shown."""
        ...

    async def section_questions(self, section: "AttemptSection") -> "list[AttemptQuestion]":
        """Return the questions at `section.questions_url`, which must be on this server."""
        ...

    async def start_section(self, section: "AttemptSection") -> None: ...
    async def end_section(self, section: "AttemptSection") -> None: ...
    async def save(
        self, attempt_id: int, question_id: int, answer: "AnswerInput", stamp: str = "", chosen_at: int | None = None
    ) -> "AttemptQuestion":
        """Send an answer. A server that knows `stamp` (`writer:sequence`) ignores an older change that arrives late."""
        ...

    def review(self, attempt_id: int) -> "AsyncIterator[Page[ReviewQuestion]]":
        """Yield the pages of the review. The caller can show the first page before the last one is read."""
        ...

    async def subjects(self, attempt_id: int) -> "list[SubjectAnalytics]": ...
    async def review_pdf(self, attempt: "Attempt", progress: Callable[[int, int | None], None]) -> bytes:
        """Download the PDF at `review_pdf_url`, which must be on this server. Raises NotFound if there is none.

        `progress` gets the bytes so far and the bytes in all, or None.
        """
        ...


async def subjects_told(attempts: Attempts, attempt_id: int) -> "list[SubjectAnalytics]":
    """Return the subjects of an attempt, none where the server does not tell them. Raises other ApiErrors."""
    try:
        return await attempts.subjects(attempt_id)
    except (Forbidden, NotFound):
        return []


class Exams(Protocol):
    async def page(
        self, state: ExamState, number: int = 1, *, course: str = "", title: str = ""
    ) -> "Page[ListedExam]": ...
    async def read(self, slug: str) -> "ListedExam": ...


class Posts(Protocol):
    """The endpoints of posts. All but `readable` and `read` are for administrators."""

    async def readable(self, number: int = 1) -> "Page[PostSummary]":
        """List the posts that the caller can read, the newest first. Raises NotOffered if the server has no list."""
        ...

    async def page(self, number: int = 1) -> "Page[ListedPost]": ...
    def pages(self) -> "AsyncIterator[Page[ListedPost]]":
        """Yield the pages of the list. Each post comes once."""
        ...

    async def read(self, slug: str) -> "Post":
        """Read one post. Raises Forbidden for a post that is not for the caller."""
        ...

    async def create(self, post: "PostInput") -> "WholePost": ...
    async def update(self, slug: str, changes: "PostInput") -> "WholePost": ...
    async def delete(self, slug: str) -> None: ...


class Users(Protocol):
    """Accounts for administrators, and profiles for everyone."""

    async def create(self, user: "NewUser") -> "CreatedUser": ...
    async def read(self, user_id: int) -> "AdminUser": ...
    async def update(self, user_id: int, changes: "UserChanges") -> "UpdatedUser": ...
    async def delete(self, user_id: int) -> None:
        """Delete the account and everything that belongs to it. This cannot be undone."""
        ...

    async def find(self, email: str) -> "FoundUser": ...
    async def public(self, user_id: int) -> "UserSummary":
        """Read the public fields of a user. The caller is returned as CurrentUser."""
        ...

    async def ssh_keys(self) -> "tuple[SshKey, ...]":
        """Read the caller's public keys for ssh. Other servers lack them."""
        ...

    async def add_ssh_key(self, line: str) -> "SshKey":
        """Add the line of a file such as `id_ed25519.pub`."""
        ...

    async def remove_ssh_key(self, fingerprint: str) -> None: ...
    async def update_profile(self, user_id: int, changes: "ProfileChanges") -> "OwnProfile":
        """Change the caller's profile. Raises Forbidden for another user's profile."""
        ...


class Mentors(Protocol):
    """Mentors and their students, for administrators."""

    async def create(self, mentor: "NewMentor") -> "CreatedMentor": ...
    async def create_with_students(self, mentor: "NewMentor") -> "Mentor":
        """Create a mentor with v2.2, whose reply includes the number of students."""
        ...

    async def all(self) -> "list[Mentor]": ...
    async def all_older(self) -> "list[Mentor]":
        """Read the list of v2.2, for servers without v2.5."""
        ...

    async def students(self, mentor_id: int) -> "list[MentorStudent]": ...
    async def assign(self, mentor_id: int, usernames: "Sequence[str]") -> "list[MentorStudent]": ...
    async def remove(self, mentor_id: int, usernames: "Sequence[str]") -> None: ...


class Batches(Protocol):
    """Groups of students for administrators. `search` is a part of the name."""

    async def page(self, number: int = 1, *, search: str = "") -> "Page[Batch]": ...
    def pages(self, *, search: str = "") -> "AsyncIterator[Page[Batch]]": ...
    async def read(self, batch_id: int) -> "Batch": ...
    async def create(self, name: str) -> "Batch": ...


class Videos(Protocol):
    """Courses, their contents, and playback tokens for staff. `uuid` is that of the content."""

    async def courses(self, number: int = 1) -> "Page[Course]":
        """List the courses that the caller can use. Raises NotOffered if the server has no list."""
        ...

    async def own_contents(self, kind: str = "video", number: int = 1) -> "Page[OwnContent]":
        """List the contents of all courses that the caller can use. Raises NotOffered if the server has no list."""
        ...

    async def contents(self, course_id: int, kind: str = "video", number: int = 1) -> "CourseContentsPage": ...
    async def every_content(self, course_id: int, kind: str = "video") -> "list[CourseContent]": ...
    async def details(self, content_id: int) -> "ContentDetails": ...
    async def create_token(self, uuid: str, token: "PlaybackTokenInput") -> "PlaybackToken":
        """Create a token. Anyone who has the reply can play the video."""
        ...

    async def tokens(self, uuid: str, number: int = 1, *, status: str = "") -> "Page[PlaybackToken]":
        """Read the tokens of a video. `status` is active, expired, or "" for all."""
        ...

    async def token(self, uuid: str, code: str) -> "PlaybackToken": ...
    async def update_token(self, uuid: str, code: str, changes: "PlaybackTokenInput") -> "PlaybackToken": ...


class StaffExams(Protocol):
    """The exams of the institute for staff."""

    async def page(self, number: int = 1) -> "Page[StaffExam]":
        """List the exams, the newest first. Raises NotOffered if the server has no list, Forbidden for students."""
        ...

    async def board(self, slug: str, cursor: str = "") -> "Board":
        """Read the attempts that have changed since a cursor, "" for all."""
        ...

    async def grant(self, slug: str, grant: "Grant") -> "Granted": ...
    async def results(self, slug: str, number: int = 1) -> "Page[ExamResult]": ...
    async def results_file(self, slug: str, kind: str, progress: Callable[[int, int | None], None]) -> bytes:
        """Download the results as a file. `kind`: csv or xlsx. `progress`: as for `Attempts.review_pdf`."""
        ...

    async def gradebook_file(self, kind: str, slug: str, progress: Callable[[int, int | None], None]) -> bytes:
        """Download the best scores in all exams, or the marks of each question of one exam.

        `kind`: csv, moodle or canvas. `slug`: of the exam, or "".
        """
        ...

    async def statistics(self, slug: str) -> "ExamStatistics": ...
    def review(self, attempt_id: int) -> "AsyncIterator[Page[ReviewQuestion]]":
        """Yield the pages of the review of any ended attempt."""
        ...

    async def review_pdf(self, attempt_id: int, progress: Callable[[int, int | None], None]) -> bytes:
        """Download the review of any ended attempt as a PDF. `progress`: as for `Attempts.review_pdf`."""
        ...

    async def answers_to_mark(self, slug: str, number: int = 1, *, question: int = 0) -> "Page[AnswerToMark]":
        """List the answers that a person marks. `question`: only this one, which can have short texts."""
        ...

    async def file(self, attempt_id: int, digest: str, progress: Callable[[int, int | None], None]) -> bytes:
        """Download a file of the answer of any student. `progress`: as for `Attempts.review_pdf`."""
        ...

    async def give_marks(self, slug: str, mark: "MarkInput") -> "AnswerToMark":
        """Keep marks for an answer. The reply has neither the question nor the answer."""
        ...

    async def release_marks(self, slug: str, differ_by: str = "") -> "ReleasedMarks": ...


@frozen
class PictureAddress:
    """The address of a picture. `host` is "" for the signed-in server."""

    url: str
    host: str = ""


class Pictures(Protocol):
    """Pictures that texts refer to by address."""

    def locate(self, source: str) -> PictureAddress | None:
        """Return the address of an image source, or None if it may not be downloaded."""
        ...

    async def read(self, address: PictureAddress, largest: int) -> bytes:
        """Download at most `largest` bytes. Only the signed-in server gets the token. Redirects stay on one server."""
        ...


class Lms(Protocol):
    """A signed-in server. `origin` is scheme, host and port without a final slash, and contains no secret."""

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
    def staff_exams(self) -> StaffExams: ...
    @property
    def pictures(self) -> Pictures: ...

    async def me(self) -> "CurrentUser": ...
    async def stats(self) -> "StudentStats": ...
    async def sign_in_again(self, password: str, on_wait: Callable[[float], None] | None = None) -> None:
        """Sign in as the same user after a 401. Raises Invalid for a wrong password, Forbidden for another user."""
        ...

    async def close(self) -> None: ...
