"""What to send next: `plan(session, sync, now) -> step`, and what an outcome teaches: `heard(sync, ...)`.

Pure. The order after any gap: start, heartbeat, queue, comparison, end. One change of a question is in flight at a
time, up to four questions at once, and nothing is ended before everything that can be sent has been sent and re-read.
"""

from dataclasses import dataclass, replace

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Item, Phase

HEARTBEAT = 60.0
IN_FLIGHT = 4
FIRST_WAIT = 0.5
LONGEST_WAIT = 10.0
"""Seconds between tries when the service gives no wait of its own: short, so that a return is noticed soon."""
LONGEST_ASKED_WAIT = 120.0
LAST_TRY = 5.0
"""Seconds before the deadline when one more try is made, however long the service asked to wait."""
COMPARISONS = 3
"""Re-reads before the end; a server that still shows another answer then has refused it."""
DENIALS = 3
"""How often in a row a question's change, or the attempt itself, is refused before the refusal is believed."""


@dataclass(frozen=True, slots=True)
class Start:
    """PUT start: tells the server that the person is back, before anything else after a gap."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    pass


@dataclass(frozen=True, slots=True)
class Save:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Compare:
    """Re-read every question and compare with what is here."""


@dataclass(frozen=True, slots=True)
class Reread:
    """GET the attempt: an answer to end or start was lost or refused, and only the server knows what holds."""


@dataclass(frozen=True, slots=True)
class NextSection:
    """End the running section and begin the next."""


@dataclass(frozen=True, slots=True)
class End:
    pass


@dataclass(frozen=True, slots=True)
class DeclareTimeOver:
    pass


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do until this boot-clock time, or until woken; None: until woken."""

    until: float | None


@dataclass(frozen=True, slots=True)
class Stop:
    pass


Step = Start | Heartbeat | Save | Compare | Reread | NextSection | End | DeclareTimeOver | Wait | Stop


@dataclass(frozen=True, slots=True)
class SyncState:
    """What has been sent and what is due, apart from the answers. Times are seconds of the boot clock.

    Whether the sender waits for a sign-in is not here: `plan` reads it from `Session.contact`, which the screens show.
    """

    started: bool = False
    heartbeat_due: float = 0.0
    not_before: float = 0.0
    failures: int = 0
    compared: bool = False
    comparisons: int = 0
    doubtful: bool = False
    """Whether the attempt must be read again before anything else."""
    look: bool = False
    """Another device may have answered: every question is read again before the next change is sent."""
    company: bool = False
    """Another device has begun this attempt since we did: look after every heartbeat."""
    refusals: int = 0
    """How often in a row the attempt itself was refused."""
    denials: tuple[tuple[int, int], ...] = ()
    """How often each question's change was refused, or echoed as something else."""


def _sendable(session: Session, item: Item, *, company: bool) -> bool:
    """Having seen a question is no choice: it waits, and never goes over what another device may have chosen."""
    if not item.unsent or (item.visit_only and company):
        return False
    lingering = item.visit_only and session.editable and item is session.item
    return not lingering


def plan(session: Session, sync: SyncState, now: float) -> Step:
    """Return the next step; calling it again with the same values gives the same step.

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
    return _request(session, sync, now) or Wait(_soonest(sync.heartbeat_due, wake))


def _request(session: Session, sync: SyncState, now: float) -> Step | None:  # noqa: PLR0911 - the order of the line, read as a list
    if sync.doubtful:
        return Reread()
    if not sync.started:
        return Start()
    if now >= sync.heartbeat_due:
        return Heartbeat()
    if sync.look:
        return Compare()
    pending = tuple(item for item in session.items if _sendable(session, item, company=sync.company))
    if pending:
        return Save(pending[:IN_FLIGHT])
    if session.phase in {Phase.TIME_OVER, Phase.ENDING}:
        if not sync.compared:
            return Compare()
        return NextSection() if session.goal is Goal.SECTION and session.more_sections else End()
    return None


def _soonest(*times: float | None) -> float | None:
    known = [time for time in times if time is not None]
    return min(known) if known else None


def heard(sync: SyncState, now: float) -> SyncState:
    """After a good reply: the line is well."""
    return replace(sync, failures=0, not_before=now) if sync.failures or sync.not_before > now else sync


def beaten(sync: SyncState, now: float) -> SyncState:
    """After start or heartbeat: the next one is due in a minute."""
    return replace(heard(sync, now), started=True, doubtful=False, heartbeat_due=now + HEARTBEAT)


def reread(sync: SyncState, now: float) -> SyncState:
    """After the attempt was read and still runs: go on, and soon ask for the time, which reading does not refresh."""
    return replace(heard(sync, now), started=True, doubtful=False, heartbeat_due=now + LONGEST_WAIT)


def failed(
    sync: SyncState, now: float, *, retry_after: float | None, jitter: float, ends_at: float | None
) -> SyncState:
    """After a request that may not have arrived. `jitter`: 0 to 1; a long wait leaves one try before the deadline."""
    backoff = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(sync.failures, 8)) * (0.75 + jitter / 2)
    asked = 0.0 if retry_after is None else min(max(retry_after, 0.0), LONGEST_ASKED_WAIT) * (1 + jitter / 10)
    until = now + max(backoff, asked)
    if ends_at is not None and now + backoff < ends_at - LAST_TRY < until:
        until = ends_at - LAST_TRY
    return replace(sync, failures=sync.failures + 1, not_before=until)


def refused(sync: SyncState, now: float, *, jitter: float) -> SyncState:
    """After a refusal of what the whole attempt depends on: read the attempt, and not too fast if that is refused."""
    if not sync.doubtful:
        return replace(sync, doubtful=True, refusals=0)
    waiting = failed(sync, now, retry_after=None, jitter=jitter, ends_at=None)
    return replace(waiting, refusals=sync.refusals + 1)


def denied(sync: SyncState, question_id: int) -> tuple[SyncState, bool]:
    """A question's change was refused, or its echo was not what was sent. True: so often that it is to be believed."""
    counts = dict(sync.denials)
    counts[question_id] = counts.get(question_id, 0) + 1
    return replace(sync, denials=tuple(counts.items())), counts[question_id] >= DENIALS


def accepted(sync: SyncState, question_id: int) -> SyncState:
    """A question's change was echoed: older refusals of it mean nothing any more."""
    return replace(sync, denials=tuple(entry for entry in sync.denials if entry[0] != question_id))
