"""The ports of the keeper of an attempt. The service raises the errors of `lms_tui.wire.errors`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lms_tui.attempt.values import Answer
from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    import anyio

    from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptQuestion, AttemptSection


class Clock(Protocol):
    @property
    def speed(self) -> float:
        """How many of its seconds pass in one: 1, but where a dry run is sped up."""
        ...

    def boot(self) -> float:
        """Seconds since some start, also while the computer sleeps, never set back."""
        ...

    @property
    def boot_id(self) -> str:
        """Names the start of the computer that `boot` counts from. It is "" when that is not known."""
        ...

    def wall(self) -> float:
        """Seconds since 1970, for records that people read. It never decides the time left."""
        ...

    async def wait(self, wake: "anyio.Event", seconds: float | None) -> None:
        """Return when wake is set or the seconds have passed. None waits for wake alone."""
        ...


class AttemptService(Protocol):
    """The attempt endpoints, as `lms_tui.client.port.Attempts` has them."""

    async def read(self, attempt_id: int) -> "Attempt": ...
    async def start(self, attempt_id: int) -> "Attempt": ...
    async def heartbeat(self, attempt_id: int) -> "Attempt": ...
    async def end(self, attempt_id: int) -> "Attempt": ...
    async def questions(self, attempt_id: int) -> "list[AttemptQuestion]": ...
    async def section_questions(self, section: "AttemptSection") -> "list[AttemptQuestion]": ...
    async def start_section(self, section: "AttemptSection") -> None: ...
    async def end_section(self, section: "AttemptSection") -> None: ...
    async def save(
        self, attempt_id: int, question_id: int, answer: "AnswerInput", stamp: str = "", chosen_at: int | None = None
    ) -> "AttemptQuestion":
        """Send an answer. A server that knows `stamp` and `chosen_at` ignores an older change that arrives late.

        `stamp` is `writer:sequence`. `chosen_at` is in milliseconds since 1970 on the server's clock.
        """
        ...


@dataclass(frozen=True, slots=True)
class AttemptKey:
    """Identifies an attempt. Answers of one user or server are never offered to another."""

    origin: str
    user_id: int
    attempt_id: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of one question. `boot` and `wall`: seconds of the two clocks at that time."""

    sequence: int
    question_id: int
    answer: Answer
    boot: float
    wall: float


@dataclass(frozen=True, slots=True)
class Kept:
    """A change of a question in the journal, and what became of it."""

    entry: Entry
    acknowledged: bool
    refused: str = ""
    doubtful: bool = False
    """A later row of the journal was lost. It may have held a newer change of the same question."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The fields about time in one reply of the server. `boot`: seconds of the boot clock."""

    boot: float
    told: Mapping[str, str]


class JournalError(AdvisedError):
    """The journal cannot keep an answer. `str(error)` gives the reason and `advice` the next step."""

    def __init__(
        self, message: str, advice: str = "Keep the program open. Answers are still sent to the server."
    ) -> None:
        super().__init__(message, advice)


class JournalLostError(JournalError):
    """The file of a journal is gone, with everything in it, and no new one can be written."""


class JournalInUseError(JournalError):
    """Another process has this attempt open. `pid` is None when it is not known."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(
            f"This attempt is open in another window{f' (process {pid})' if pid else ''}.",
            "Go on in the other window, or close it and try again.",
        )
        self.pid = pid


class JournalRecord(Protocol):
    """The part of a journal that can be read."""

    def newest(self) -> Mapping[int, Kept]:
        """The change of each question with the highest sequence number, whatever the wall clock said."""
        ...

    def history(self) -> Sequence[Kept]:
        """Every change that was ever recorded, oldest first."""
        ...

    def recall(self, name: str) -> str:
        """Return the fact of this name, or ""."""
        ...

    def replies(self) -> Sequence[Reply]:
        """The server's replies about time, oldest first."""
        ...


class Journal(JournalRecord, Protocol):
    """The changes of one attempt. A method that writes returns when the change is durable."""

    writer: str
    """Names this journal among all writers of the attempt."""
    restored: str
    """A sentence about the repair that was needed when the journal was opened, else ""."""

    def record(self, *entries: Entry) -> None: ...
    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        """The server has acknowledged (or refused, with the reason) this change and those before it."""
        ...

    def last_sequence(self) -> int: ...
    def remember(self, facts: Mapping[str, str]) -> None:
        """Keep facts beside the answers, by name: the question on the screen, options struck out."""
        ...

    def forget(self, names: Sequence[str]) -> None:
        """Remove these facts from the disk."""
        ...

    def note_reply(self, reply: Reply) -> None: ...
    def check(self) -> str:
        """Check that the journal is in its place, and write it anew when it is not.

        Return a sentence that says so, or "". Raise JournalError when it cannot be written, and JournalLostError when
        it is gone as well.
        """
        ...

    def keep_receipt(self, text: str) -> None:
        """Keep the receipt of this attempt beside it, readable by its owner alone, in the place of an older one."""
        ...

    def finish(self) -> None:
        """Note that the attempt is over and every answer was compared."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Unfinished:
    """An attempt that can be resumed from its journal. `unsent`: answers that the server has not taken, also 0."""

    key: AttemptKey
    title: str
    unsent: int


class Journals(Protocol):
    def open(self, key: AttemptKey, title: str) -> Journal:
        """Raise JournalInUseError while another process holds it, JournalError where nothing can be written."""
        ...

    def look(self, key: AttemptKey) -> JournalRecord:
        """Return everything that is durable, also while another process has the journal open. Raise JournalError."""
        ...

    def unfinished(self, origin: str, user_id: int) -> tuple[Unfinished, ...]: ...
