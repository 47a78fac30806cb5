"""The journal as the keeper uses it. A failure of the journal becomes an event and stops nothing."""

import contextlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.attempt import mapping
from lms_tui.attempt.acknowledgements import Acknowledgements, acknowledged_in
from lms_tui.attempt.choice_times import ChoiceTimes
from lms_tui.attempt.comparison import Known
from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.desk import Desk
from lms_tui.attempt.events import Foreign, Recorded, RecordFailed
from lms_tui.attempt.journal.receipt import ACKNOWLEDGEMENT, EPOCH, LOGIN, OVER, UNSIGNED, note_paper, receipt_of
from lms_tui.attempt.journal.undelivered import says_something, undelivered
from lms_tui.attempt.kept_exam import facts_of, names_of, time_facts
from lms_tui.attempt.ports import (
    Clock,
    Entry,
    FileStore,
    Journal,
    JournalError,
    JournalLostError,
    JournalRecord,
    Kept,
    Reply,
)
from lms_tui.attempt.session import Session, apply, changes
from lms_tui.attempt.signing import AcknowledgingService, asked
from lms_tui.attempt.taken_over import TakenOver, answered_here, taken_answers
from lms_tui.attempt.values import Answer, Item
from lms_tui.attempt.visits import VisitLog
from lms_tui.wire.attempts import Attempt, AttemptQuestion
from lms_tui.wire.errors import ApiError

ROOM: Final = 1_000
"""Numbers that each start leaves free. If the journal could not be written, it does not know which were sent."""


OTHER_DEVICE: Final = "company"
"""The name of the fact that another device was noticed."""


