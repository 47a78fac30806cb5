"""What a re-read of all questions means: which answers differ, whose they are, and what follows (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lms_tui.attempt.events import Differs, Event, Foreign
from lms_tui.attempt.mapping import among, answer_of
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer
from lms_tui.wire.attempts import AttemptQuestion


@dataclass
class Known:
    """`given`: every answer that was given here, by question; `there`: the one the server was last known to hold."""

    given: dict[int, list[Answer]] = field(default_factory=dict)
    there: dict[int, Answer] = field(default_factory=dict)

    def gave(self, question_id: int, answer: Answer) -> None:
        self.given.setdefault(question_id, []).append(answer)


def events_of(
    session: Session, questions: Iterable[AttemptQuestion], known: Known, *, company: bool, final: bool
) -> list[Event]:
    """Return what follows for each question whose answer on the server is not the one here.

    An answer that was never given here is another device's. It came after ours was acknowledged, so it wins; beside
    a choice of ours that is not sent yet it is shown, and ours is sent. One that was given here before wandered through
    the network, and ours is sent again; where there is another device, which may have chosen the same, that waits for
    the end (`final`). No answer at all is another device's choice only where there is one (`company`); else the server
    has lost ours.
    """
    events: list[Event] = []
    for question in questions:
        item, theirs = session.find(question.id), answer_of(question)
        if item is None or item.refused or theirs.same_as(item.answer):
            continue
        given = known.given.get(question.id, ())
        # Where the answer here is another device's already, there is none of ours that could be sent again.
        unknown = not (among(theirs, given) and among(item.answer, given))
        foreign = unknown and (company or theirs.given or theirs.marked)
        if foreign and (item.visit_only or not item.unsent):
            events.append(Foreign(question.id, theirs, taken=True))
        elif final or not (item.unsent or company):
            events.append(Differs(question.id))
        elif foreign and not theirs.same_as(known.there.get(question.id, Answer())):
            events.append(Foreign(question.id, theirs, taken=False))
    return events
