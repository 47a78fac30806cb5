"""Sends answers, and compares those on the server with those here."""

from dataclasses import replace

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.answer_files import AnswerFiles
from lms_tui.attempt.comparison import events_of
from lms_tui.attempt.connection import Connection
from lms_tui.attempt.events import Acknowledged, Differs, Event, Foreign, Heard, ServerForgot
from lms_tui.attempt.loading import lists
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from lms_tui.wire.attempts import Attempt, AttemptQuestion
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded


class Answers:
    """The requests about the answers of one attempt."""

    def __init__(self, connection: Connection, files: AnswerFiles) -> None:
        self._connection = connection
        self._files = files
        self._service, self._clock = connection.service, connection.clock
        self._live, self._journal = connection.live, connection.journal

    @property
    def _session(self) -> Session:
        return self._live.now

    async def save(self, item: Item) -> None:
        """Send the newest change of a question, or a part of a file that the server needs first."""
        try:
            if not await self._files.deliver(item):
                now = self._clock.boot()
                self._connection.sync = outbox.heard(self._connection.sync, now)
                self._live.apply(Heard(now))
                return
            echo = await self._service.save(
                self._session.attempt_id,
                item.question_id,
                mapping.answer_input(item.kind, item.answer),
                self._journal.stamp(item),
                self._journal.times.chosen_at(item),
            )
        except Refused as error:
            await self._not_saved(item, error)
            return
        except ApiError as error:
            self._connection.failed(error)
            return
        now = self._clock.boot()
        if echo.id == item.question_id and mapping.answer_of(echo).same_as(item.answer):
            self._connection.sync = outbox.accepted(outbox.heard(self._connection.sync, now), item.question_id)
            self._journal.settle(item)
            self._journal.known.there[item.question_id] = item.answer
            self._journal.known.acknowledged[item.question_id] = max(0, item.latest)
            self._live.apply(Acknowledged(item.question_id, item.latest, now))
        else:
            self._other_echo(item, echo)

    def _other_echo(self, item: Item, echo: AttemptQuestion) -> None:
        """Handle another answer in the echo. The server may have kept a newer choice of another device."""
        current, theirs = self._session.find(item.question_id), mapping.answer_of(echo)
        known = current is not None and current.other_answer is not None and current.other_answer.same_as(theirs)
        if known and echo.id == item.question_id and current is not None and current.latest == item.latest:
            self._connection.sync = outbox.accepted(
                outbox.heard(self._connection.sync, self._clock.boot()), item.question_id
            )
            self._adopt(Foreign(item.question_id, theirs, taken=True))
            self._journal.settle(item)  # only now: until the other answer is noted, ours would count as sent
            return
        if self._connection.sync.other_device or item.visit_only or self._connection.sync.forgot:
            self._connection.sync = replace(self._connection.sync, look=True)
        self._deny(item, "The server shows another answer than the one that was sent.")

    async def _not_saved(self, item: Item, error: Refused) -> None:
        """Read the attempt to find out whether the question was refused or the attempt is over."""
        if isinstance(error, SignInNeeded):
            self._connection.failed(error)
            return
        await self._connection.attempt(self._connection.reread)
        if not self._session.over:
            self._deny(item, str(error))

    def _deny(self, item: Item, reason: str) -> None:
        """Try again more slowly, and list the answer as refused after several refusals."""
        sync, believed = outbox.denied(self._connection.sync, item.question_id)
        now, jitter, ends_at = (
            self._clock.boot(),
            self._connection.random.random(),
            self._session.deadline.wakes_at,
        )
        self._connection.sync = outbox.failed(sync, now, retry_after=None, jitter=jitter, ends_at=ends_at)
        current = self._session.find(item.question_id)
        if believed and current is not None and current.latest == item.latest:
            self._connection.sync = outbox.accepted(self._connection.sync, item.question_id)
            self._connection.refuse(item, reason)

    async def compare(self) -> None:
        """Read every answer from the server, and send those that differ again.

        An answer that still differs after several comparisons is listed as refused. Before the end and after a restore
        of the server, the answers of ended sections are read too, because the server may have lost them.
        """
        final = not (self._session.editable or self._connection.sync.look)
        attempt = Attempt(id=self._session.attempt_id)
        if final or self._session.sections:
            attempt = await self._service.read(self._session.attempt_id)
            if not mapping.still_running(attempt):
                await self._connection.completed()
                return
        restored = self._connection.sync.restored
        questions, failure = await self._readable(attempt, ended=restored or final)
        now = self._clock.boot()
        events = events_of(
            self._session,
            questions,
            self._journal.known,
            other_device=self._connection.sync.other_device,
            final=final,
            restored=restored,
            sent_often=self._connection.sync.comparisons + final >= outbox.COMPARISONS,
            timed=self._timed(),
        )
        events += map(Differs, await self._files.lost(self._session.items))
        if failure is None:
            self._connection.sync = outbox.compared(outbox.heard(self._connection.sync, now), now)
            if final:
                differing = self._connection.sync.comparisons + bool(events)
                self._connection.sync = replace(self._connection.sync, compared=not events, comparisons=differing)
            self._live.apply(Heard(now))
        lost = {event.question_id for event in events if isinstance(event, Differs)}
        ended = self._journal.lost_elsewhere(self._session, questions)
        self._journal.unsettle(lost | ended)
        for event in events:
            self._adopt(event)
        if restored or ended:
            in_ended = self._journal.missing_elsewhere(self._session)
            self._live.apply(ServerForgot(len(lost) if restored else 0, in_ended))
        if failure is not None:
            raise failure
        remembered = self._connection.sync.remembered.compared(self._journal.acknowledged)
        self._connection.sync = replace(self._connection.sync, remembered=remembered)
        self._journal.note_epoch(remembered.epoch)

    def _timed(self) -> frozenset[int] | None:
        """Return the questions whose choice has a time, or None where the server does not know times."""
        if not self._connection.sync.remembered.told_by_server:
            return None
        chosen_at = self._journal.times.chosen_at
        return frozenset(item.question_id for item in self._session.items if chosen_at(item) is not None)

    async def _readable(self, attempt: Attempt, *, ended: bool) -> tuple[list[AttemptQuestion], ApiError | None]:
        """Read the questions, and the error of the list that could not be read. The lists before it count."""
        questions: list[AttemptQuestion] = []
        try:
            async for _, found in lists(self._service, attempt, ended=ended):
                questions += found
        except ApiError as error:
            return questions, error
        return questions, None

    def _adopt(self, event: Event) -> None:
        """Apply a difference. An answer that the server does not keep after several comparisons is refused."""
        match event:
            case Differs(question_id=question_id) if self._connection.sync.comparisons >= outbox.COMPARISONS:
                item = self._session.find(question_id)
                if item is not None:
                    self._connection.refuse(item, "The server keeps another answer than the one that was sent.")
                return
            case Foreign(taken=True):
                self._live.show(self._journal.take_over(self._session, event))
                return
            case Foreign(question_id=question_id, answer=answer):
                self._journal.known.there[question_id] = answer
            case _:
                pass
        self._live.apply(event)
