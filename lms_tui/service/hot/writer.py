"""One writer for the hot moves: what has gathered goes into one transaction, and each is answered after its commit."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Final, Protocol

import anyio.to_thread

from lms_tui.service.attempts.ending import close_overdue
from lms_tui.service.db.database import Database
from lms_tui.service.errors import Failure, Invalid
from lms_tui.service.hot.facts import Facts, MissingFacts
from lms_tui.service.hot.moves import Move, Overdue, Rows, perform

_LOG: Final = logging.getLogger("lms_tui.service")
_MOST: Final = 128
"""Moves of one transaction: more would keep those that wait for it waiting longer than they gain."""
_TRIES: Final = 4


class Unit(Protocol):
    """One transaction of a batch; leaving it without an error commits durably, with an error rolls back."""

    async def load(self, moves: Sequence[Move]) -> Rows:
        """Load every row of the moves, held until the end of the transaction."""

    async def save(self, rows: Rows) -> None:
        """Write what has changed."""


class Store(Protocol):
    def unit(self) -> AbstractAsyncContextManager[Unit]: ...


class Writer:
    """Performs moves in the order in which they arrive, in batches; needs no start, and ends with its work."""

    def __init__(self, store: Store, database: Database, grace: timedelta) -> None:
        self._store = store
        self._database = database
        self._facts = Facts(database)
        self._grace = grace
        self._waiting: deque[tuple[Move, asyncio.Future[bytes]]] = deque()
        self._working: asyncio.Task[None] | None = None

    async def perform(self, move: Move) -> bytes:
        """Return the answer to a move whose change is durable; raises Failure, Invalid and errors of the database."""
        for _ in range(_TRIES):
            try:
                return await self._in_turn(move)
            except MissingFacts as missing:
                keep = await anyio.to_thread.run_sync(self._facts.read, missing)
                keep()
            except Overdue:
                await anyio.to_thread.run_sync(close_overdue, self._database, move.user_id, move.now, self._grace)
        raise TimeoutError("what a move needs to know was forgotten as fast as it was read")

    async def _in_turn(self, move: Move) -> bytes:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[bytes] = loop.create_future()
        self._waiting.append((move, future))
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._work())
        return await future

    async def _work(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(_MOST, len(self._waiting)))]
            try:
                answers = await self._transact([move for move, _ in batch])
            except BaseException as error:  # whatever it is, nobody may be left waiting for an answer
                for _, future in batch:
                    if not future.done():
                        future.set_exception(_told(error))
                if not isinstance(error, Exception):
                    raise
                continue
            for (_, future), answer in zip(batch, answers, strict=True):
                if future.done():  # its connection has gone; what it asked for is done all the same
                    continue
                if isinstance(answer, bytes):
                    future.set_result(answer)
                else:
                    future.set_exception(answer)

    async def _transact(self, moves: Sequence[Move]) -> list[bytes | Exception]:
        async with self._store.unit() as unit:
            rows = await unit.load(moves)
            answers: list[bytes | Exception] = []
            for move in moves:
                try:
                    answers.append(perform(move, rows, self._facts, self._grace))
                except (Failure, Invalid, Overdue, MissingFacts) as refusal:
                    answers.append(refusal)
            if rows.changed_attempts:
                await unit.save(rows)
        return answers


def _told(error: BaseException) -> Exception:
    if isinstance(error, Exception):
        return error
    return ConnectionAbortedError("the service ended")
