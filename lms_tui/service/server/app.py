"""The service as an ASGI application."""

import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from importlib import import_module

import anyio
from fastapi import FastAPI
from starlette.routing import BaseRoute

from lms_tui.service.attempts import exam_routes as exams
from lms_tui.service.attempts import routes as attempts
from lms_tui.service.attempts.sweep import sweep, sweep_for_ever
from lms_tui.service.auth import routes as auth
from lms_tui.service.core import errors
from lms_tui.service.core.body_sizes import BodySizes
from lms_tui.service.core.context import Service
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.keyfile import read_or_create
from lms_tui.service.core.media import Media
from lms_tui.service.core.openapi import add_schema
from lms_tui.service.core.passwords import Passwords
from lms_tui.service.core.routing import Rest
from lms_tui.service.core.settings import Clock, ServiceSettings, system_clock
from lms_tui.service.core.signer import Seals
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.server.fast_path.stores import open_store
from lms_tui.service.server.fast_path.writer import Writer
from lms_tui.service.users import routes as users


def create_app(settings: ServiceSettings, database: Database, clock: Clock = system_clock) -> FastAPI:
    """Build the application over a prepared database; whoever opened the database closes it."""
    key = read_or_create(settings.key_file)
    service = Service(
        settings=settings,
        database=database,
        clock=clock,
        tokens=Tokens(key, clock, settings.timing.token_lifetime),
        passwords=Passwords(settings.limits.password),
        seals=Seals(key),
        media=Media(settings.media),
        costly=threading.Semaphore(settings.limits.concurrent_hashes),
    )
    app = FastAPI(
        title="Learning management service",
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
        lifespan=_sweeping,
    )
    app.state.service = service
    app.state.writer = Writer(open_store(database), database, settings.timing.grace)
    errors.install(app)
    app.add_middleware(BodySizes, limits=settings.limits)
    for router in (auth.routes(settings.limits.concurrent_hashes), users.router, exams.router, attempts.router):
        # As they are: a router that is included has each of its routes worked out once more, by the first requests.
        app.router.routes += router.routes
    add_schema(app)
    rest = Rest(app.router.routes, _rest)
    app.router.routes.append(rest)
    if not settings.is_practice:
        rest.build()
    return app


def _rest() -> Iterator[BaseRoute]:
    """The routes that nobody needs to sit an exam: who practises does not wait for them."""
    for area in ("batches", "mentors", "posts", "videos", "papers", "stats"):
        yield from import_module(f"lms_tui.service.{area}.routes").router.routes


@asynccontextmanager
async def _sweeping(app: FastAPI) -> AsyncIterator[None]:
    """Sweep for overdue attempts as long as the application runs."""
    service: Service = app.state.service
    timing = service.settings.timing
    holder = secrets.token_hex(8)
    async with anyio.create_task_group() as tasks:
        if timing.sweep_every is not None:

            def run(every: timedelta = timing.sweep_every) -> int:
                return sweep(service.database, holder, service.clock(), grace=timing.grace, lasts=3 * every)

            tasks.start_soon(partial(sweep_for_ever, run, timing.sweep_every))
        yield
        tasks.cancel_scope.cancel()
