"""The first stage of the demo institute: it answers what home asks for, and builds the whole service behind that."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import anyio
import anyio.to_thread
from starlette.routing import Router
from starlette.types import Receive, Scope, Send

from lms_tui.service.core.error_replies import unavailable
from lms_tui.service.server.home.replies import HomeReplies
from lms_tui.service.server.passing_on import PassedOn
from lms_tui.service.server.whole import Whole

LATEST: Final = 1.0
"""Seconds after the start of the demo in which the whole service begins to be built, whatever is asked for."""
_QUIET: Final = 0.2
"""Seconds without a request after which it begins earlier. A reply beside the imports would take longer."""


class FirstStage:
    """Serves the first replies, and every other request once the whole service is built.

    `build`: builds it, in a thread. `on_failure`: takes the error where that fails, and ends the process. `latest`: the
    seconds after which it begins to be built.
    """

    def __init__(
        self,
        replies: HomeReplies,
        build: Callable[[], Whole],
        on_failure: Callable[[Exception], None],
        latest: float = LATEST,
    ) -> None:
        self._replies = replies
        self._build = build
        self._on_failure = on_failure
        self._wait = latest
        self._whole: Whole | None = None
        self._begins = self._latest = 0.0
        """When the whole service begins to be built, in the time of the event loop."""
        self._wanted = anyio.Event()
        self._is_built = anyio.Event()
        self._lifespan = Router(lifespan=lambda _: self._running()).lifespan

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        if self._whole is None:
            try:
                await self._replies.reply(scope, receive, send)
            except PassedOn as request:
                receive = request.receive
            else:
                self._begins = min(anyio.current_time() + _QUIET, self._latest)
                return
            self._wanted.set()
            await self._is_built.wait()
        app = unavailable() if self._whole is None else self._whole.app
        await app(scope, receive, send)

    @asynccontextmanager
    async def _running(self) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._become_whole)
            yield
            tasks.cancel_scope.cancel()

    async def _become_whole(self) -> None:
        self._begins = self._latest = anyio.current_time() + self._wait
        while not self._wanted.is_set() and (left := self._begins - anyio.current_time()) > 0:
            with anyio.move_on_after(left):
                await self._wanted.wait()
        try:
            whole = await anyio.to_thread.run_sync(self._build)
        except Exception as error:  # noqa: BLE001  # whatever keeps the service from starting
            self._on_failure(error)
        else:
            async with whole.background():
                self._whole = whole
                self._is_built.set()
                await anyio.sleep_forever()
        finally:
            self._is_built.set()
