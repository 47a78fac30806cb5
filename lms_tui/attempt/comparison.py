"""Compare the answers on the server with those here (pure)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from lms_tui.attempt.events import Differs, Event, Foreign
from lms_tui.attempt.mapping import among, answer_of, may_be_older
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
    sent_often: bool = False,
    timed: Collection[int] | None = None,
) -> list[Event]:
    """Return an event for each question whose answer on the server differs from the answer here.

    "Ours" is the answer here. `other_device`: another device has worked on this attempt. `final`: this is the last
    comparison, before the end. `restored`: the server went back to a backup. `sent_often`: the differing answers were
    sent again several times. `timed`: the questions whose choice has a time here, or None if the server does not know
    times. A server that knows times keeps the newest choice.

    - The server shows the question as never opened, so it has lost ours. Ours is sent again.
    - The server holds an answer that was never given here, so another device gave it. It replaces ours. If ours is not
      sent yet, the screen shows both. A server that knows times decides, because a restored one may hold an older
      answer: ours is sent again, and the screen shows both.
    - The server holds an answer that was given here earlier, because a delayed request arrived. Ours is sent again.
      Another device may have chosen that answer too. If there is one, and the server does not know times, ours waits
      for the end. Ours does not wait where the server holds no answer.
    - The server holds the answer that ours had replaced, so it was put back to an older state. Without another device,
      ours is sent again.
    - The server was `restored`, so its answers are older than those it acknowledged. Ours is sent again. The server
      knows when each answer was chosen, and keeps a newer one of another device. An answer that was cleared here, or
      given twice, is sent again too. Otherwise an older answer of another device would count. After several
      times, an answer that the server shows is not sent again.
    - The server holds an empty answer. Another device has cleared it, or there is none and ours is sent again.
    """
    found = ((session.find(question.id), answer_of(question)) for question in questions)
    return [
        event
        for item, theirs in found
        if item is not None and not item.refused
        for event in _events_of(
            item,
            theirs,
            known,
            other_device=other_device,
            final=final,
            restored=restored,
            sent_often=sent_often,
            timed=timed,
        )
    ]


def _events_of(
    item: Item,
    theirs: Answer,
    known: Known,
    *,
    other_device: bool,
    final: bool,
    restored: bool,
    sent_often: bool,
    timed: Collection[int] | None,
) -> list[Event]:
    if theirs.same_as(item.answer):
        given = known.given.get(item.question_id, [])
        may_lack_ours = restored and not sent_often and item.latest
        if not (may_lack_ours and may_be_older(item.answer, theirs, given)):
            return []
    send_again, ours_waits = Differs(item.question_id), item.unsent and not item.visit_only
    if restored and not item.visit_only and (item.latest or item.counted):
        return [] if ours_waits else [send_again]
    if _is_foreign(item, theirs, known, other_device=other_device):
        return _foreign_events(item, theirs, known, final=final, timed=timed)
    may_be_chosen_there = other_device and timed is None and (theirs.given or theirs.marked)
    return [send_again] if final or not (item.unsent or may_be_chosen_there) else []


def _foreign_events(
    item: Item, theirs: Answer, known: Known, *, final: bool, timed: Collection[int] | None
) -> list[Event]:
    """Return what follows from an answer that another device gave."""
    ours_waits, ours_stands = item.unsent and not item.visit_only, item.latest and not item.theirs
    send_again, shown = Differs(item.question_id), Foreign(item.question_id, theirs, taken=False)
    if not ours_waits:
        # Without a time, ours would count as the newest.
        has_time = timed is not None and item.question_id in timed
        server_decides = has_time and ours_stands and not item.visit_only
        return [shown, send_again] if server_decides else [Foreign(item.question_id, theirs, taken=True)]
    if final:
        return [send_again]
    return [] if theirs.same_as(known.there.get(item.question_id, Answer())) else [shown]


def _is_foreign(item: Item, theirs: Answer, known: Known, *, other_device: bool) -> bool:
    """Return whether an answer on the server came from another device."""
    given = known.given.get(item.question_id, [])
    replaced = known.opened.get(item.question_id)
    if replaced is not None and not other_device:
        given = [*given, replaced]
    # If the answer here came from another device too, there is no answer of ours to send again.
    unknown = not (among(theirs, given) and among(item.answer, given))
    return unknown and (theirs.given or theirs.marked or (other_device and theirs.visited))
