"""The events of an attempt. They come from the student, the journal, the clock and the server."""

from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.values import Answer, Goal, Item, Section
from lms_tui.common.frozen import frozen

# Events of the person.


@frozen
class Visited:
    """A question came on the screen."""

    question_id: int


@frozen
class Chose:
    """An option was chosen. In a question with several answers, a second choice clears it."""

    question_id: int
    option_id: int


@frozen
class Toggled:
    """An option was chosen or cleared, also in a question with one answer."""

    question_id: int
    option_id: int


@frozen
class Cleared:
    question_id: int


@frozen
class Marked:
    """The mark for review was toggled."""

    question_id: int


@frozen
class Struck:
    """An option was struck out or restored. The server never gets this."""

    question_id: int
    option_id: int


@frozen
class Wrote:
    """A text field changed: `field` is `short_text`, `essay_text`, `essay_topic` or the order of a gap."""

    question_id: int
    field: str
    text: str


@frozen
class Attached:
    """Files were added or removed. `files`: the texts that name all files of the answer, in order."""

    question_id: int
    files: tuple[str, ...]


@frozen
class Undone:
    """The last change of an answer was undone. This is a new change."""


@frozen
class ChoseOther:
    """The student chose the answer of the other device. The answer before it becomes the other one."""

    question_id: int


@frozen
class EndAsked:
    goal: Goal = Goal.ATTEMPT


# Events of the journal, the clock and the server.


@frozen
class Recorded:
    """All changes up to this sequence are durable on this computer. `note` is a sentence about a repair, or ""."""

    sequence: int
    note: str = ""


@frozen
class RecordFailed:
    """A change is not durable. If `lost` is true, the earlier changes are not durable any more either."""

    reason: str
    lost: bool = False


@frozen
class Acknowledged:
    """The server echoed this change of this question, at this boot-clock time."""

    question_id: int
    sequence: int
    at: float = 0.0


@frozen
class NotAccepted:
    question_id: int
    sequence: int
    reason: str


@frozen
class Differs:
    """The server holds another answer than it acknowledged. The newest answer here is sent again."""

    question_id: int


@frozen
class ServerForgot:
    """The server was restored from a copy, and has lost so many answers. They are sent again.

    `in_ended`: how many answers of sections that have ended it does not have. It does not take them any more.
    """

    answers: int
    in_ended: int = 0


@frozen
class Foreign:
    """The server holds an answer of another device. If `taken` is true, it replaces ours."""

    question_id: int
    answer: Answer
    taken: bool
    saved: bool = True
    """The journal holds the taken answer."""


@frozen
class TimeTold:
    """The server replied to start or heartbeat. `sections` is empty for an exam without sections."""

    reading: Reading
    sections: tuple[Section, ...] = ()


@frozen
class Heard:
    """The server replied at this boot-clock time, without the time left."""

    at: float
    sections: tuple[Section, ...] = ()


@frozen
class NotHeard:
    reason: str


@frozen
class SignInExpired:
    """The server did not accept the token. Nothing is sent until Retried or a good reply."""


@frozen
class Retried:
    """The person asked to try the server again, or has signed in again."""


@frozen
class TimeRanOut:
    pass


@frozen
class InstituteTold:
    """The institute tells the student something. `text` is one line, `at` a time of the boot clock."""

    text: str
    at: float


@frozen
class SectionBegan:
    """The next section of a locked exam runs. Its questions are appended, and the first one is shown."""

    items: tuple[Item, ...]
    sections: tuple[Section, ...]
    deadline: Deadline
    at: float = 0.0


@frozen
class Finished:
    """The server says that the attempt is completed, after we asked for it."""


@frozen
class ClosedElsewhere:
    reason: str


UserEvent = Visited | Chose | Toggled | Cleared | Marked | Struck | Wrote | Attached | ChoseOther | Undone | EndAsked
WorldEvent = (
    Recorded
    | RecordFailed
    | Acknowledged
    | NotAccepted
    | Differs
    | ServerForgot
    | Foreign
    | TimeTold
    | Heard
    | NotHeard
    | SignInExpired
    | Retried
    | TimeRanOut
    | SectionBegan
    | InstituteTold
    | Finished
    | ClosedElsewhere
)
Event = UserEvent | WorldEvent
