"""The service as an ASGI application."""

import secrets
import threading
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.routing import Router
from starlette.types import Receive, Scope, Send

from lms_tui.service.attempts.sweep import sweep_by, sweep_forever
from lms_tui.service.auth.fair_queue import FairQueue
from lms_tui.service.auth.gate import SignInGate
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.sign_in import SignIn
from lms_tui.service.core.body_sizes import BodySizes
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.callers import open_callers
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch, tick_forever
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.media import Media
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.settings import Clock, ServiceSettings, system_clock
from lms_tui.service.core.signer import Signer
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.server.fast_path.stores import open_store
from lms_tui.service.server.fast_path.writer import Writer
from lms_tui.service.server.first_replies import FirstReplies

if TYPE_CHECKING:
    from fastapi import FastAPI


class Application:
    """Answers every request, within the limits on bodies and sign-ins."""

    def __init__(self, service: Service, writer: Writer) -> None:
        self.service = service
        self.writer = writer
        settings = service.settings
        limits = settings.limits
        shared = settings.data_dir if settings.workers > 1 else None
        self._signing_in = SignIn(service, PasswordCheck(service.passwords, limits.concurrent_hashes, shared))
        # One more place than passwords are compared at a time, so that the next sign-in is read meanwhile.
        queue = FairQueue(limits.concurrent_hashes + 1, limits.waiting_sign_ins, limits.sign_in_patience)
        self._served = BodySizes(SignInGate(FirstReplies(self._serve_rest, self._signing_in), queue), limits)
        self._building = threading.Lock()
        self._routes: FastAPI | None = None
        self._lifespan = Router(lifespan=lambda _: self.background()).lifespan

    @property
    def routes(self) -> "FastAPI":
        """All routes, which the first call builds."""
        with self._building:
            if self._routes is None:
                from lms_tui.service.server.routes import build  # noqa: PLC0415  # FastAPI takes 100 ms to import

                self._routes = build(self._signing_in, self.writer)
            return self._routes

    def background(self) -> AbstractAsyncContextManager[None]:
        """Run what works beside the requests."""
        return _background(self.service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        else:
            await self._served(scope, receive, send)

    async def _serve_rest(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._routes is None:  # in a thread, because heartbeats must not wait
            await anyio.to_thread.run_sync(lambda: self.routes)
        await self.routes(scope, receive, send)


def create_app(settings: ServiceSettings, database: Database, clock: Clock = system_clock) -> Application:
    """Return the application for an open database, which the caller closes. In practice its routes are built later."""
    key = read_or_create(settings.key_file)
    epoch = Epoch(database, settings.epoch_mark)
    epoch.open()
    service = Service(
        settings=settings,
        database=database,
        callers=open_callers(database),
        epoch=epoch,
        clock=clock,
        tokens=Tokens(key, clock, settings.timing.token_lifetime),
        passwords=Passwords(settings.limits.password),
        signer=Signer(key),
        media=Media(settings.media),
        heavy_work=threading.Semaphore(settings.limits.concurrent_hashes),
        uploads=anyio.CapacityLimiter(settings.limits.concurrent_uploads),
    )
    app = Application(service, Writer(open_store(database), database, epoch, settings.timing.grace))
    if not settings.is_practice:
        _ = app.routes
    return app


@asynccontextmanager
async def _background(service: Service) -> AsyncIterator[None]:
    """Run the sweep and the epoch while the application runs."""
    timing = service.settings.timing
    holder = secrets.token_hex(8)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(tick_forever, service.epoch)
        if timing.sweep_every is not None:

            def run(every: timedelta = timing.sweep_every) -> int:
                return sweep_by(service.clock, service.database, holder, grace=timing.grace, lasts=3 * every)

            tasks.start_soon(partial(sweep_forever, run, timing.sweep_every))
        yield
        tasks.cancel_scope.cancel()