class JournalSession:
    """The journal of one run of an attempt.

    `there` has the answers that the server held when the attempt was opened, by question. `first` is the number of the
    first change in this run.
    """

    def __init__(self, journal: Journal, clock: Clock, there: Mapping[int, Answer], *, first: int = 0) -> None:
        self._journal = journal
        self._clock = clock
        self.desk = Desk(journal)
        self.times = ChoiceTimes(journal, clock, first)
        self.visits = VisitLog(journal, clock, first)
        self.known = Known(there=dict(there), opened=dict(there))
        self._acknowledgements = Acknowledgements(journal, self.known)
        self._taken = TakenOver(journal)
        self._found: list[Entry] = []
        """Answers that the server held at the opening, and which are not recorded yet."""
        self._refused: list[Entry] = []
        """Changes that the journal could not take, in their order. The server may hold each of them."""
        self._unkept: Mapping[str, str] = {}
        """The content of the exam that is not kept yet."""
        self._placed: Session | None = None
        """The session whose place was kept last."""

    # When the attempt is opened.

    def restore(self, session: Session) -> Session:
        """Record the answers of the server in the journal, and return to the question that was on the screen."""
        for kept in self._journal.history():
            if kept.entry.sequence:
                self.known.gave(kept.entry.question_id, kept.entry.answer)
                self.times.note_earlier(kept.entry)
        self._found = self._entries(item for item in session.items if item.latest == 0 and item.answer.visited)
        newest = self._journal.newest()
        session = self._with_answers_of_server(session, newest)
        unsent = {item.question_id for item in session.items if item.unsent}
        self.known.acknowledged = {
            question: sequence for question, sequence in acknowledged_in(newest).items() if question not in unsent
        }
        struck = _struck(self._journal.recall("struck"))
        items = tuple(replace(item, struck=struck.get(item.question_id, frozenset())) for item in session.items)
        return replace(session, items=items, current=session.places.get(self._last_place()) or 0)

    def _with_answers_of_server(self, session: Session, newest: Mapping[int, Kept]) -> Session:
        """Record what the server was found to hold, and what stands in place of our `newest` answers."""
        for item in session.items:
            if item.latest and not newest[item.question_id].entry.answer.same_as(item.answer):
                self._taken.add(item, item.answer)
            else:
                self._taken.drop(item)
        waiting = {entry.question_id for entry in self._found} | set(self._taken.unwritten)
        try:
            self._write_waiting()
        except JournalError as error:
            unsaved = tuple(replace(i, here=-1) if i.question_id in waiting else i for i in session.items)
            session = apply(replace(session, items=unsaved), RecordFailed(str(error)))
        return session

    def _last_place(self) -> int:
        """Return the question on the screen, which is noted once a second, or a question that was changed later."""
        question, _, sequence = self._journal.recall("current").partition("@")
        changed = max(self._journal.newest().values(), key=lambda kept: kept.entry.sequence, default=None)
        if changed is not None and changed.entry.sequence > _number(sequence):
            return changed.entry.question_id
        return _number(question)

    @property
    def files(self) -> FileStore:
        """The content of the files in answers."""
        return self._journal.files

    @property
    def writer(self) -> str:
        return self._journal.writer

    @property
    def acknowledged(self) -> int:
        """The sum of the highest numbers that the server has acknowledged, over all questions."""
        return sum(self.known.acknowledged.values())

    @property
    def other_device(self) -> bool:
        """Whether another device was ever noticed."""
        return bool(self._journal.recall(OTHER_DEVICE))

    # While it runs.

    def stamp(self, item: Item) -> str:
        """Return the name of this change. It is unique among all writers of the attempt."""
        return f"{self._journal.writer}:{item.latest}"

    def record(self, before: Session, after: Session) -> Session:
        """Record the changes, and the earlier ones that could not be written. The session shows which are durable."""
        self.visits.note(after)
        entries = self._entries(changes(before, after))
        for entry in entries:
            self.known.gave(entry.question_id, entry.answer)
            self.times.note(entry.question_id, entry.sequence, entry.boot)
        if not entries and not before.journal_trouble:
            return after
        if before.journal_trouble:
            entries = self._pending(after)
        return self._recorded(after, entries)

    def check(self, session: Session) -> Session:
        """Check that the journal exists, and record what could not be recorded before.

        Call it once a second, because room on a disk may return without a new answer.
        """
        try:
            note = self._journal.check()
        except JournalError as error:
            return _failed(session, error)
        self.times.write()
        if session.journal_trouble:
            session = self._recorded(session, self._pending(session), note)
        elif note:
            session = apply(session, Recorded(session.sequence, note))
        self._acknowledgements.write()
        self.desk.write()
        self.visits.note(session)
        self.visits.write()
        self._keep_content()
        return session

    def _pending(self, session: Session) -> list[Entry]:
        """The changes that the journal does not hold. Without the older ones, another device could have made them."""
        held = {question: kept.entry.sequence for question, kept in self._journal.newest().items()}
        newest = self._entries(item for item in session.items if item.latest > held.get(item.question_id, 0))
        missing = {(entry.question_id, entry.sequence): entry for entry in (*self._refused, *newest)}
        return [entry for entry in missing.values() if entry.sequence != held.get(entry.question_id)]

    def _recorded(self, session: Session, entries: list[Entry], note: str = "") -> Session:
        try:
            self._refused = entries
            self._journal.record(*entries, visits=self.visits.waiting)
            self._refused = []
            self.visits.written()
            self._write_waiting()
        except JournalError as error:
            return _failed(session, error)
        return apply(session, Recorded(session.sequence, note))

    def _write_waiting(self) -> None:
        """Write the answers of the server that the journal does not hold yet. Raise JournalError."""
        if self._found:
            self._journal.record(*self._found)
            for entry in self._found:
                self._journal.settle(entry.question_id, 0)
            self._found = []
        self._taken.write()

    def _entries(self, items: Iterable[Item]) -> list[Entry]:
        """Return entries for the journal. A change that could not be written before keeps its first time."""
        now, wall = self._clock.boot(), self._clock.wall()
        entries = []
        for item in items:
            made = self.times.made_at(item)
            boot = now if made is None else made
            entries.append(Entry(item.latest, item.question_id, item.ours, boot, wall - (now - boot)))
        return entries

    def settle(self, item: Item, *, refused: str = "") -> None:
        """Record that the server has acknowledged or refused the newest change of a question."""
        self._acknowledgements.settle(*self._entries([item]), refused=refused)

    def settle_found(self, session: Session) -> None:
        """Record that the server has acknowledged what it was found to hold when the attempt was opened."""
        held = (item for item in session.items if item.latest > 0 and not item.unsent and not item.refused)
        self._acknowledgements.found({item.question_id: item.latest for item in held})

    def take_over(self, session: Session, event: Foreign) -> Session:
        """Record an answer of the server that replaces ours, and return the session with it."""
        item = session.find(event.question_id)
        if item is None:
            return session
        self.known.there[event.question_id] = event.answer
        if not item.latest:  # it was chosen on another device before now, and gives way to what is chosen there later
            self.times.note(event.question_id, 0, self._clock.boot())
        self._taken.add(item, event.answer)
        try:
            self._taken.write()
        except JournalError as error:
            return _failed(apply(session, replace(event, saved=False)), error)
        return apply(session, event)

    def unsettle(self, questions: Collection[int]) -> None:
        """Record that the newest changes of these questions are not on the server any more."""
        self._acknowledgements.take_back(questions)

    def laid_over(self, items: Sequence[Item]) -> tuple[Item, ...]:
        return laid_over(items, self._journal)

    def missing_elsewhere(self, session: Session) -> int:
        """Return how many answers to questions outside the session the server does not have."""
        return sum(kept.entry.question_id not in session.places for kept in undelivered(self._journal.history()))

    def lost_elsewhere(self, session: Session, questions: Iterable[AttemptQuestion]) -> set[int]:
        """Return the questions outside the session whose acknowledged answers the server has lost.

        Their sections ended before the program was started again. Any answer of the server may be the choice of another
        device that is known.
        """
        newest, lost = self._journal.newest(), set()
        for question in questions:
            kept = newest.get(question.id)
            if kept is None or not kept.acknowledged or question.id in session.places:
                continue
            theirs, ours = mapping.answer_of(question), kept.entry.answer
            answered = any(map(says_something, self.known.given.get(question.id, ())))  # it may be cleared now
            lost_there = theirs.never_opened or not self.other_device
            if lost_there and answered and not theirs.same_as(ours):
                lost.add(question.id)
        return lost

    def keep_place(self, session: Session) -> None:
        """Keep the question on the screen and the options struck out. Call it once a second."""
        last = self._placed
        if last is not None and last.items is session.items and last.current == session.current:
            return
        place = f"{session.item.question_id}@{session.sequence}" if session.items else ""
        struck = json.dumps({i.question_id: sorted(i.struck) for i in session.items if i.struck})
        with contextlib.suppress(JournalError):  # only the place on the screen is lost
            for name, value in (("current", place), ("struck", struck)):
                if self._journal.recall(name) != value:
                    self._journal.remember({name: value})
            self._placed = session

    def note_epoch(self, epoch: str) -> None:
        """Note the epoch of the server with which all answers were compared."""
        with contextlib.suppress(JournalError):  # the answers would be compared once more
            if self._journal.recall(EPOCH) != epoch:
                self._journal.remember({EPOCH: epoch})

    def note_other_device(self) -> None:
        with contextlib.suppress(JournalError):  # it will be noticed again
            self._journal.remember({OTHER_DEVICE: "yes"})

    def note_reply(self, told: Mapping[str, str]) -> None:
        with contextlib.suppress(JournalError):  # the receipt would be bound to an older reply
            self._journal.note_reply(Reply(self._clock.boot(), told))

    def keep_exam(self, attempt: Attempt, questions: Sequence[AttemptQuestion], items: Sequence[Item]) -> None:
        """Keep the exam, so it can be resumed without the server, and what the receipt names."""
        with contextlib.suppress(JournalError):  # the receipt would name questions and options by their ids
            note_paper(self._journal, items)
        facts = {LOGIN: mapping.login_of(attempt), OVER: "", ACKNOWLEDGEMENT: "", UNSIGNED: ""}
        # A text with half a surrogate pair cannot be written. Such an exam needs its server to resume.
        with contextlib.suppress(ValueError):
            facts |= facts_of(attempt, questions, items)
        self._unkept = {name: value for name, value in facts.items() if self._journal.recall(name) != value}
        self._keep_content()

    def _keep_content(self) -> None:
        if self._unkept:
            with contextlib.suppress(JournalError):  # until then the exam can only be resumed with its server
                self._journal.remember(self._unkept)
                self._unkept = {}

    def keep_time(self, deadline: Deadline) -> None:
        with contextlib.suppress(JournalError):  # an older reading is valid too
            self._journal.remember(time_facts(deadline, self._clock))

    # At its end.

    async def sign(self, service: AcknowledgingService, attempt_id: int, signed: str) -> None:
        """Keep the signature in the reply to the end for the receipt. Without one, ask for it once."""
        try:
            facts = {ACKNOWLEDGEMENT: signed} if signed else await asked(service, self._journal, attempt_id)
        except ApiError:  # the list of exams asks again
            return
        with contextlib.suppress(JournalError):  # the receipt would have no signature
            self._journal.remember(facts)

    def finish(self, session: Session) -> None:
        """Mark the journal as finished, unless answers of ended sections are missing on the server."""
        if not session.missing_in_ended:
            with contextlib.suppress(JournalError):  # it is only offered as unfinished again
                self._journal.finish()
        self.forget_exam(session)

    def forget_exam(self, session: Session) -> None:
        """Settle what the server was found to hold, and remove the questions. See `forget_exam` below.

        A kill may have cost the note of an acknowledgement. The receipt would list the answer as not delivered.
        """
        self.settle_found(session)
        self._unkept = {}
        forget_exam(self._journal)

    def receipt(self) -> str:
        return receipt_of(self._journal, self._clock.wall())

    def keep_receipt(self) -> None:
        with contextlib.suppress(JournalError):  # it can be made again from the journal at any time
            self._journal.keep_receipt(self.receipt())

    def close(self) -> None:
        self.visits.leave()
        self.visits.write()
        self._journal.close()


