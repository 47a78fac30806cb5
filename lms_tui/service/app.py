"""The service as an ASGI application."""

import secrets
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

import anyio
from fastapi import FastAPI

from lms_tui.service import errors
from lms_tui.service.attempts import routes as attempts
from lms_tui.service.auth import routes as auth
from lms_tui.service.batches import routes as batches
from lms_tui.service.body_sizes import BodySizes
from lms_tui.service.context import Service
from lms_tui.service.db.database import Database
from lms_tui.service.exams import routes as exams
from lms_tui.service.hot.stores import open_store
from lms_tui.service.hot.writer import Writer
from lms_tui.service.keyfile import read_or_create
from lms_tui.service.media import Media
from lms_tui.service.mentors import routes as mentors
from lms_tui.service.papers import routes as papers
from lms_tui.service.passwords import Passwords
from lms_tui.service.posts import routes as posts
from lms_tui.service.schema import add_schema
from lms_tui.service.seals import Seals
from lms_tui.service.settings import Clock, ServiceSettings, system_clock
from lms_tui.service.stats import routes as stats
from lms_tui.service.sweep import sweep, sweep_for_ever
from lms_tui.service.tokens import Tokens
from lms_tui.service.users import routes as users
from lms_tui.service.videos import routes as videos


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
        writer=Writer(open_store(database), database, settings.timing.grace),
    )
    app = FastAPI(
        title="Learning management service",
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
        lifespan=_sweeping,
    )
    app.state.service = service
    errors.install(app)
    app.add_middleware(BodySizes, limits=settings.limits)
    routers = [area.router for area in (users, batches, mentors, posts, videos, papers, stats, exams, attempts)]
    for router in (auth.routes(settings.limits.concurrent_hashes), *routers):
        # As they are: a router that is included has each of its routes worked out once more, by the first requests.
        app.router.routes += router.routes
    add_schema(app)
    return app


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
