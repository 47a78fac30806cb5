"""Decide what to send next, and keep the state of the connection after each outcome (pure).

The order after a gap is start, heartbeat, queue, comparison, end. One change of a question is in flight at a time, and
four questions at most. The attempt is ended after everything has been sent and read back.
"""

from dataclasses import field, replace
from datetime import datetime

from lms_tui.attempt.forgetting import Remembered
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Item
from lms_tui.common.frozen import frozen
from lms_tui.wire.server_memory import ServerMemory

HEARTBEAT = 60.0
"""Seconds between two heartbeats."""
STAY = 2.0
"""Seconds on the screen from which on a question is worked on. Until then a student only turns pages."""
VISITS_BEFORE = 10.0
"""Seconds before a heartbeat in which opened questions are sent also while a student turns pages."""
IN_FLIGHT = 4
"""Saves under way at the same time."""
FIRST_WAIT = 0.5
"""Seconds to wait after the first failure. Every further failure doubles the wait."""
LONGEST_WAIT = 10.0
"""Seconds between two tries at most, unless the server asks for more. It is short, to reconnect soon."""
BUSY_WAIT = 5.0
"""The same while the server tells when to try again. It answers, so it can soon take answers again."""
LONGEST_ASKED_WAIT = 120.0
"""Seconds that the server may ask to wait."""
LAST_TRY = 5.0
"""Seconds before and after the deadline at which one try is made, even if the server asked for a longer wait."""
GRACE = 15.0
"""Seconds after the end of the time in which a server may still take answers."""
GRACE_WAIT = 1.5
"""Seconds between tries in that time."""
COMPARE_APART = 300.0
"""Seconds between two comparisons while the exam runs, at least."""
COMPARE_EVERY = 900.0
"""Seconds between two comparisons while the server replies."""
COMPARE_AT_ONCE = 3
"""Comparisons that are made at once because the server has forgotten answers. Further ones are COMPARE_APART."""
COMPARISONS = 3
"""Comparisons before the end. A server that still shows another answer then has refused ours."""
DENIALS = 3
"""Refusals in a row, of a change or of the attempt, after which the refusal is final."""


@frozen
class Start:
    """PUT start, before anything else after a gap."""


@frozen
class Heartbeat:
    pass


@frozen
class Save:
    items: tuple[Item, ...]


@frozen
class Compare:
    """Read every question back and compare the answers with those here."""


@frozen
class Reread:
    """GET the attempt: a reply to end or start was lost, or the attempt was refused."""


@frozen
class NextSection:
    """End the running section and start the next."""


@frozen
class End:
    pass


@frozen
class DeclareTimeOver:
    pass


@frozen
class Wait:
    """Nothing to do until this boot-clock time, or with None until something happens."""

    until: float | None


@frozen
class Stop:
    pass


Step = Start | Heartbeat | Save | Compare | Reread | NextSection | End | DeclareTimeOver | Wait | Stop


@frozen
class SyncState:
    """The state of the connection to the server. Times are seconds of the boot clock.

    The wait for a sign-in is in `Session.contact`. The screens and `plan` read the same value.
    """

    started: bool = False
    """PUT start was answered since the last gap."""
    heartbeat_due: float = 0.0
    not_before: float = 0.0
    """No request before this time."""
    failures: int = 0
    """Requests in a row that may not have arrived."""
    arrived: float = float("-inf")
    """When the question on the screen came there."""
    visits_due: float = float("-inf")
    """When opened questions without a choice are sent, if no page is turned until then."""
    compared_at: float = 0.0
    compare_due: float = float("inf")
    """When all questions are compared while the exam runs."""
    compared: bool = False
    """The last comparison before the end found no difference."""
    comparisons: int = 0
    """Comparisons before the end that found differences."""
    doubtful: bool = False
    """The attempt is read again before anything else."""
    look: bool = False
    """All questions are compared before the next change is sent, because another device may have answered."""
    other_device: bool = False
    """Another device has started this attempt. All questions are compared after every heartbeat."""
    begun: datetime | None = None
    """`last_started_time` in the last reply."""
    our_start: datetime | None = None
    """`last_started_time` in the reply to our newest start."""
    remembered: Remembered = field(default_factory=Remembered)
    restored: bool = False
    """The server has forgotten answers, and they were not compared since."""
    forgot: tuple[float, ...] = ()
    """When the server was found to have forgotten answers, the last COMPARE_AT_ONCE times."""
    refusals: int = 0
    """Refusals of the attempt in a row."""
    refused_at: float = float("-inf")
    """When the attempt was refused before it was read again."""
    denials: tuple[tuple[int, int], ...] = ()
    """Question and how often in a row its change was refused or echoed as something else."""


