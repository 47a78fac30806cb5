"""The values of a session (standard library only)."""

from dataclasses import field
from enum import StrEnum

from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState


class Phase(StrEnum):
    """The phase of an attempt. It decides what may be changed, sent and ended."""

    RUNNING = "running"
    TIME_OVER = "time over"
    """The time is over. No answer can be changed. Queued answers are sent, then the attempt is ended."""
    ENDING = "ending"
    """The student has asked for the end. As with TIME_OVER, queued answers are sent first."""
    ENDED = "ended"
    CLOSED = "closed"
    """The server or another device has ended it, or it is not open to this user any more."""


class Goal(StrEnum):
    """The part that ends in the phases TIME_OVER and ENDING."""

    ATTEMPT = "attempt"
    SECTION = "section"


@frozen
class Answer:
    """The answer to one question. `review` is None before the first visit, True for a mark, else False."""

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

    @property
    def never_opened(self) -> bool:
        """A server that shows this for a question that was answered here has lost the answer."""
        return not (self.given or self.visited)

    def same_as(self, other: "Answer") -> bool:
        """Return whether both are the same answer. The order of choices does not matter."""
        return (
            sorted(self.selected) == sorted(other.selected)
            and (self.short_text or "") == (other.short_text or "")
            and (self.essay_text or "") == (other.essay_text or "")
            and (self.essay_topic or "") == (other.essay_topic or "")
            and {gap for gap in self.gaps if gap[1]} == {gap for gap in other.gaps if gap[1]}
            and bool(self.review) == bool(other.review)
        )


@frozen
class Item:
    """One question. `kind` is the type code of the API, and `section` is a place in `Session.sections`."""

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
    """The reason why the server refused the newest change, or ""."""
    other_answer: Answer | None = None
    """The other one of the answers of two devices, or None. `ChoseOther` makes it the answer."""
    theirs: bool = False
    """The answer that counts was given on another device, and `other_answer` here."""
    visit_only: bool = False
    """The newest change is the first visit. It is sent after the person has left the question."""

    @property
    def ours(self) -> Answer:
        """The newest answer that was given here, empty if the question was only opened."""
        return (self.other_answer or Answer(review=False)) if self.theirs else self.answer

    @property
    def unsent(self) -> bool:
        return self.latest > self.there and not self.refused

    @property
    def lost_there(self) -> bool:
        """Whether the server has lost a change that it had acknowledged."""
        return self.there < 0

    @property
    def counted(self) -> bool:
        """Whether the save light counts this item. It does if there is an answer or a mark."""
        return self.answer.given or self.answer.marked


@frozen
class Section:
    """A section of the attempt. `section_id` is `attempt_section_id` in the API. `timed` means its own time limit.

    `state` is None for an unknown state.
    """

    section_id: int
    name: str
    state: AttemptState | None = None
    timed: bool = False


@frozen
class Contact:
    """How the server was last heard. `since`: boot-clock time of the last good reply."""

    since: float = 0.0
    trouble: str = ""
    """The reason why the server cannot be reached, or ""."""
    sign_in_needed: bool = False
    """Nothing is sent until the same user signs in again. `outbox.plan` and the screens both read this."""
