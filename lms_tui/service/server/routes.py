"""The routes of the service, served by FastAPI."""

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Final

from fastapi import FastAPI
from starlette.routing import BaseRoute

from lms_tui.service.attempts import exam_routes
from lms_tui.service.attempts.writes import Writer
from lms_tui.service.auth import routes as auth
from lms_tui.service.auth.sign_in import SignIn
from lms_tui.service.core import error_handlers
from lms_tui.service.core.openapi import add_schema
from lms_tui.service.core.routing import LazyRoutes
from lms_tui.service.users import me_routes

_LATER: Final = (
    ("attempts.routes",),
    ("attempts.file_routes", "posts.routes", "stats.routes"),
    ("users.routes", "batches.routes", "grading.routes", "mentors.routes"),
    ("videos.routes", "papers.routes", "watch.routes"),
)
"""The modules of the routes that practice builds when they are first asked for, in this order."""


def build(signing_in: SignIn, writer: Writer) -> FastAPI:
    """Return FastAPI with all routes."""
    service = signing_in.service
    app = FastAPI(
        title="Learning management service",
        openapi_url=None,
        redirect_slashes=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "operation_spans": False},
    )
    app.state.service = service
    app.state.writer = writer
    error_handlers.install(app)
    for router in (auth.routes(signing_in), me_routes.router, exam_routes.router):
        # `include_router` would analyse every endpoint a second time.
        app.router.routes += router.routes
    add_schema(app)
    later = [LazyRoutes(app.router.routes, partial(_routes_of, modules)) for modules in _LATER]
    app.router.routes += later
    if not service.settings.is_practice:
        for lazy in later:
            lazy.build()
    return app


def _routes_of(modules: Sequence[str]) -> Iterator[BaseRoute]:
    for name in modules:
        yield from import_module(f"lms_tui.service.{name}").router.routes
