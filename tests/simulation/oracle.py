"""What must hold at every step of an exam, by what the student did and what was shown; apart from the engine.

The engine's own words are read as claims: this is saved, this is sent, this is on the screen. Each claim is compared
with the student's own notes, with a journal that is opened again, and with the replies that arrived.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from tests.simulation.content import NOTHING, Content, as_shown
from tests.simulation.network import Line

LONGEST_REST = 15.0
"""Seconds after which a sender that has work asks again, where the server has not asked it to wait."""
LONGEST_KEPT_WAIT = 120.0 * 1.1
"""Seconds of a wait that a server asks for that are kept."""
GRACE = 10.0
"""Seconds after the end of the time in which a server may still take answers."""
REST_IN_GRACE = 3.5
"""Seconds between two tries in the grace: one to two, and the tick that looks."""
TWO_HEARTBEATS = 2 * 60.0 + 10.0
"""Seconds after which no forgotten answer counts as sent, where the server tells that it forgot and nothing fails."""
LONGEST_UNTRUE = 30 * 60.0
"""Seconds after which an answer that a server has forgotten no longer counts as sent: two rounds of comparing."""
PAUSE = 0.45
"""Seconds after the last key of a text after which it is kept, with a little for the timer."""
WITHOUT_PAUSE = 7.5
"""Seconds after which a text is kept though its writer does not pause; the second hand is slow in the simulation."""


@dataclass
class Notes:
    """What the student did, and what was shown, by question.

    `expected`: what the screen must show. `possible`: what a disk may hold, and so the server: what was last shown as
    saved, and everything that was put down after it. `shown`: what was last shown as saved, and when it was put down.
    """

    expected: dict[int, Content] = field(default_factory=dict)
    possible: dict[int, list[Content]] = field(default_factory=dict)
    shown: dict[int, tuple[float, Content]] = field(default_factory=dict)
    ever: dict[int, set[Content]] = field(default_factory=dict)
    touched: dict[int, float] = field(default_factory=dict)
    moments: dict[tuple[int, Content], float] = field(default_factory=dict)
    """When each answer was put down last. A crash may bring back an earlier one than the one put down last."""
    foreign: dict[int, set[Content]] = field(default_factory=dict)
    """What the other device ever put down."""
    unsaved: dict[int, set[Content]] = field(default_factory=dict)
    """What was put down and never shown as saved before a crash. It may have been sent, and may arrive later."""
    kept: set[int] = field(default_factory=set)
    """Questions of which an answer was ever shown as saved."""
    undo: list[tuple[int, Content]] = field(default_factory=list)
    """What undo brings back, the newest last: question, and what it showed before."""
    answers: int = 0

    def put_down(self, number: int, content: Content, now: float) -> None:
        """The student put this down; whether it is saved is not known yet."""
        before = self.expected.get(number, NOTHING)
        self.expected[number] = content
        self.possible.setdefault(number, [before]).append(content)
        self.ever.setdefault(number, set()).add(content)
        self.touched[number] = self.moments[number, content] = now

    def chosen_only_elsewhere(self, item: Item, shown: Content) -> bool:
        """Whether the other device put this down, and it was not put down here last."""
        number, never = item.question_id, float("-inf")
        ours = self.moments.get((number, shown), never) >= self.touched.get(number, 0.0)
        return shown in self.foreign.get(number, ()) and not ours


@dataclass
class Oracle:
    """`held`: what a journal that is opened again now would hold of questions. `broken`: claims that were not true."""

    notes: Notes
    line: Line
    held: Callable[[Collection[int]], Mapping[int, Content]]
    alone: bool = True
    broken: list[str] = field(default_factory=list)
    session: Session | None = None
    untold: bool = False
    """The server was restored and does not tell it, and the program knows of another device."""
    typed: tuple[float, float] | None = None
    """When the first and the last key were pressed of a text that is not kept yet."""
    awake_since: float = 0.0
    over_since: float | None = None
    """When the time was over, by what the screen shows."""
    _damaged: bool = False
    """Rows of the journal were lost, and the person was told."""
    _counted: Session | None = None
    _untrue_since: float | None = None
    _work: bool = False
    _untouched: dict[int, float] = field(default_factory=dict)
    """When each question was last answered before the exam came on the screen."""
    _not_opened: set[int] = field(default_factory=set)
    """Questions of sections that did not run when the exam came on the screen."""
    _read: dict[int, tuple[object, Content]] = field(default_factory=dict)
    """The answer of each question that was read last, and what it shows."""

    def breaks(self, promise: str) -> None:
        if promise not in self.broken:
            self.broken.append(promise)

    def _shown(self, item: Item) -> Content:
        """What a question shows. The very same answer is read once: it is a frozen value."""
        answer, shown = self._read.get(item.question_id, (None, NOTHING))
        if answer is not item.answer:
            shown = as_shown(item.answer)
            self._read[item.question_id] = item.answer, shown
        return shown

    # What is shown.

    def opens(self, session: Session, *, told: str, noticed: bool) -> None:
        """The exam came on the screen, after a crash or for the first time.

        `told`: what was said to be damaged. `noticed`: the program knows of another device.
        """
        self._damaged = self._damaged or bool(told)
        for item in session.items:
            number, shown = item.question_id, self._shown(item)
            self.notes.unsaved.setdefault(number, set()).update(self.notes.possible.get(number, [NOTHING])[1:])
            possible = self.notes.possible.get(number, [NOTHING])
            back = (item.theirs or number not in self.notes.kept) and shown in self.notes.unsaved[number]
            back = back or self._brought_late(number, shown, noticed=noticed)
            # A row that was lost earlier may have held it.
            of_server = item.theirs or not item.latest or possible == [NOTHING]
            back = back or (self._damaged and of_server and shown in self.notes.ever.get(number, ()))
            # The other device's answer stood, and the server forgot it.
            back = back or possible[0] in self.notes.foreign.get(number, ())
            if shown not in possible and shown not in self.notes.foreign.get(number, ()) and not back:
                if not told:
                    self.breaks(f"question {number} shows {shown} after a restart, and {possible[0]} was saved")
                elif shown not in self.notes.ever.get(number, {NOTHING}) and not shown.empty:
                    self.breaks(f"question {number} shows {shown}, which was never answered")
            self.notes.expected[number] = shown
            if told and number in self.notes.shown:
                self._saved(item, shown)
                if shown.empty and not item.latest:  # all its rows are lost
                    del self.notes.shown[number]
        if told:
            self.forget_lost_rows({item.question_id for item in session.items})
        for item in session.ended:
            if item.latest > 0 and item.there >= item.latest and not self._shown(item).empty:
                self._sent(item.question_id, self._shown(item))
        self._not_opened = self.notes.possible.keys() - {item.question_id for item in session.items}
        self.session, self._untouched = None, dict(self.notes.touched)
        self.sees(session)

    def _brought_late(self, number: int, shown: Content, *, noticed: bool) -> bool:
        """Whether a late request of ours brought this to a server without stamps.

        The journal was lost, or another device is known that may have chosen it again.
        """
        late = number in self.line.wandered and not self.line.server.stamps
        return (self._damaged or noticed) and late and shown in self.notes.ever.get(number, ())

    def forget_lost_rows(self, listed: Collection[int]) -> None:
        """What a lost row held of a question that is not on the screen may be missing, as of those that are."""
        for number in self.notes.shown.keys() - listed:
            held = self.held([number])
            if number not in held or held[number] not in self.notes.possible[number]:
                self.notes.possible[number].append(held.get(number, NOTHING))
                del self.notes.shown[number]

    def sees(self, session: Session) -> None:
        """The session has changed: compare what changed in it with what it claims."""
        before, self.session = self.session, session
        if before is session:
            return
        known = before.items if before is not None and len(before.items) == len(session.items) else ()
        saved: list[tuple[Item, Content]] = []
        for place, item in enumerate(session.items):
            if known and known[place] is item:
                continue
            shown = self._shown(item)
            self._on_screen(item, shown)
            if item.latest > 0 and item.here >= item.latest and not self.notes.chosen_only_elsewhere(item, shown):
                saved.append((item, shown))
            if item.latest > 0 and item.there >= item.latest and not shown.empty:
                self._sent(item.question_id, shown)
        fresh = [(item, shown) for item, shown in saved if self.notes.possible.get(item.question_id) != [shown]]
        if fresh:
            held = self.held([item.question_id for item, _ in fresh])
            for item, shown in fresh:
                if held.get(item.question_id, NOTHING) != shown:
                    found = held.get(item.question_id, NOTHING)
                    self.breaks(f"question {item.question_id}: {shown} counts as saved, the journal holds {found}")
                if self.alone or not item.visit_only:  # having seen a question gives way to the other device's choice
                    self._saved(item, shown)

    def _on_screen(self, item: Item, shown: Content) -> None:
        number = item.question_id
        expected = self.notes.expected.get(number, NOTHING)
        if number in self._not_opened:
            self._not_opened.discard(number)
            expected = shown if shown in self.notes.possible[number] else expected
            self.notes.expected[number] = expected
        if shown == expected:
            return
        # An answer that a crash took may have been sent, and may come back. The answer that was put down
        # since is shown beside it, if there is one. Undo brings it back.
        unsaved = self.notes.unsaved.get(number, ())
        beside = item.other_answer is not None
        seen_only = expected.empty and self.notes.touched.get(number) == self._untouched.get(number)
        # Where rows of the journal were lost, the server's answer counts, because a lost row may have held it.
        lost_row = self._damaged and (beside or seen_only) and shown in self.notes.ever.get(number, ())
        back = (beside and expected in unsaved) or ((beside or seen_only) and shown in unsaved) or lost_row
        # The older answer of a server that tells nothing may be another device's choice. Both are shown.
        if back or (self.untold and beside):
            self.notes.undo.append((number, expected))
        elif self.alone:
            self.breaks(f"question {number} shows {shown}, and {expected} was put down")
        self.notes.expected[number] = shown

    def _saved(self, item: Item, shown: Content) -> None:
        number = item.question_id
        self.notes.possible[number] = [shown]
        if not shown.empty:
            self.notes.kept.add(number)
        self.notes.shown[number] = self.notes.moments.get((number, shown), 0.0), shown
        self.notes.answers += 1

    def _sent(self, number: int, shown: Content) -> None:
        if self.notes.foreign.get(number):
            return  # an answer over which the other device's stands counts as sent until the server is heard again
        confirmed, moments = self.line.confirmed.get(number, set()), self.notes.moments
        put_down = moments.get((number, shown), 0.0)
        if self._damaged and any(moments.get((number, other), 0.0) > put_down for other in confirmed):
            return  # the row of a newer change was lost, and that change is on the server
        if shown not in confirmed:
            self.breaks(f"question {number}: {shown} counts as sent, and no reply has said so")

    # The course of time.

    def second(self, session: Session, painted: Session, now: float) -> None:
        """Called with every tick: what must hold while time passes. `painted`: the newest state given to the screen."""
        if painted is not session:
            self.breaks("the screen was not told of the newest state")
        if session is not self._counted:
            self._counted = session
            self._count(session)
        self._text(now)
        self._sender(session, now)

    def _count(self, session: Session) -> None:
        """The numbers of the light, and whether there is work, counted anew."""
        full = [item for item in session.known if self._shown(item).counts]
        here = sum(1 for item in full if item.here >= item.latest)
        there = sum(1 for item in full if item.there >= item.latest)
        if (session.saved_here, session.saved_there) != (here, there):
            self.breaks(f"the light counts {session.saved_here} and {session.saved_there} for {here} and {there}")
        owed = any(item.unsent and not item.visit_only for item in session.items)
        self._work = (owed or not session.editable) and not session.over

    def _text(self, now: float) -> None:
        if self.typed is None:
            return
        first, last = self.typed
        if first < self.awake_since:
            return
        if now - last > PAUSE or now - first > WITHOUT_PAUSE:
            self.breaks(
                f"typed text was not kept {now - last:.1f} s after its last key, {now - first:.1f} s after its first"
            )

    @property
    def _asked_wait(self) -> float:
        """Seconds that the server has asked to wait, and which are kept."""
        return _kept_wait(self.line.asked_to_wait)

    @property
    def _rested_until(self) -> float:
        """When the last wait ended that the server had asked for."""
        moment, seconds = self.line.last_wait
        return moment + _kept_wait(seconds)

    def _sender(self, session: Session, now: float) -> None:
        if not self._work or self.line.under_way or session.contact.sign_in_needed:
            return
        in_grace = self.over_since is not None and now - self.over_since < GRACE
        rest = REST_IN_GRACE if in_grace else LONGEST_REST
        since = self.over_since or 0.0 if in_grace else 0.0
        idle = now - max(self.line.asked_at, self.awake_since, since, *(self.notes.touched.values() or (0.0,)))
        if idle > self._asked_wait + rest:
            self.breaks(f"the sender has work and has asked nothing for {idle:.0f} s")

    def compares(
        self,
        session: Session,
        stored: Mapping[int, Content],
        now: float,
        *,
        noticed: bool,
        told: bool,
        lately: int,
    ) -> None:
        """After the server has forgotten: what counts as sent is there again, or counts no more, after a while.

        `noticed`: the program knows of another device. An earlier answer of ours may be that device's choice then, and
        waits for the end: docs/reliability.md names this limit. `told`: the server tells what it remembers. `lately`:
        how often it has forgotten in the last twenty minutes: three comparisons in fifteen are made at once, and a late
        reply from before a restore can ask for one of them.
        """
        untrue = [
            item.question_id
            for item in session.items
            if item.latest > 0
            and item.there >= item.latest
            and not (shown := self._shown(item)).empty
            and (held := stored.get(item.question_id, NOTHING)) != shown
            and not (noticed and item.question_id in stored and held in self.notes.ever.get(item.question_id, ()))
        ]
        if not untrue or self.line.outage or not session.editable or session.contact.sign_in_needed:
            self._untrue_since = None
        elif self._untrue_since is None or self._untrue_since < self.awake_since:
            self._untrue_since = now
        elif now - self._untrue_since > LONGEST_UNTRUE:
            self.breaks(f"questions {untrue} have counted as sent for {LONGEST_UNTRUE:.0f} s and are not there")
        elif (
            told
            and self.alone
            and lately <= 2
            and now - max(self._untrue_since, self.line.spoilt_at, self._rested_until) > TWO_HEARTBEATS
        ):
            self.breaks(f"questions {untrue} have counted as sent for two heartbeats and are not there")


def _kept_wait(seconds: float) -> float:
    """How long the program rests where a server asks it to wait."""
    return min(max(0.0, seconds) * 1.1, LONGEST_KEPT_WAIT)
