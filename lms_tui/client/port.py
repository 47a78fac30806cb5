"""What a screen may ask of a signed-in service. No HTTP here, so that a screen costs no HTTP library to import."""

from collections.abc import AsyncIterator
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
    from lms_tui.wire.exams import ListedExam
    from lms_tui.wire.stats import StudentStats
    from lms_tui.wire.users import CurrentUser

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


class Exams(Protocol):
    async def page(
        self, state: ExamState, number: int = 1, *, course: str = "", title: str = ""
    ) -> "Page[ListedExam]": ...
    async def read(self, slug: str) -> "ListedExam": ...


class Lms(Protocol):
    """A signed-in service. `origin`: scheme, host and port, without a slash at the end; never holds a secret."""

    origin: str

    @property
    def attempts(self) -> Attempts: ...
    @property
    def exams(self) -> Exams: ...

    async def me(self) -> "CurrentUser": ...
    async def stats(self) -> "StudentStats": ...
    async def sign_in_again(self, password: str) -> None:
        """Sign in as the same user after a 401; raises Invalid on a wrong password, Forbidden on another user."""
        ...

    async def close(self) -> None: ...
