"""The service as an ASGI application."""

import secrets
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import Final

import anyio
from fastapi import FastAPI
from starlette.routing import BaseRoute

from lms_tui.service.attempts import list_routes
from lms_tui.service.attempts.sweep import sweep_by, sweep_forever
from lms_tui.service.auth import routes as auth
from lms_tui.service.auth.fair_queue import FairQueue
from lms_tui.service.auth.gate import SignInGate
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.core import error_replies
from lms_tui.service.core.body_sizes import BodySizes
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.callers import open_callers
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.epoch import Epoch, tick_forever
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.media import Media
from lms_tui.service.core.openapi import add_schema
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.routing import LazyRoutes
from lms_tui.service.core.settings import Clock, ServiceSettings, system_clock
from lms_tui.service.core.signer import Signer
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.server.fast_path.stores import open_store
from lms_tui.service.server.fast_path.writer import Writer
from lms_tui.service.users import me_routes

_LATER: Final = (
    ("attempts.exam_routes",),
    ("attempts.routes",),
    ("attempts.file_routes", "posts.routes", "stats.routes"),
    ("users.routes", "batches.routes", "grading.routes", "mentors.routes"),
    ("videos.routes", "papers.routes", "watch.routes"),
)
"""The modules of the routes that practice builds when they are first asked for, in this order."""


def create_app(settings: ServiceSettings, database: Database, clock: Clock = system_clock) -> FastAPI:
    """Return the application for an open database, which the caller closes."""
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
    app = FastAPI(
        title="Learning management service",
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
        lifespan=_lifespan,
    )
    app.state.service = service
    app.state.writer = Writer(open_store(database), database, epoch, settings.timing.grace)
    error_replies.install(app)
    limits = settings.limits
    # One more place than passwords are compared at a time, so that the next sign-in is read meanwhile.
    queue = FairQueue(limits.concurrent_hashes + 1, limits.waiting_sign_ins, limits.sign_in_patience)
    app.add_middleware(SignInGate, queue=queue)
    app.add_middleware(BodySizes, limits=limits)
    shared = settings.data_dir if settings.workers > 1 else None
    sign_in = auth.routes(PasswordCheck(service.passwords, limits.concurrent_hashes, shared))
    for router in (sign_in, me_routes.router, list_routes.router):
        # `include_router` would analyse every endpoint a second time.
        app.router.routes += router.routes
    add_schema(app)
    # The first requests of practice need none of these routes, or only the first ones.
    later = [LazyRoutes(app.router.routes, partial(_routes_of, modules)) for modules in _LATER]
    app.router.routes += later
    if not settings.is_practice:
        for lazy in later:
            lazy.build()
    return app


def _routes_of(modules: Sequence[str]) -> Iterator[BaseRoute]:
    for name in modules:
        yield from import_module(f"lms_tui.service.{name}").router.routes


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the sweep and the epoch while the application runs."""
    service: Service = app.state.service
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
