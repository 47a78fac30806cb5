"""Keeps the state of the connection, the newest session and the journal for all requests of one attempt.

The outcome of a request is an event of the session and a new state of the connection, never an exception.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from random import Random

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.events import ClosedElsewhere, Finished, Heard, NotAccepted, NotHeard, SignInExpired
from lms_tui.attempt.journal_session import JournalSession
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import AttemptService, Clock
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded, Unreachable


class Connection:
    """`sync` is the state of the connection."""

    def __init__(
        self,
        service: AttemptService,
        clock: Clock,
        random: Random,
        live: LiveSession,
        journal: JournalSession,
        sync: SyncState,
    ) -> None:
        self.service = service
        self.clock = clock
        self.random = random
        self.live = live
        self.journal = journal
        self.sync = sync

    @property
    def session(self) -> Session:
        return self.live.now

    async def attempt(self, request: Callable[[], Awaitable[None]]) -> None:
        """Make a request that the whole attempt depends on, and note its failure."""
        try:
            await request()
        except ApiError as error:
            self.failed(error)

    def failed(self, error: ApiError) -> None:
        """Note the failure of a request that the whole attempt depends on."""
        if isinstance(error, SignInNeeded):
            self.live.apply(SignInExpired())
            return
        if isinstance(error, Refused):
            now, jitter, ends_at = self.clock.boot(), self.random.random(), self.session.deadline.wakes_at
            self.sync = outbox.refused(self.sync, now, jitter=jitter, ends_at=ends_at)
            if self.sync.refusals >= outbox.DENIALS:
                self.close(str(error))
            return
        self.missed(error)

    def missed(self, error: ApiError) -> None:
        """Note a request that may not have arrived. After this gap, start comes before the queue."""
        sync = outbox.failed(
            self.sync,
            self.clock.boot(),
            retry_after=error.retry_after if isinstance(error, Unreachable) else None,
            jitter=self.random.random(),
            ends_at=self.session.deadline.wakes_at,
        )
        self.sync = replace(sync, started=False, compared=False)
        self.live.apply(NotHeard(str(error)))

    async def reread(self) -> None:
        """Read whether the attempt runs. The time left is ignored, because it may be that of the last heartbeat."""
        attempt = await self.service.read(self.session.attempt_id)
        now = self.clock.boot()
        self.sync = outbox.reread(self.sync, now)
        if mapping.still_running(attempt):
            self.live.apply(Heard(now, mapping.sections_of(attempt)))
        else:
            await self.completed()

    def refuse(self, item: Item, reason: str) -> None:
        """List an answer as refused, also in the journal."""
        self.journal.settle(item, refused=reason)
        self.live.apply(NotAccepted(item.question_id, item.latest, reason))

    async def completed(self, ended: Attempt | None = None) -> None:
        """Finish the attempt, which is over on the server. Close it instead if answers were not accepted.

        `ended`: the reply to the request that ended it, if it arrived.
        """
        signed = "" if ended is None else mapping.acknowledgement_of(ended)
        await self.journal.sign(self.service, self.session.attempt_id, signed)
        unsent = any(not item.visit_only for item in self.session.unsent)
        if unsent or not self.session.ending:
            self.close("The attempt has ended on the server.")
            return
        self.journal.finish(self.session)
        self.live.apply(Finished())
        self.journal.keep_receipt()

    def close(self, reason: str) -> None:
        """Close the attempt here. Unsent answers are listed as refused and stay in the journal."""
        for item in self.session.unsent:
            if not item.visit_only:
                self.refuse(item, "The attempt had already ended on the server.")
        self.live.apply(ClosedElsewhere(reason))
        self.journal.forget_exam(self.session)
        self.journal.keep_receipt()
