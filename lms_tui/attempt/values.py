"""What a session is made of (standard library only)."""

from dataclasses import dataclass, field
from enum import StrEnum

from lms_tui.wire.attempt_states import AttemptState


class Phase(StrEnum):
    """Where an attempt stands; what may be edited, sent or ended derives from it alone."""

    RUNNING = "running"
    TIME_OVER = "time over"
    """The clock ended it: nothing may be edited, what is queued is sent, then it is ended."""
    ENDING = "ending"
    """The person ended it: the same, by wish."""
    ENDED = "ended"
    CLOSED = "closed"
    """It ended without us: by the server, on another device, or it is not ours any more."""


class Goal(StrEnum):
    """What ends when a phase is TIME_OVER or ENDING."""

    ATTEMPT = "attempt"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person has put down for one question. `review`: None never visited, False visited, True marked."""

    selected: tuple[int, ...] = ()
    short_text: str | None = None
    essay_text: str | None = None
    essay_topic: str | None = None
    gaps: tuple[tuple[str, str], ...] = ()
    review: bool | None = None

    @property
    def given(self) -> bool:
        return bool(
            self.selected or self.short_text or self.essay_text or any(text for _, text in self.gaps),
        )

    @property
    def marked(self) -> bool:
        return self.review is True

    @property
    def visited(self) -> bool:
        return self.review is not None

    def same_as(self, other: "Answer") -> bool:
        """Whether a server that echoes `other` holds this answer; the order of choices means nothing."""
        return (
            sorted(self.selected) == sorted(other.selected)
            and (self.short_text or "") == (other.short_text or "")
            and (self.essay_text or "") == (other.essay_text or "")
            and (self.essay_topic or "") == (other.essay_topic or "")
            and {gap for gap in self.gaps if gap[1]} == {gap for gap in other.gaps if gap[1]}
            and bool(self.review) == bool(other.review)
        )


@dataclass(frozen=True, slots=True)
class Item:
    """One question of this attempt. `kind`: the type code of the API; `section`: place in `Session.sections`."""

    question_id: int
    number: int
    kind: str
    options: tuple[int, ...] = ()
    section: int | None = None
    subject: str = ""
    answer: Answer = field(default_factory=Answer)
    struck: frozenset[int] = frozenset()
    latest: int = 0
    here: int = 0
    there: int = 0
    refused: str = ""
    """Why the server did not take the newest change; "" where it did or was not asked yet."""
    other_answer: Answer | None = None
    """The other one of two answers, where another device gave its own; `ChoseOther` makes it the answer."""
    theirs: bool = False
    """The answer that stands was given on another device, and `other_answer` here."""
    visit_only: bool = False
    """The newest change is that the question was seen; it may wait until the person has left it."""

    @property
    def unsent(self) -> bool:
        return self.latest > self.there and not self.refused

    @property
    def counted(self) -> bool:
        """Worth a number in the save light: there is something a person would miss."""
        return self.answer.given or self.answer.marked


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the attempt; `section_id`: `attempt_section_id` on the wire; `timed`: it has its own clock.

    `state`: None where the server gave one that is not known here.
    """

    section_id: int
    name: str
    state: AttemptState | None = None
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Contact:
    """How the server was last heard. `since`: boot-clock time of the last good reply."""

    since: float = 0.0
    trouble: str = ""
    """Why it cannot be reached, in words; "" while it can."""
    sign_in_needed: bool = False
    """Nothing is sent until the same user signs in again: `outbox.plan` and the screens both read this."""
