"""The ports of the keeper of an attempt. The service raises the errors of `lms_tui.wire.errors`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from lms_tui.attempt.values import Answer
from lms_tui.common.frozen import frozen
from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    import anyio

    from lms_tui.wire.attempts import AnswerInput, Attempt, AttemptNotice, AttemptQuestion, AttemptSection
    from lms_tui.wire.files import AttemptFiles, FileReference, UploadedFile


class Clock(Protocol):
    @property
    def speed(self) -> float:
        """How many seconds of this clock pass in a real second: 1, or more in a dry run."""
        ...

    def boot(self) -> float:
        """Return seconds since a fixed moment. The clock also runs while the computer sleeps and is never set."""
        ...

    @property
    def boot_id(self) -> str:
        """An ID that changes when the computer starts, because `boot` then counts anew. "" if it is unknown."""
        ...

    def wall(self) -> float:
        """Seconds since 1970, for records that people read. It never decides the time left."""
        ...

    async def wait(self, wake: "anyio.Event", seconds: float | None) -> None:
        """Wait until `wake` is set or the seconds have passed. With `None`, wait for `wake` alone."""
        ...


class AttemptService(Protocol):
    """The attempt endpoints, as `lms_tui.client.port.Attempts` has them."""

    async def read(self, attempt_id: int) -> "Attempt": ...
    async def start(self, attempt_id: int) -> "Attempt": ...
    async def heartbeat(self, attempt_id: int) -> "Attempt": ...
    async def end(self, attempt_id: int) -> "Attempt": ...
    async def questions(self, attempt_id: int) -> "list[AttemptQuestion]": ...
    async def notices(self, attempt_id: int) -> "list[AttemptNotice]": ...
    async def notices_seen(self, attempt_id: int, notice_id: int) -> None: ...
    async def acknowledgement(self, attempt_id: int) -> str: ...
    async def files(self, attempt_id: int) -> "AttemptFiles": ...
    async def send_file(
        self, attempt_id: int, reference: "FileReference", offset: int, content: bytes
    ) -> "UploadedFile": ...
    async def section_questions(self, section: "AttemptSection") -> "list[AttemptQuestion]": ...
    async def start_section(self, section: "AttemptSection") -> None: ...
    async def end_section(self, section: "AttemptSection") -> None: ...
    async def save(
        self, attempt_id: int, question_id: int, answer: "AnswerInput", stamp: str = "", chosen_at: int | None = None
    ) -> "AttemptQuestion":
        """Send an answer. `stamp` and `chosen_at` let a server ignore an older change that arrives late.

        `stamp` is `writer:sequence`. `chosen_at` is in milliseconds since 1970 on the server's clock.
        """
        ...


@frozen
class AttemptKey:
    """Identifies an attempt. Answers of one user or server are never offered to another."""

    origin: str
    user_id: int
    attempt_id: int


@frozen
class Entry:
    """One change of one question. `boot` and `wall` are its times on the two clocks, in seconds."""

    sequence: int
    question_id: int
    answer: Answer
    boot: float
    wall: float


@frozen
class Kept:
    """A change in the journal, and whether the server has acknowledged or refused it."""

    entry: Entry
    acknowledged: bool
    refused: str = ""
    doubtful: bool = False
    """A later row of the journal was lost. It may have held a newer change of the same question."""


@frozen
class Reply:
    """The time fields of one reply of the server. `boot` is the time of its arrival on the boot clock."""

    boot: float
    told: Mapping[str, str]


@frozen
class Visit:
    """A question came on the screen at this boot-clock time. Question 0 means that no question was shown any more.

    `run` is the number before the first change of the run of the program. It rises with each start of the program.
    """

    run: int
    question_id: int
    boot: float


class JournalError(AdvisedError):
    """The journal cannot keep an answer. `str(error)` gives the reason and `advice` the next step."""

    def __init__(
        self, message: str, advice: str = "Keep the program open. Answers are still sent to the server."
    ) -> None:
        super().__init__(message, advice)


class JournalLostError(JournalError):
    """The file of a journal was removed, and no new one can be written."""


class NewerJournalError(JournalError):
    """A later version of the program has written the journal. The file stays unchanged."""

    def __init__(self) -> None:
        super().__init__(
            "A newer version of lms-tui has written the answers of this exam.", "Continue the exam with that version."
        )


class JournalInUseError(JournalError):
    """Another process has this attempt open. `pid` is None when it is not known."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(
            f"This attempt is open in another window{f' (process {pid})' if pid else ''}.",
            "Continue in the other window, or close it and try again.",
        )
        self.pid = pid