def _failed(session: Session, error: JournalError) -> Session:
    reason = f"{error} {error.advice}"
    return apply(session, RecordFailed(reason, lost=isinstance(error, JournalLostError)))


def laid_over(items: Sequence[Item], journal: JournalRecord, *, restored: bool = False) -> tuple[Item, ...]:
    """Return the items of the server under the answers of the journal. See `mapping.merged`."""
    known = Known()
    for kept in journal.history():
        known.gave(kept.entry.question_id, kept.entry.answer)
    taken = {question: each.answer for question, each in taken_answers(journal).items()}
    other_device = bool(journal.recall(OTHER_DEVICE))
    newest, answered = journal.newest(), answered_here(journal)
    return mapping.merged(items, newest, known.given, taken, answered, restored=restored, other_device=other_device)


def forget_exam(journal: Journal) -> None:
    """Remove the questions of an attempt that is over, and files that were sent, from this computer. Answers stay."""
    with contextlib.suppress(JournalError):  # the questions stay until the journal is removed
        journal.forget(names_of(journal))
        journal.remember({OVER: "yes"})
    if not undelivered(journal.history()):
        journal.files.clear()


def first_change(journal: Journal, clock: Clock) -> int:
    """Return the first number for the changes of this run. No earlier run can have sent a number as high.

    It is at least the time in milliseconds, because a full disk keeps no number of an earlier run.
    """
    noted = max(journal.last_sequence(), _number(journal.recall("numbers"))) + ROOM
    first = max(noted, round(clock.wall() * 1000))
    with contextlib.suppress(JournalError):
        journal.remember({"numbers": str(first)})
    return first


def _number(text: str) -> int:
    return int(text) if text.isdigit() else -1


def _struck(text: str) -> dict[int, frozenset[int]]:
    if not text:
        return {}
    return {int(question): frozenset(options) for question, options in json.loads(text).items()}
