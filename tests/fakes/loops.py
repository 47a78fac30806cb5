"""An event loop that passes the time of timers at once while nothing outside of it is under way."""

import asyncio
import contextlib
import selectors
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import TypeVar, TypeVarTuple

import httpx

from lms_tui.service.server.app import Application

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class QuickLoop(asyncio.SelectorEventLoop):
    """A test waits for what the program does and never for the clock.

    While a thread works, or a socket or a pipe is open, the loop waits as every other loop does.
    """

    def __init__(self) -> None:
        self._ahead = 0.0
        self._working = 0
        super().__init__(_QuickSelector(self))

    def time(self) -> float:
        return time.monotonic() + self._ahead

    def jump(self, seconds: float) -> None:
        self._ahead += seconds

    @property
    def is_passing_time(self) -> bool:
        """Whether only timers are waited for."""
        return self._working == 0

    @contextlib.contextmanager
    def work(self) -> Iterator[None]:
        """Let time pass as it does while this work is under way."""
        self._working += 1
        try:
            yield
        finally:
            self._working -= 1

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Arguments], Result], *args: *Arguments
    ) -> asyncio.Future[Result]:
        future = super().run_in_executor(executor, func, *args)
        self._working += 1
        future.add_done_callback(self._worked)
        return future

    async def shutdown_default_executor(self, *timeout: float | None) -> None:
        """Wait for the threads. Since Python 3.12 there is a time limit, which would be over at once."""
        with self.work():
            await super().shutdown_default_executor(*timeout)

    def _worked(self, future: asyncio.Future[Result]) -> None:
        self._working -= 1


class _QuickSelector(selectors.DefaultSelector):
    def __init__(self, loop: QuickLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if ready:
            return ready
        if not self._loop.is_passing_time or len(self.get_map()) > 1:  # one file wakes the loop up for threads
            return super().select(timeout)
        self._loop.jump(timeout)
        return []


class InProcess(httpx.AsyncBaseTransport):
    """A service in this process, whose threads the loop waits for."""

    def __init__(self, app: Application) -> None:
        self._inner = httpx.ASGITransport(app)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        loop = asyncio.get_running_loop()
        with loop.work() if isinstance(loop, QuickLoop) else contextlib.nullcontext():
            return await self._inner.handle_async_request(request)