def opened(
    now: float,
    *,
    begun: datetime | None = None,
    other_device: bool = False,
    remembered: Remembered = Remembered(),  # noqa: B008 - a frozen value
) -> SyncState:
    """Return the state after the attempt was started and all questions were read."""
    sync = SyncState(
        started=True,
        heartbeat_due=now + HEARTBEAT,
        arrived=now,
        begun=begun,
        our_start=begun,
        other_device=other_device,
        remembered=remembered,
    )
    return compared(sync, now)


def _sendable(session: Session, sync: SyncState, item: Item, now: float) -> bool:
    """Return whether the newest change is sent now.

    An opened question is no choice. It waits while it is on the screen, and while the student turns pages.
    """
    if not item.unsent or (item.visit_only and sync.other_device):
        return False
    waits = now < _visits_due(sync) or item is session.item
    return not (item.visit_only and session.editable and waits)


def _visits_due(sync: SyncState) -> float:
    return min(sync.visits_due, sync.heartbeat_due - VISITS_BEFORE)


def moved(sync: SyncState, now: float) -> SyncState:
    """Return the state after another question has come on the screen.

    A question that was worked on is sent when it is left. Servers take the time between two answers as the time of the
    second. Questions that were only passed are sent when the student stays at one.
    """
    return replace(sync, arrived=now, visits_due=now if now - sync.arrived >= STAY else now + STAY)


def plan(session: Session, sync: SyncState, now: float) -> Step:
    """Return the next step.

    While something is queued and no sign-in is asked for, this is a request, or a Wait of at most `LONGEST_ASKED_WAIT`
    and a tenth.
    """
    if session.over:
        return Stop()
    if session.editable and session.deadline.over(now):
        return DeclareTimeOver()
    wake = session.deadline.wakes_at if session.editable else None
    if session.contact.sign_in_needed:
        return Wait(wake)
    if now < sync.not_before:
        return Wait(_soonest(sync.not_before, wake))
    if (step := _request(session, sync, now)) is not None:
        return step
    visits = _visits_due(sync)
    visits_wait = now < visits and any(item.unsent and item.visit_only for item in session.items)
    return Wait(_soonest(visits if visits_wait else sync.heartbeat_due, sync.compare_due, wake))


def _request(session: Session, sync: SyncState, now: float) -> Step | None:
    if sync.doubtful:
        return Reread()
    if not sync.started:
        return Start()
    pending = tuple(item for item in session.items if _sendable(session, sync, item, now))
    if now >= sync.heartbeat_due and (session.editable or not pending):
        return Heartbeat()
    if sync.look or (session.editable and now >= sync.compare_due):
        return Compare()
    if pending:
        return Save(pending[:IN_FLIGHT])
    return _ending_step(session, sync) if session.ending else None


def _ending_step(session: Session, sync: SyncState) -> Step:
    if not sync.compared:
        return Compare()
    return NextSection() if session.goal is Goal.SECTION and session.more_sections else End()


def _soonest(*times: float | None) -> float | None:
    known = [time for time in times if time is not None]
    return min(known) if known else None


def heard(sync: SyncState, now: float) -> SyncState:
    """Return the state after a good reply."""
    return replace(sync, failures=0, not_before=now) if sync.failures or sync.not_before > now else sync


def timed(sync: SyncState, now: float) -> SyncState:
    """Return the state after start or heartbeat. After a gap the answers are compared, unless that was done lately."""
    due = sync.compare_due if sync.started else min(sync.compare_due, sync.compared_at + COMPARE_APART)
    return replace(
        heard(sync, now), started=True, doubtful=False, heartbeat_due=now + HEARTBEAT, compare_due=max(due, now)
    )


def beaten(sync: SyncState, begun: datetime | None) -> SyncState:
    """Return the state after a heartbeat. `begun` is the start time in its reply.

    A later start than our newest was another device's. Any other change means that the server was restored from a
    backup.
    """
    if begun is None or sync.begun is None:
        return replace(sync, look=sync.look or sync.other_device)
    later = sync.our_start is not None and begun > sync.our_start
    other_device = sync.other_device or later
    return replace(sync, other_device=other_device, look=sync.look or other_device or begun != sync.begun, begun=begun)


