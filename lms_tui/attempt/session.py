"""The attempt as one frozen value, and the events that change it: `apply(session, event) -> session`.

This module is pure. It uses no clock, disk, network or random numbers.

Changes are numbered in the whole session. An item has three such numbers. `latest` is its newest change. `here` is the
newest that is durable on this computer. `there` is the newest that the server has acknowledged. Number 0 stands for the
state when the attempt was opened.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType

from lms_tui.attempt.answering import edited, foreign, undone, visited, with_item
from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.events import (
    Acknowledged,
    Attached,
    Chose,
    ChoseOther,
    Cleared,
    ClosedElsewhere,
    Differs,
    EndAsked,
    Event,
    Finished,
    Foreign,
    Heard,
    InstituteTold,
    Marked,
    NotAccepted,
    NotHeard,
    Recorded,
    RecordFailed,
    Retried,
    SectionBegan,
    ServerForgot,
    SignInExpired,
    Struck,
    TimeRanOut,
    TimeTold,
    Toggled,
    Undone,
    UserEvent,
    Visited,
    Wrote,
)
from lms_tui.attempt.sections import began, time_over, with_more_time, with_sections
from lms_tui.attempt.values import Answer, Contact, Goal, Item, Phase, Section
from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState

TOLD_FOR = 300.0
"""Seconds for which the words of the institute are shown."""


@frozen
class Session:
    attempt_id: int
    title: str
    items: tuple[Item, ...]
    sections: tuple[Section, ...] = ()
    phase: Phase = Phase.RUNNING
    goal: Goal = Goal.ATTEMPT
    deadline: Deadline = field(default_factory=Deadline)
    contact: Contact = field(default_factory=Contact)
    current: int = 0
    """Place in `items` of the question on the screen."""
    sequence: int = 0
    journal_trouble: str = ""
    """The reason why answers are not saved on this computer, or ""."""
    journal_note: str = ""
    """A sentence about a repair of the journal. The next saved change makes it ""."""
    lost_there: int = 0
    """How many answers the server was found to have lost. The next change of an answer makes it 0."""
    missing_in_ended: int = 0
    """How many answers of ended sections, which are not in `items`, the server does not have."""
    reason: str = ""
    """Why the attempt is CLOSED, in words."""
    told: tuple[InstituteTold, ...] = ()
    """The notices of the institute of the last TOLD_FOR seconds, the oldest first."""
    read_only: str = ""
    """The reason why nothing can be changed, or ""."""
    preemptive: bool = True
    """Whether a section can be ended before its time is over."""
    undo: tuple[tuple[int, Answer], ...] = ()
    total: int = 0
    """Questions of the attempt, with those of sections that are not open, 0 if unknown."""
    ended: tuple[Item, ...] = ()
    """Questions of ended sections that are not in `items`, as the journal had them when the attempt was opened."""
    places: Mapping[int, int] = field(default_factory=dict, compare=False, repr=False)
    """Question id to place in `items`."""

    def __post_init__(self) -> None:
        if len(self.places) != len(self.items):
            places = {item.question_id: place for place, item in enumerate(self.items)}
            object.__setattr__(self, "places", MappingProxyType(places))

    # Queries of the screens.

    @property
    def item(self) -> Item:
        return self.items[self.current]

    @property
    def size(self) -> int:
        """The number of questions, with those of sections that are not open."""
        return max(self.total, self.last_number)

    @property
    def known(self) -> tuple[Item, ...]:
        """Every question of which something is known, in order."""
        return (*self.ended, *self.items) if self.ended else self.items

    @property
    def first_number(self) -> int:
        """The number of the first question in `items`."""
        return self.items[0].number if self.items else 1

    @property
    def last_number(self) -> int:
        """The number of the last question that is known."""
        last = (self.items or self.ended)[-1:]
        return last[0].number if last else 0

    @property
    def unknown(self) -> int:
        """The number of questions of ended sections of which nothing is known here."""
        return self.first_number - 1 - len(self.ended)

    @property
    def editable(self) -> bool:
        return self.phase is Phase.RUNNING and not self.read_only

    @property
    def ending(self) -> bool:
        """Whether the attempt or a section ends. No answer can be changed, and queued ones are sent first."""
        return self.phase in {Phase.TIME_OVER, Phase.ENDING}

    @property
    def over(self) -> bool:
        return self.phase in {Phase.ENDED, Phase.CLOSED}

    @property
    def locked(self) -> bool:
        """Whether the sections run one after another. They do if there are several and all have a duration."""
        return len(self.sections) > 1 and all(section.timed for section in self.sections)

    @property
    def all_open(self) -> bool:
        """Whether there are several sections, and all are open until the end of the exam."""
        return len(self.sections) > 1 and not self.locked

    @property
    def running_section(self) -> int | None:
        """The place of the running section in a locked exam, or None."""
        if not self.locked:
            return None
        return next((n for n, section in enumerate(self.sections) if section.state is AttemptState.RUNNING), None)

    @property
    def more_sections(self) -> bool:
        """Whether sections follow whose questions have not been read. The server may have begun the next one."""
        return self.locked and any(
            section.state is AttemptState.NOT_STARTED
            or (section.state is AttemptState.RUNNING and not self.was_read(place))
            for place, section in enumerate(self.sections)
        )

    def was_read(self, section: int | None) -> bool:
        """Return whether the questions of the section have been read."""
        return any(item.section == section for item in self.items)

    def find(self, question_id: int) -> Item | None:
        place = self.places.get(question_id)
        return None if place is None else self.items[place]

    def place_of(self, number: int) -> int | None:
        """Return the place in `items` of the question of this number."""
        return next((place for place, item in enumerate(self.items) if item.number == number), None)

    def open_to_change(self, item: Item) -> bool:
        """Return whether the answer may be changed in this phase and section."""
        return self.editable and (not self.locked or item.section == self.running_section)

    def count(self, test: Callable[[Item], bool]) -> int:
        return sum(1 for item in self.known if test(item))

    @property
    def answered(self) -> int:
        return self.count(lambda item: item.answer.given)

    @property
    def marked(self) -> int:
        return self.count(lambda item: item.answer.marked)

    @property
    def saved_here(self) -> int:
        return self.count(lambda item: item.counted and item.here >= item.latest)

    @property
    def saved_there(self) -> int:
        return self.count(lambda item: item.counted and item.there >= item.latest)

    @property
    def unsent(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.unsent)

    @property
    def refused(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.refused)

    @property
    def conflicts(self) -> tuple[Item, ...]:
        """Questions with a second answer from another device. `Item.theirs` tells which one counts."""
        return tuple(item for item in self.items if item.other_answer is not None)

    def next_where(self, test: Callable[[Item], bool], *, backwards: bool = False) -> int | None:
        """Return the place of the next (previous) item that passes, also beyond the end, or None."""
        size = len(self.items)
        steps = range(1, size + 1)
        places = ((self.current - step if backwards else self.current + step) % size for step in steps)
        return next((place for place in places if test(self.items[place])), None)

    def next_unanswered(self, *, backwards: bool = False) -> int | None:
        """Return the place of the next question without an answer, in the running section of a locked exam."""
        running = self.running_section
        return self.next_where(
            lambda item: not item.answer.given and running in {None, item.section}, backwards=backwards
        )

    def heard_at(self, moment: float) -> Contact:
        """Return the contact after a good reply at this boot-clock time."""
        return Contact(since=max(moment, self.contact.since))

    def next_marked(self, *, backwards: bool = False) -> int | None:
        return self.next_where(lambda item: item.answer.marked, backwards=backwards)


def _settled(session: Session, event: Acknowledged | NotAccepted | Differs | Foreign) -> Session:
    item = session.find(event.question_id)
    if item is None:
        return session
    match event:
        case Acknowledged(sequence=sequence, at=at):
            refused = "" if sequence >= item.latest else item.refused
            settled = replace(item, there=max(item.there, sequence), refused=refused)
            return with_item(session, settled, contact=session.heard_at(at))
        case NotAccepted(sequence=sequence, reason=reason):
            return with_item(session, replace(item, refused=reason)) if sequence >= item.latest else session
        case Differs():
            return with_item(session, replace(item, there=-1, refused=""))
        case Foreign():
            return foreign(session, item, event)


def _recorded(session: Session, event: Recorded) -> Session:
    sequence = event.sequence
    newest_alone = session.sequence == sequence and not session.journal_trouble
    if newest_alone and session.item.latest == sequence and session.item.here < sequence:
        settled: Iterable[Item] = (session.item,)
    else:
        settled = (item for item in session.items if item.here < item.latest <= sequence)
    for item in tuple(settled):
        session = with_item(session, replace(item, here=item.latest))
    if not session.journal_trouble and session.journal_note == event.note:
        return session
    return replace(session, journal_trouble="", journal_note=event.note)


def _record_failed(session: Session, event: RecordFailed) -> Session:
    """Where the journal is gone, no answer counts as saved."""
    items = tuple(replace(item, here=-1) for item in session.items) if event.lost else session.items
    failed = replace(session, items=items, journal_trouble=event.reason)
    return session if failed == session else failed


def _user_event(session: Session, event: UserEvent) -> Session:
    match event:
        case Visited():
            return visited(session, event)
        case Undone():
            return undone(session)
        case EndAsked(goal=goal):
            if not session.editable or (goal is Goal.SECTION and not session.locked):
                return session
            return replace(session, phase=Phase.ENDING, goal=goal)
        case Chose() | Toggled() | Cleared() | Marked() | Struck() | Wrote() | Attached() | ChoseOther():
            item = session.find(event.question_id)
            if item is None or not session.open_to_change(item):
                return session
            return edited(session, item, event)


def _heard(session: Session, at: float) -> Session:
    return replace(session, contact=session.heard_at(at))


def _contact_event(session: Session, event: Heard | NotHeard | ServerForgot | SignInExpired | Retried) -> Session:
    match event:
        case Heard(at=at, sections=sections):
            return with_sections(_heard(session, at), sections)
        case NotHeard(reason=reason) if reason == session.contact.trouble:
            return session
        case NotHeard(reason=reason):
            return replace(session, contact=replace(session.contact, trouble=reason))
        case ServerForgot(answers=answers, in_ended=in_ended):
            return replace(session, lost_there=session.lost_there + answers, missing_in_ended=in_ended)
        case SignInExpired():
            return replace(session, contact=replace(session.contact, sign_in_needed=True))
        case Retried():
            return replace(session, contact=replace(session.contact, sign_in_needed=False))


def _course_event(session: Session, event: TimeTold | TimeRanOut | SectionBegan | InstituteTold) -> Session:
    match event:
        case TimeTold(reading=reading, sections=sections):
            contact, deadline = session.heard_at(reading.received_at), session.deadline.adopt(reading)
            told = tuple(one for one in session.told if reading.received_at - one.at < TOLD_FOR)
            session = replace(session, contact=contact, deadline=deadline, told=told)
            return with_more_time(with_sections(session, sections), reading.received_at)
        case InstituteTold(text=text):
            return replace(session, told=(*(one for one in session.told if one.text != text), event))
        case TimeRanOut():
            return time_over(session)
        case SectionBegan():
            return began(session, event)


def _after_the_end(session: Session, event: Event) -> Session:
    """An ended attempt can still be viewed, and late replies still acknowledge what was sent."""
    match event:
        case Visited(question_id=question_id):
            return replace(session, current=session.places.get(question_id, session.current))
        case Acknowledged() | NotAccepted():
            return _settled(session, event)
        case Recorded():
            return _recorded(session, event)
        case _:
            return session


def apply(session: Session, event: Event) -> Session:  # noqa: PLR0911 - one line an event, read as a table
    """Return the session after the event. It is the same session if the event has no effect in this phase."""
    if session.over:
        return _after_the_end(session, event)
    match event:
        case (
            Visited()
            | Chose()
            | Toggled()
            | Cleared()
            | Marked()
            | Struck()
            | Wrote()
            | Attached()
            | ChoseOther()
            | Undone()
            | EndAsked()
        ):
            return _user_event(session, event)
        case Recorded():
            return _recorded(session, event)
        case RecordFailed():
            return _record_failed(session, event)
        case Acknowledged() | NotAccepted() | Differs() | Foreign():
            return _settled(session, event)
        case Heard() | NotHeard() | ServerForgot() | SignInExpired() | Retried():
            return _contact_event(session, event)
        case TimeTold() | TimeRanOut() | SectionBegan() | InstituteTold():
            return _course_event(session, event)
        case Finished():
            return replace(session, phase=Phase.ENDED)
        case ClosedElsewhere(reason=reason):
            return replace(session, phase=Phase.CLOSED, reason=reason)


def changes(before: Session, after: Session) -> Iterator[Item]:
    """Yield the items whose answer got a new number between two snapshots, for the journal."""
    if after.sequence == before.sequence:
        return
    for item in after.items:
        if item.latest > before.sequence:
            yield item
