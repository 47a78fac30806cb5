"""Build the service for its settings: the database, what the demo adds to it, and the application."""

import socket
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy.orm import configure_mappers

from lms_tui.common.hosts import is_loopback
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.opening import open_database as open_at
from lms_tui.service.core.media import Media
from lms_tui.service.core.settings import Clock, FaultSettings, ServiceSettings
from lms_tui.service.server.app import create_app
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.fast_path.route import FastPath
from lms_tui.service.server.serving import (
    announce,
    clock_of,
    end_with,
    ignore_step,
    keep_imported,
    listen,
    log_to_file,
    server_for,
)
from lms_tui.service.server.whole import Whole
from lms_tui.service.server.workers import Supervisor

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from lms_tui.service.faults.fault_injector import FaultInjector

_NAMED: Final = 3
"""Most accounts that a refusal names."""


def run_whole(settings: ServiceSettings, tell: Callable[[str], None], stack: ExitStack) -> int:
    """Build the service and serve. Return the exit code. Raises AdvisedError. `tell`: takes each step of the start."""
    database = stack.enter_context(closing(open_database(settings)))
    if settings.demo:
        _refuse_another(database, settings.data_dir.parent)
    elif settings.for_others or not is_loopback(settings.host):
        _refuse_public_passwords(database)
    listener = stack.enter_context(closing(listen(settings)))
    clock = clock_of(settings)
    injector = None
    if settings.fault_injection is not None:
        injector = _injector(settings.fault_injection, settings.clock)
        clock = injector.clock
        stack.callback(_print_report, injector)
    # Errors in the settings must appear before anything starts.
    app, _ = _built(settings, database, clock, injector)
    if settings.demo:
        _complete_demo(settings, database, clock, tell)
    ready = partial(announce, listener)
    if settings.workers == 1:
        server = server_for(app, settings, ready)
        if settings.end_with_stdin:
            end_with(server, 0)
        server.run([listener])
        return 0
    database.close()
    work = partial(_work, settings, listener)
    return Supervisor(settings.workers, work, ready, ends_with_stdin=settings.end_with_stdin).run()


def _work(
    settings: ServiceSettings, listener: socket.socket, number: int, ready: Callable[[], None], lifeline: int
) -> int:
    """Run one of several processes. Each has its own log file, because they cannot share a rotation."""
    with (
        log_to_file(settings.log.with_stem(f"{settings.log.stem}-{number}")),
        closing(open_database(settings)) as database,
    ):
        app, _ = _built(settings, database, clock_of(settings))
        server = server_for(app, settings, ready)
        end_with(server, lifeline)
        server.run([listener])
    return 0


def _built(
    settings: ServiceSettings, database: Database, clock: Clock, injector: "FaultInjector | None" = None
) -> Whole:
    app = create_app(settings, database, clock)
    served: ASGIApp = FastPath(app, app.service, app.writer)
    if injector is not None:
        from lms_tui.service.faults.routes import install  # noqa: PLC0415  # needed by testers only

        served = install(app, app.routes, injector)
    keep_imported(settings)
    return Whole(served, app.background)


def build_behind(settings: ServiceSettings, clock: Clock, stack: ExitStack) -> Whole:
    """Build the service behind its first stage. Raises AdvisedError."""
    # This makes no new file, because the folder of a dry run that was killed may be deleted meanwhile.
    database = stack.enter_context(closing(open_database(settings, creates=False)))
    if settings.demo:
        _refuse_another(database, settings.data_dir.parent)
    whole = _built(settings, database, clock)
    configure_mappers()  # here, because the first statement would wait for it
    if settings.demo:
        _complete_demo(settings, database, clock, ignore_step)
    return whole


def open_database(settings: ServiceSettings, *, creates: bool = True) -> Database:
    """Open the database at the newest migration. `creates` and errors: see `lms_tui.service.core.database.opening`."""
    return open_at(settings.address, brief=settings.is_practice, creates=creates)


def _refuse_another(database: Database, folder: Path) -> None:
    """Refuse an institute that is not the demo, because its administrator would have a public password.

    Raises ServiceError.
    """
    from lms_tui.service.demo.presence import is_another  # noqa: PLC0415  # needed by the demo only

    if is_another(database):
        raise ServiceError(
            f"The institute in {folder} is not the demo institute.", "Give another folder with --data-dir."
        )


def _refuse_public_passwords(database: Database) -> None:
    """Refuse to serve other computers while accounts have public passwords, such as after a demo.

    Raises ServiceError.
    """
    from lms_tui.service.users.public_passwords import accounts_with_public_passwords  # noqa: PLC0415  # needed here only

    names = accounts_with_public_passwords(database)
    if names:
        rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        raise ServiceError(
            f"Accounts of this institute have public passwords, as in the demo: {', '.join(names[:_NAMED])}{rest}.",
            "Give the folder of your own institute with --data-dir, or disable them: lms-tui user disable NAME.",
        )


def _complete_demo(settings: ServiceSettings, database: Database, clock: Clock, tell: Callable[[str], None]) -> None:
    """Add what the demo institute lacks."""
    from lms_tui.service.demo.presence import add_film, is_complete  # noqa: PLC0415  # needed by the demo only

    media = Media(settings.media)
    add_film(media)
    if not is_complete(database):
        from lms_tui.service.core.passwords import Passwords  # noqa: PLC0415  # needed by the first start only
        from lms_tui.service.demo.institute import build_institute  # noqa: PLC0415  # as above

        build_institute(database, Passwords(settings.limits.password), clock(), media, tell)


def _injector(settings: FaultSettings, clock: Clock) -> "FaultInjector":
    """Return the fault injector. Raises FaultError for an invalid fault."""
    from lms_tui.service.faults.fault_injector import FaultInjector  # noqa: PLC0415  # needed by testers only

    return FaultInjector(settings.faults, settings.seed, clock)


def _print_report(injector: "FaultInjector") -> None:
    with suppress(BrokenPipeError):  # the parent has ended
        print(injector.report().sentences(), flush=True)  # noqa: T201  # the output for the tester