def recalled(
    sync: SyncState, told: ServerMemory, writer: str, acknowledged: int, now: float, *, jitter: float
) -> SyncState:
    """Return the state after start or heartbeat told what the server remembers.

    If it has forgotten answers, all are compared at once. If only its epoch is new and its numbers are those that it
    had told before, no answer of ours is missing. They are sent first then, and compared within a heartbeat, so that
    a takeover does not make all clients of an institute compare at once. A server that changes its epoch with each
    reply is compared once in COMPARE_APART. `writer`, `acknowledged`: see `Remembered.told`.
    """
    missing = sync.remembered.missing
    remembered, forgot = sync.remembered.told(told, writer, acknowledged)
    sync = replace(sync, remembered=remembered)
    if not forgot:
        return sync
    complete = remembered.seen is not None and remembered.missing <= missing
    at_once = len(sync.forgot) < COMPARE_AT_ONCE or now - sync.forgot[0] >= COMPARE_AT_ONCE * COMPARE_APART
    soon = now + HEARTBEAT * jitter if complete and at_once else sync.compared_at + COMPARE_APART
    return replace(
        sync,
        restored=True,
        compared=False,
        look=sync.look or (at_once and not complete),
        compare_due=min(sync.compare_due, soon),
        comparisons=0 if at_once else sync.comparisons,  # the server refused nothing: it lost what it had
        forgot=(*sync.forgot, now)[-COMPARE_AT_ONCE:],
    )


def reread(sync: SyncState, now: float) -> SyncState:
    """Return the state after the attempt was read and still runs. A heartbeat soon asks for the time left."""
    return replace(heard(sync, now), started=True, doubtful=False, heartbeat_due=now + LONGEST_WAIT)


def compared(sync: SyncState, now: float) -> SyncState:
    """Return the state after a comparison."""
    return replace(sync, look=False, restored=False, compared_at=now, compare_due=now + COMPARE_EVERY)


def failed(
    sync: SyncState, now: float, *, retry_after: float | None, jitter: float, ends_at: float | None
) -> SyncState:
    """Return the state after a request that may not have arrived. The wait grows with each failure.

    `retry_after`: the seconds that the server asked to wait. `jitter`: from 0 to 1. `ends_at`: when the time ends, on
    the boot clock.
    """
    in_grace = ends_at is not None and ends_at <= now < ends_at + GRACE
    longest = LONGEST_WAIT if retry_after is None else BUSY_WAIT
    wait = GRACE_WAIT if in_grace else min(longest, FIRST_WAIT * 2 ** min(sync.failures, 8))
    backoff = wait * (0.75 + jitter / 2)
    if ends_at is not None and now < ends_at < now + backoff:
        backoff = min(backoff, ends_at - now + GRACE_WAIT * (0.75 + jitter / 2))
    asked = 0.0 if retry_after is None else min(max(retry_after, 0.0), LONGEST_ASKED_WAIT) * (1 + jitter / 10)
    until = now + max(backoff, asked)
    for last_try in () if ends_at is None else (ends_at - LAST_TRY, ends_at + LAST_TRY):
        if now + backoff < last_try < until:
            until = last_try
            break
    return replace(sync, failures=sync.failures + 1, not_before=until)


def time_over(sync: SyncState, now: float, *, jitter: float) -> SyncState:
    """Return the state after the time has ended. A longer wait is cut to GRACE_WAIT.

    A heartbeat is due before the end, because the institute may have given more time since the last one.
    """
    soon = min(sync.not_before, now + GRACE_WAIT * (0.75 + jitter / 2))
    return replace(heartbeat_now(sync, now), not_before=soon)


def heartbeat_now(sync: SyncState, now: float) -> SyncState:
    """Return the state in which a heartbeat is due."""
    return replace(sync, heartbeat_due=min(sync.heartbeat_due, now))


def refused(sync: SyncState, now: float, *, jitter: float, ends_at: float | None) -> SyncState:
    """Return the state after a refusal of the whole attempt. It is read again, after longer and longer waits.

    The first time it is read at once. A pause follows if the server then refuses what is asked next again.
    """
    if not sync.doubtful:
        first = now - sync.refused_at >= HEARTBEAT
        paused = sync if first else failed(sync, now, retry_after=None, jitter=jitter, ends_at=ends_at)
        return replace(paused, doubtful=True, refusals=0, refused_at=now)
    waiting = failed(sync, now, retry_after=None, jitter=jitter, ends_at=ends_at)
    return replace(waiting, refusals=sync.refusals + 1)


def denied(sync: SyncState, question_id: int) -> tuple[SyncState, bool]:
    """Return the state after a change was refused or its echo differs, and whether the refusal is final."""
    counts = dict(sync.denials)
    counts[question_id] = counts.get(question_id, 0) + 1
    return replace(sync, denials=tuple(counts.items())), counts[question_id] >= DENIALS


def accepted(sync: SyncState, question_id: int) -> SyncState:
    """Return the state after a change was echoed, without the refusals of that question."""
    denials = tuple(entry for entry in sync.denials if entry[0] != question_id)
    return sync if denials == sync.denials else replace(sync, denials=denials)
