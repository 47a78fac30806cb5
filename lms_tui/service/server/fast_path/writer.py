"""The writer of heartbeats and answers. It commits them in batches and replies after the commit."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

import anyio.to_thread
from sqlalchemy.exc import OperationalError

from lms_tui.service.attempts.ending import close_overdue
from lms_tui.service.attempts.response_cache import NotCached, ResponseCache
from lms_tui.service.attempts.writes import Done, Overdue, Rows, Write, perform
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch
from lms_tui.service.core.errors import Failure, Invalid

_LOG: Final = logging.getLogger("lms_tui.service")
_MAX_BATCH: Final = 128
_MIN_PARALLEL: Final = 16
"""Waiting writes that start a second batch beside a running one. A smaller batch costs nearly as much.

With 32 connections, this lets the process work on one half while the database works on the other.
"""
_FULL_ENOUGH: Final = 24
_BATCH_DELAY: Final = 0.002
"""Seconds that a batch after another one waits for more writes, unless it has `_FULL_ENOUGH`. At 4,500 writes a second
this adds 6 ms to each and saves a fifth of the processor time."""
_TRIES: Final = 4
_ENDED: Final = "the service ended"


class Unit(Protocol):
    """The transaction of a batch. Leaving its context commits durably, or rolls back after an error."""

    async def load(self, writes: Sequence[Write]) -> Rows:
        """Load and lock every row of the writes."""

    async def save(self, rows: Rows) -> None:
        """Write the changed rows."""


class Store(Protocol):
    @property
    def width(self) -> int:
        """The number of batches at a time."""

    @property
    def few(self) -> int:
        """The most writes of a batch after which the next one does not wait for more."""

    def unit(self) -> AbstractAsyncContextManager[Unit]: ...


Reply = Callable[[Done | Exception], None]
"""Called on the loop with the response after the commit, or with an error. It must not raise."""


class _Waiting(NamedTuple):
    """A write with its reply function. `tries` is how often it may still be queued."""

    write: Write
    reply: Reply
    tries: int


class Writer:
    """Performs writes in batches, in order of arrival. Its task ends when the queue is empty."""

    def __init__(self, store: Store, database: Database, epoch: Epoch, grace: timedelta) -> None:
        self._store = store
        self._database = database
        self._epoch = epoch
        self._cache = ResponseCache(database)
        self._grace = grace
        self._waiting: deque[_Waiting] = deque()
        self._workers = 0
        self._gathering: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading: dict[tuple[int | None, int | None], asyncio.Task[None]] = {}

    async def perform(self, write: Write) -> Done:
        """Return the response to a write once it is durable. Raises Failure, Invalid and errors of the database."""
        future: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self.submit(write, partial(_resolve, future))
        return await future

    def submit(self, write: Write, reply: Reply) -> None:
        """Perform a write and pass the response to `reply`."""
        self._queue(_Waiting(write, reply, _TRIES))

    def _queue(self, waiting: _Waiting) -> None:
        self._waiting.append(waiting)
        if self._gathering is not None and len(self._waiting) >= _FULL_ENOUGH:
            _wake(self._gathering)
        if not self._workers or (self._workers < self._store.width and len(self._waiting) >= _MIN_PARALLEL):
            self._workers += 1
            self._begin(self._work())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _prepare(self, waiting: _Waiting, needed: NotCached | Overdue) -> None:
        """Fill the cache or end the overdue attempt, then queue the write again."""
        write, reply, tries = waiting
        if tries == 1:
            reply(TimeoutError("the response cache was cleared faster than it was filled"))
            return
        try:
            if isinstance(needed, NotCached):
                await asyncio.shield(self._read(needed))
            else:
                await anyio.to_thread.run_sync(close_overdue, self._database, write.user_id, write.now, self._grace)
        except Exception as error:  # noqa: BLE001  # every error goes to the caller
            reply(error)
        except BaseException:
            reply(ConnectionAbortedError(_ENDED))
            raise
        else:
            self._queue(_Waiting(write, reply, tries - 1))

    def _read(self, missing: NotCached) -> asyncio.Task[None]:
        """Read an exam or a section once, even if several writes wait for it."""
        reading = self._reading.get(missing.key)
        if reading is None:
            reading = self._reading[missing.key] = asyncio.get_running_loop().create_task(self._fill(missing))
            reading.add_done_callback(partial(self._has_read, missing))
        return reading

    def _has_read(self, missing: NotCached, reading: asyncio.Task[None]) -> None:
        self._reading.pop(missing.key, None)
        error = None if reading.cancelled() else reading.exception()
        # Writes that wait get the error. A background refresh has none, and the exam is read again later.
        if error is not None and not isinstance(error, Failure):
            _LOG.warning("the response cache could not be filled: %s", type(error).__name__)

    async def _fill(self, missing: NotCached) -> None:
        store = await anyio.to_thread.run_sync(self._cache.read, missing)
        store()

    async def _work(self) -> None:
        try:
            await self._empty_queue()
        finally:
            # Before anything else runs, because the next write must start a new worker.
            self._workers -= 1

    async def _empty_queue(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_MAX_BATCH, len(self._waiting)))]
            try:
                answers = await self._commit([waiting.write for waiting in batch])
            except BaseException:  # every caller must get a reply
                for waiting in batch:
                    waiting.reply(ConnectionAbortedError(_ENDED))
                raise
            for waiting, answer in zip(batch, answers, strict=True):
                if isinstance(answer, NotCached | Overdue):
                    self._begin(self._prepare(waiting, answer))
                else:
                    waiting.reply(answer)
            while self._cache.stale:
                self._read(NotCached(exam=self._cache.stale.pop()))
            if self._gathering is not None:
                return  # another worker already waits to fill its batch
            if len(batch) > self._store.few and 0 < len(self._waiting) < _FULL_ENOUGH:
                await self._wait_for_more()

    async def _wait_for_more(self) -> None:
        loop = asyncio.get_running_loop()
        self._gathering = loop.create_future()
        timer = loop.call_later(_BATCH_DELAY, _wake, self._gathering)
        try:
            await self._gathering
        finally:
            timer.cancel()
            self._gathering = None

    async def _commit(self, writes: Sequence[Write]) -> list[Done | Exception]:
        try:
            return await self._transact(writes)
        except OperationalError as error:
            # The database is unavailable or full for all of them. The transaction may have been committed.
            return [error] * len(writes)
        except Exception as error:  # noqa: BLE001  # one bad row: the transaction was rolled back
            if len(writes) == 1:
                return [error]
        # A transaction for each write isolates the bad one.
        return [answer for write in writes for answer in await self._commit([write])]

    async def _transact(self, writes: Sequence[Write]) -> list[Done | Exception]:
        async with self._store.unit() as unit:
            rows = await unit.load(writes)
            answers: list[Done | Exception] = []
            for write in writes:
                try:
                    answers.append(perform(write, rows, self._cache, self._grace, self._epoch.value))
                except (Failure, Invalid, Overdue, NotCached) as refusal:
                    answers.append(refusal)
            if rows.clocks or rows.worked:
                await unit.save(rows)
        if rows.worked:
            self._epoch.stir()
        return answers


def _wake(gathering: asyncio.Future[None]) -> None:
    if not gathering.done():
        gathering.set_result(None)


def _resolve(future: asyncio.Future[Done], answer: Done | Exception) -> None:
    if future.done():  # the client has disconnected
        return
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(answer)
