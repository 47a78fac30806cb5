"""The worker that makes all requests of one attempt.

It does what `outbox.plan` says until the attempt is over, in one task and without threads. The outcome of a request is
an event of the session and a new state of the connection, never an exception.
"""

import functools
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import anyio

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.answer_files import AnswerFiles
from lms_tui.attempt.answers import Answers
from lms_tui.attempt.connection import Connection
from lms_tui.attempt.deadline import Deadline
from lms_tui.attempt.events import SectionBegan, TimeRanOut
from lms_tui.attempt.journal_session import JournalSession
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.loading import load
from lms_tui.attempt.notices import Notices
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import AttemptService, Clock
from lms_tui.attempt.session import Session
from lms_tui.common.frozen import frozen
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.errors import ApiError

Job = Callable[[], Coroutine[Any, Any, None]]
Together = Callable[[Sequence[Job]], Awaitable[None]]


async def in_task_group(jobs: Sequence[Job]) -> None:
    """Do all jobs at once and return when the last is done."""
    async with anyio.create_task_group() as group:
        for job in jobs:
            group.start_soon(job)


@frozen
class World:
    """The dependencies of the sender. `together` runs several jobs at once."""

    service: AttemptService
    clock: Clock
    random: Random
    together: Together = in_task_group


class Sender:
    """`idle_since` is when the last request ended, or None during one. `files`: the files in the answers."""

    def __init__(self, world: World, live: LiveSession, journal: JournalSession, sync: SyncState) -> None:
        self._connection = Connection(world.service, world.clock, world.random, live, journal, sync)
        self.files = AnswerFiles(world.service, live.now.attempt_id, journal.files, journal.desk)
        self._answers = Answers(self._connection, self.files)
        self._service, self._clock = world.service, world.clock
        self._live, self._journal = live, journal
        self._notices = Notices(world.service, live, world.clock)
        self._together = world.together
        self._wake = anyio.Event()
        self.idle_since: float | None = world.clock.boot()

    @property
    def _session(self) -> Session:
        return self._live.now

    @property
    def sync(self) -> SyncState:
        """The state of the connection."""
        return self._connection.sync

    def wake(self) -> None:
        """Look at the plan again now."""
        self._wake.set()

    def moved(self) -> None:
        """Note that another question has come on the screen."""
        self._connection.sync = outbox.moved(self.sync, self._clock.boot())
        self._wake.set()

    def hurry(self) -> None:
        """End the wait between two tries."""
        self._connection.sync = replace(self.sync, not_before=self._clock.boot())
        self._wake.set()

    def gap(self) -> None:
        """Send PUT start again, because the computer slept."""
        self._connection.sync = replace(self.sync, started=False)
        self.hurry()

    def time_over(self) -> None:
        """Close the session for changes and send soon, while the server may still accept answers."""
        self._connection.sync = outbox.time_over(self.sync, self._clock.boot(), jitter=self._connection.random.random())
        self._live.apply(TimeRanOut())
        self._wake.set()

    def end_asked(self) -> None:
        """Send a heartbeat before the end. Its reply tells whether the server was restored since the last one."""
        self._connection.sync = outbox.heartbeat_now(self.sync, self._clock.boot())
        self._wake.set()

    async def run(self) -> None:
        """Do what the plan says until the attempt is over. Connection errors are never raised, but retried."""
        while True:
            match outbox.plan(self._session, self.sync, self._clock.boot()):
                case outbox.Stop():
                    return
                case outbox.Wait(until=until):
                    await self._rest(until)
                case outbox.DeclareTimeOver():
                    self.time_over()
                case step:
                    self.idle_since = None
                    await self._perform(step)
                    self.idle_since = self._clock.boot()

    async def _rest(self, until: float | None) -> None:
        await self._clock.wait(self._wake, None if until is None else max(0.0, until - self._clock.boot()))
        if self._wake.is_set():
            self._wake = anyio.Event()

    async def _perform(self, step: outbox.Step) -> None:
        match step:
            case outbox.Start():
                await self._connection.attempt(self._start)
            case outbox.Heartbeat():
                await self._connection.attempt(self._heartbeat)
            case outbox.Save(items=items):
                await self._together([functools.partial(self._answers.save, item) for item in items])
            case outbox.Compare():
                await self._connection.attempt(self._answers.compare)
            case outbox.Reread():
                await self._connection.attempt(self._connection.reread)
            case outbox.NextSection():
                await self._connection.attempt(self._next_section)
            case outbox.End():
                await self._connection.attempt(self._end)
            case _:
                return

    # Time.

    async def _start(self) -> None:
        """Send PUT start. After a long silence, all answers are compared next, because of other devices."""
        silent = self._clock.boot() - self._session.contact.since > outbox.HEARTBEAT
        attempt = await self._time(self._service.start, starts=True)
        self._connection.sync = replace(self.sync, begun=attempt.last_started_time, our_start=attempt.last_started_time)
        if silent and self._session.unsent:
            self._connection.sync = replace(self.sync, look=True)

    async def _heartbeat(self) -> None:
        attempt = await self._time(self._service.heartbeat)
        noticed = self.sync.other_device
        self._connection.sync = outbox.beaten(self.sync, attempt.last_started_time)
        if self.sync.other_device and not noticed:
            self._journal.note_other_device()

    async def _time(self, request: Callable[[int], Awaitable[Attempt]], *, starts: bool = False) -> Attempt:
        """Send a request whose reply tells the time left, and adopt the time."""
        asked_at = self._clock.boot()
        attempt = await request(self._session.attempt_id)
        now = self._clock.boot()
        self._journal.times.note_server_time(mapping.server_time_of(attempt, starts=starts), asked_at, now)
        self._connection.sync = outbox.timed(self.sync, now)
        told, jitter = mapping.memory_of(attempt), self._connection.random.random()
        self._connection.sync = outbox.recalled(
            self.sync, told, self._journal.writer, self._journal.acknowledged, now, jitter=jitter
        )
        if not self.sync.restored:
            self._journal.note_epoch(self.sync.remembered.epoch)
        self._journal.note_reply(mapping.told_by(attempt))
        if mapping.still_running(attempt):
            self._live.apply(mapping.time_told(attempt, asked_at, now, self._clock.speed))
            self._journal.unsettle({item.question_id for item in self._session.items if item.lost_there})
            self._journal.keep_time(self._session.deadline)
            await self._notices.follow(attempt)
        else:
            await self._connection.completed()
        return attempt

    # Sections, and the end.

    async def _next_section(self) -> None:
        """End the running section, unless the server has done so, and start the section that follows."""
        attempt = await self._service.read(self._session.attempt_id)
        running = mapping.running_section(attempt)
        if running is not None and running.attempt_section_id == self._section_id():
            await self._service.end_section(running)
            attempt = await self._service.read(self._session.attempt_id)
        if not mapping.still_running(attempt):
            await self._connection.completed()
            return
        waiting = (s for s in mapping.in_order(attempt) if s.state == AttemptState.NOT_STARTED)
        if mapping.running_section(attempt) is None and (following := next(waiting, None)) is not None:
            await self._service.start_section(following)
        asked_at = self._clock.boot()
        attempt = await self._service.read(self._session.attempt_id)
        questions, items = await load(self._service, attempt)
        items = self._journal.laid_over(items)
        self._live.questions |= {question.id: question for question in questions}
        now = self._clock.boot()
        sync = outbox.compared(outbox.timed(self.sync, now), now)
        self._connection.sync = replace(sync, compared=False, comparisons=0)
        deadline = Deadline().adopt(mapping.reading_of(attempt, asked_at, now, self._clock.speed))
        self._live.apply(SectionBegan(items, mapping.sections_of(attempt), deadline, now))
        self._journal.keep_exam(attempt, tuple(self._live.questions.values()), self._session.known)
        self._journal.keep_time(deadline)

    def _section_id(self) -> int:
        running = self._session.running_section
        return -1 if running is None else self._session.sections[running].section_id

    async def _end(self) -> None:
        """End the attempt. After a lost or refused end, the next step reads the attempt."""
        try:
            attempt = await self._service.end(self._session.attempt_id)
        except ApiError:
            self._connection.sync = replace(self.sync, doubtful=True)
            raise
        if mapping.still_running(attempt):
            self._connection.sync = replace(self.sync, doubtful=True)
            return
        await self._connection.completed(attempt)
