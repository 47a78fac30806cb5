"""One writer for the hot moves: what has gathered goes into one transaction, and each is answered after its commit."""

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
from lms_tui.service.attempts.response_cache import Facts, MissingFacts
from lms_tui.service.attempts.writes import Move, Overdue, Rows, perform
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.errors import Failure, Invalid

_LOG: Final = logging.getLogger("lms_tui.service")
_MOST: Final = 128
"""Moves of one transaction: more would keep those that wait for it waiting longer than they gain."""
_ENOUGH: Final = 32
"""Moves that wait while others are under way before a further batch begins: a small one costs nearly as much."""
_COMPANY: Final = 24
_MOMENT: Final = 0.002
"""Seconds that a batch which follows on another waits for company, unless it has that many moves: at 4,500 moves a
second this costs each 6 ms more and a fifth of the processor less."""
_TRIES: Final = 4
_ENDED: Final = "the service ended"


class Unit(Protocol):
    """One transaction of a batch; leaving it without an error commits durably, with an error rolls back."""

    async def load(self, moves: Sequence[Move]) -> Rows:
        """Load every row of the moves, held until the end of the transaction."""

    async def save(self, rows: Rows) -> None:
        """Write what has changed."""


class Store(Protocol):
    @property
    def width(self) -> int:
        """How many batches may be under way at a time."""

    def unit(self) -> AbstractAsyncContextManager[Unit]: ...


Reply = Callable[[bytes | Exception], None]
"""Called on the loop with the answer to a move, after its commit, or with why there is none; raises nothing."""


class _Waiting(NamedTuple):
    """A move and who waits for its answer; `tries`: how often something may be seen to before it is performed."""

    move: Move
    reply: Reply
    tries: int


class Writer:
    """Performs moves in batches, in the order in which they arrive; needs no start, and ends with its work."""

    def __init__(self, store: Store, database: Database, grace: timedelta) -> None:
        self._store = store
        self._database = database
        self._facts = Facts(database)
        self._grace = grace
        self._waiting: deque[_Waiting] = deque()
        self._workers = 0
        self._company: asyncio.Future[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading: dict[tuple[int | None, int | None], asyncio.Task[None]] = {}

    async def perform(self, move: Move) -> bytes:
        """Return the answer to a move whose change is durable; raises Failure, Invalid and errors of the database."""
        future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.submit(move, partial(_tell, future))
        return await future

    def submit(self, move: Move, reply: Reply) -> None:
        """Perform a move in its turn, for who waits in no coroutine of its own."""
        self._queue(_Waiting(move, reply, _TRIES))

    def _queue(self, waiting: _Waiting) -> None:
        self._waiting.append(waiting)
        if self._company is not None and len(self._waiting) >= _COMPANY:
            _wake(self._company)
        if not self._workers or (self._workers < self._store.width and len(self._waiting) >= _ENOUGH):
            self._workers += 1
            self._begin(self._work())

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_to(self, waiting: _Waiting, needed: MissingFacts | Overdue) -> None:
        """Do what has to be done before a move can be performed, and let it queue again."""
        move, reply, tries = waiting
        if tries == 1:
            reply(TimeoutError("what a move needs to know was forgotten as fast as it was read"))
            return
        try:
            if isinstance(needed, MissingFacts):
                await asyncio.shield(self._read(needed))
            else:
                await anyio.to_thread.run_sync(close_overdue, self._database, move.user_id, move.now, self._grace)
        except Exception as error:  # noqa: BLE001  # whatever it is, who waits is told
            reply(error)
        except BaseException:
            reply(ConnectionAbortedError(_ENDED))
            raise
        else:
            self._queue(_Waiting(move, reply, tries - 1))

    def _read(self, missing: MissingFacts) -> asyncio.Task[None]:
        """Read facts once, however many wait for them."""
        reading = self._reading.get(missing.key)
        if reading is None:
            reading = self._reading[missing.key] = asyncio.get_running_loop().create_task(self._keep(missing))
            reading.add_done_callback(partial(self._has_read, missing))
        return reading

    def _has_read(self, missing: MissingFacts, reading: asyncio.Task[None]) -> None:
        self._reading.pop(missing.key, None)
        error = None if reading.cancelled() else reading.exception()
        # Whoever waits for it is told; nobody may, and then the exam is read again when patience with it ends.
        if error is not None and not isinstance(error, Failure):
            _LOG.warning("what a move needs to know could not be read: %s", type(error).__name__)

    async def _keep(self, missing: MissingFacts) -> None:
        keep = await anyio.to_thread.run_sync(self._facts.read, missing)
        keep()

    async def _work(self) -> None:
        try:
            await self._work_off()
        finally:
            # Before anything else runs: a move that comes now must find that nobody is at work.
            self._workers -= 1

    async def _work_off(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_MOST, len(self._waiting)))]
            try:
                answers = await self._settle([waiting.move for waiting in batch])
            except BaseException:  # whatever it is, nobody may be left waiting for an answer
                for waiting in batch:
                    waiting.reply(ConnectionAbortedError(_ENDED))
                raise
            for waiting, answer in zip(batch, answers, strict=True):
                if isinstance(answer, MissingFacts | Overdue):
                    self._begin(self._see_to(waiting, answer))
                else:
                    waiting.reply(answer)
            while self._facts.stale:
                self._read(MissingFacts(exam=self._facts.stale.pop()))
            if self._company is not None:
                return  # another waits for company, and takes what is there
            if 0 < len(self._waiting) < _COMPANY:
                await self._gather()

    async def _gather(self) -> None:
        loop = asyncio.get_running_loop()
        self._company = loop.create_future()
        moment = loop.call_later(_MOMENT, _wake, self._company)
        try:
            await self._company
        finally:
            moment.cancel()
            self._company = None

    async def _settle(self, moves: Sequence[Move]) -> list[bytes | Exception]:
        try:
            return await self._transact(moves)
        except OperationalError as error:
            # The database is away or full, for each of them alike; whether it has committed may not be known.
            return [error] * len(moves)
        except Exception as error:  # noqa: BLE001  # a row that cannot be read or written: known to be rolled back
            if len(moves) == 1:
                return [error]
        # Which of them it was shows when each has a transaction to itself; the others are not its fault.
        return [answer for move in moves for answer in await self._settle([move])]

    async def _transact(self, moves: Sequence[Move]) -> list[bytes | Exception]:
        async with self._store.unit() as unit:
            rows = await unit.load(moves)
            answers: list[bytes | Exception] = []
            for move in moves:
                try:
                    answers.append(perform(move, rows, self._facts, self._grace))
                except (Failure, Invalid, Overdue, MissingFacts) as refusal:
                    answers.append(refusal)
            if rows.clocks or rows.worked:
                await unit.save(rows)
        return answers


def _wake(company: asyncio.Future[None]) -> None:
    if not company.done():
        company.set_result(None)


def _tell(future: asyncio.Future[bytes], answer: bytes | Exception) -> None:
    if future.done():  # its connection has gone; what it asked for is done all the same
        return
    if isinstance(answer, bytes):
        future.set_result(answer)
    else:
        future.set_exception(answer)
