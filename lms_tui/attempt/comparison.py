"""Compare the answers on the server with those here (pure)."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lms_tui.attempt.events import Differs, Event, Foreign
from lms_tui.attempt.mapping import among, answer_of, is_unseen_there
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Answer, Item
from lms_tui.wire.attempts import AttemptQuestion


@dataclass
class Known:
    """All answers given here (`given`), and the answers that the server was last known to hold (`there`).

    `opened`: the answers that the server held when the attempt was opened. `acknowledged`: the highest number of each
    question that the server has acknowledged.
    """

    given: dict[int, list[Answer]] = field(default_factory=dict)
    there: dict[int, Answer] = field(default_factory=dict)
    opened: dict[int, Answer] = field(default_factory=dict)
    acknowledged: dict[int, int] = field(default_factory=dict)

    def gave(self, question_id: int, answer: Answer) -> None:
        self.given.setdefault(question_id, []).append(answer)


def events_of(
    session: Session,
    questions: Iterable[AttemptQuestion],
    known: Known,
    *,
    other_device: bool,
    final: bool,
    restored: bool = False,
) -> list[Event]:
    """Return an event for each question whose answer on the server differs from the answer here.

    - The server shows the question as never opened, so it has lost our answer. Our answer is sent again.
    - The server holds an answer that was never given here, so it came from another device. It replaces our answer. If
      our answer is not sent yet, the screen shows both.
    - The server holds an answer that was given here earlier, brought by a delayed request. Our answer is sent again.
      Another device may have chosen that answer too. If there is one, our answer waits for the end (`final`).
    - The server holds the answer that ours replaced: it was put back to an older state. Without another device, ours is
      sent again.
    - The server was `restored`: what it holds is older than what it acknowledged, whoever gave it. Ours is sent again.
      A newer answer that another device has sent again meanwhile stands, because the server knows when each was chosen.
      An answer that was cleared here is sent again too: without it, another device's older answer would stand.
    - The server holds an empty answer, which another device has cleared. Without another device, ours is sent again.
    """
    events: list[Event] = []
    for question in questions:
        item, theirs = session.find(question.id), answer_of(question)
        if item is None or item.refused:
            continue
        if theirs.same_as(item.answer) and not (restored and _cleared_here(item, theirs)):
            continue
        if restored and (item.latest or item.counted) and not item.visit_only:
            if not item.unsent:
                events.append(Differs(item.question_id))
            continue
        foreign = _is_foreign(item, theirs, known, other_device=other_device)
        if foreign and (item.visit_only or not item.unsent):
            events.append(Foreign(item.question_id, theirs, taken=True))
        elif final or not (item.unsent or (other_device and not theirs.never_opened)):
            events.append(Differs(item.question_id))
        elif foreign and not theirs.same_as(known.there.get(item.question_id, Answer())):
            events.append(Foreign(item.question_id, theirs, taken=False))
    return events


def _is_foreign(item: Item, theirs: Answer, known: Known, *, other_device: bool) -> bool:
    """Return whether an answer on the server came from another device."""
    given = known.given.get(item.question_id, [])
    replaced = known.opened.get(item.question_id)
    if replaced is not None and not other_device:
        given = [*given, replaced]
    # If the answer here came from another device too, there is no answer of ours to send again.
    unknown = not (among(theirs, given) and among(item.answer, given))
    return unknown and (theirs.given or theirs.marked or (other_device and theirs.visited))


def _cleared_here(item: Item, theirs: Answer) -> bool:
    """Return whether the server does not know any more that the answer was cleared. Both look alike."""
    return bool(item.latest) and is_unseen_there(item.answer, theirs)
