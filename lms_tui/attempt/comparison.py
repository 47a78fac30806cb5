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
    """The answers that this program knows, by question.

    - `given`: every answer that was given on this computer.
    - `there`: the answer that the server held at the last comparison.
    - `opened`: the answer that the server held when the attempt was opened.
    - `acknowledged`: the highest number of a change that the server has acknowledged.
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

    "Ours" is the answer here. `other_device`: another device has worked on this attempt. `final`: this is the last
    comparison, before the end. `restored`: the server went back to a backup.

    - The server shows the question as never opened, so it has lost ours. Ours is sent again.
    - The server holds an answer that was never given here, so another device gave it. It replaces ours. If ours is not
      sent yet, the screen shows both.
    - The server holds an answer that was given here earlier, because a delayed request arrived. Ours is sent again.
      With another device, ours is sent again only at the end, because that device may have chosen the same answer.
    - The server holds the answer that ours had replaced, so it was put back to an older state. Without another device,
      ours is sent again.
    - The server was `restored`, so its answers are older than those it acknowledged. Ours is sent again. The server
      knows when each answer was chosen, and keeps a newer one of another device. An answer that was cleared here is
      sent again too. Otherwise an older answer of another device would count.
    - The server holds an empty answer. Another device has cleared it, or there is none and ours is sent again.
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
    """Return whether an answer was cleared here and the server may have lost that. Both look alike on the server."""
    return bool(item.latest) and is_unseen_there(item.answer, theirs)