class FileStore(Protocol):
    """The content of the files in the answers of one attempt. A file is named by the SHA-256 of its content."""

    def keep(self, digest: str, content: bytes) -> None:
        """Return when the content is durable. Raise JournalError."""
        ...

    def part(self, digest: str, offset: int, size: int) -> bytes | None:
        """Return at most `size` bytes from `offset`, or None for a file that is missing or cannot be read."""
        ...

    def clear(self) -> None:
        """Remove all files."""
        ...


class JournalRecord(Protocol):
    """The part of a journal that can be read."""

    def newest(self) -> Mapping[int, Kept]:
        """Return the change of each question with the highest sequence number. Clocks do not matter."""
        ...

    def history(self) -> Sequence[Kept]:
        """Return every recorded change, oldest first."""
        ...

    def recall(self, name: str) -> str:
        """Return the fact of this name, or ""."""
        ...

    def replies(self) -> Sequence[Reply]:
        """Return the server's replies about time, oldest first."""
        ...

    def visits(self) -> Sequence[Visit]:
        """Return which question was on the screen when, oldest first. Journals of earlier versions hold none."""
        ...


class Journal(JournalRecord, Protocol):
    """The changes of one attempt. A method that writes returns when the change is durable."""

    writer: str
    """The name of this journal, unique among all writers of the attempt."""
    restored: str
    """A sentence about a repair of the journal when it was opened, or ""."""

    @property
    def files(self) -> FileStore: ...
    def record(self, *entries: Entry, visits: Sequence[Visit] = ()) -> None:
        """Keep changes and visits. They are written together."""
        ...

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        """Note that the server has acknowledged this change and those before it, or refused it for a reason."""
        ...

    def last_sequence(self) -> int: ...
    def remember(self, facts: Mapping[str, str]) -> None:
        """Keep facts by name, such as the question on the screen and the options that are struck out."""
        ...

    def forget(self, names: Sequence[str]) -> None:
        """Remove these facts from the disk."""
        ...

    def note_reply(self, reply: Reply) -> None: ...
    def check(self) -> str:
        """Check that the file of the journal exists, and write it again from memory if it does not.

        Return a sentence about a repair, or "". Raise JournalError if the journal cannot be written, and
        JournalLostError if its file is gone too.
        """
        ...

    def keep_receipt(self, text: str) -> None:
        """Write the receipt of this attempt beside its journal.

        It replaces an older one, and only its owner can read it.
        """
        ...

    def finish(self) -> None:
        """Note that the attempt has ended and every answer was compared."""
        ...

    def close(self) -> None: ...


@frozen
class Unfinished:
    """An attempt that can be resumed from its journal. `unsent` is the number of answers that are not sent."""

    key: AttemptKey
    title: str
    unsent: int


@frozen
class Outstanding:
    """The attempts of a user with answers that are not sent, and those with receipts that are not signed."""

    unfinished: tuple[Unfinished, ...] = ()
    unsigned: tuple[AttemptKey, ...] = ()
    """The attempts that are over and whose receipts lack the signature of the server."""


class Journals(Protocol):
    def open(self, key: AttemptKey, title: str) -> Journal:
        """Open or create a journal. Raise JournalInUseError if another process has it open, else JournalError."""
        ...

    def look(self, key: AttemptKey) -> JournalRecord:
        """Read what is durable, even if another process has the journal open. Raise JournalError."""
        ...

    def outstanding(self, origin: str, user_id: int) -> Outstanding:
        """Read every journal of the user that no process has open."""
        ...
