"""The process of the service: start, address, log and end."""

import gc
import os
import signal
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import uvicorn

from lms_tui.common.hosts import in_url, is_loopback
from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.opening import missing_file
from lms_tui.service.core.database.opening import open_database as open_at
from lms_tui.service.core.log_throttle import LogThrottle, logged_to_file
from lms_tui.service.core.media import Media
from lms_tui.service.core.settings import Clock, FaultSettings, ServiceSettings, system_clock
from lms_tui.service.core.steady_clock import SteadyClock
from lms_tui.service.server.app import create_app
from lms_tui.service.server.connection import guard
from lms_tui.service.server.connections import Admission, Connections
from lms_tui.service.server.fast_path.route import FastPath
from lms_tui.service.server.open_files import make_room
from lms_tui.service.server.workers import Supervisor

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from lms_tui.banks.model import Exam
    from lms_tui.service.core.passwords import Passwords
    from lms_tui.service.faults.fault_injector import FaultInjector

_SHUTDOWN_SECONDS: Final = 3
_NAMED: Final = 3
"""Most accounts that a refusal names."""
_SWITCH_SECONDS: Final = 0.002
"""How long a thread may run Python code while another one waits.

Python's default of 5 ms would delay an answer several times while other threads read lists or sign students in.
"""
_NEVER: Final = 1_000_000
"""Seconds after which uvicorn closes an idle connection. The service does it sooner."""
_OTHER_FILES: Final = 512
"""Descriptors beside those of the connections: databases, logs, and files that are sent."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class ServiceError(AdvisedError):
    """The service cannot start. `str(error)` is the reason, `advice` the remedy."""


def run(settings: ServiceSettings) -> int:
    """Serve until a signal, or the end of standard input if the settings say so. Return the exit code.

    The first line on standard output is `Listening on http://HOST:PORT`, written when connections are accepted. Raises
    AdvisedError if the service cannot start.
    """
    _check_settings(settings)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_log_to_file(settings.log))
        tell = _tell_step if settings.tell_steps else _ignore
        if settings.demo:
            _copy_demo(settings, tell)
        database = stack.enter_context(closing(open_database(settings)))
        if settings.demo:
            _refuse_another(database, settings.data_dir.parent)
        elif settings.for_others or not is_loopback(settings.host):
            _refuse_public_passwords(database)
        listener = stack.enter_context(closing(_listen(settings)))
        announce = partial(_announce, listener)
        clock = _clock_of(settings)
        injector = None
        if settings.fault_injection is not None:
            injector = _injector(settings.fault_injection, settings.clock)
            clock = injector.clock
            stack.callback(_print_report, injector)
        # Errors in the settings must appear before anything starts.
        server = _server(settings, database, announce, clock, injector)
        try:
            _fill_practice(settings, database, clock, tell)
        except EOFError:
            return 0  # the parent ended before it sent the exam of a dry run
        if settings.workers == 1:
            if settings.end_with_stdin:
                _end_with(server, 0)
            server.run([listener])
            return 0
        database.close()
        work = partial(_work, settings, listener)
        return Supervisor(settings.workers, work, announce, ends_with_stdin=settings.end_with_stdin).run()


def _check_settings(settings: ServiceSettings) -> None:
    if settings.demo and not is_loopback(settings.host):
        raise ServiceError(
            f"The demo institute has public passwords and must not listen on {settings.host}.",
            "Leave out --host, or serve your own institute.",
        )
    if settings.fault_injection is not None and (settings.workers > 1 or not is_loopback(settings.host)):
        raise ServiceError(
            "Faults and a movable clock need a single process that listens only on this computer.",
            "Leave out --host and --workers, or --fault, --clock-speed and --bench.",
        )
    if settings.workers > 1 and settings.database.get_backend_name() == "sqlite":
        raise ServiceError(
            "SQLite allows only one process.",
            "Leave out --workers, or give a PostgreSQL database with --database-url.",
        )


def _clock_of(settings: ServiceSettings) -> Clock:
    """Return the clock of one process. The clock of a dry run is moved on purpose."""
    clock = settings.clock
    return SteadyClock(clock) if clock is system_clock else clock


def _work(
    settings: ServiceSettings, listener: socket.socket, number: int, ready: Callable[[], None], lifeline: int
) -> int:
    """Run one of several processes. Each has its own log file, because they cannot share a rotation."""
    with (
        _log_to_file(settings.log.with_stem(f"{settings.log.stem}-{number}")),
        closing(open_database(settings)) as database,
    ):
        server = _server(settings, database, ready, _clock_of(settings))
        _end_with(server, lifeline)
        server.run([listener])
    return 0


def _server(
    settings: ServiceSettings,
    database: Database,
    ready: Callable[[], None],
    clock: Clock,
    injector: "FaultInjector | None" = None,
) -> "_Server":
    app = create_app(settings, database, clock)
    served: ASGIApp = FastPath(app, app.service, app.writer)
    if injector is not None:
        from lms_tui.service.faults.routes import install  # noqa: PLC0415  # needed by testers only

        served = install(app, app.routes, injector)
    # gc.freeze() keeps start-up objects out of later collections.
    if not settings.is_practice:  # practice must start fast
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    sys.setswitchinterval(_SWITCH_SECONDS)
    if not settings.is_practice:  # one student needs few connections
        make_room(settings.limits.connections + _OTHER_FILES)
    connections = Connections(settings.limits)
    config = uvicorn.Config(
        Admission(served, connections),
        http="httptools",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=_NEVER,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
        forwarded_allow_ips=list(settings.trusted_proxies),
    )
    guard(config, connections, settings.limits)
    return _Server(config, ready)


def _injector(settings: FaultSettings, clock: Clock) -> "FaultInjector":
    """Return the fault injector. Raises FaultError for an invalid fault."""
    from lms_tui.service.faults.fault_injector import FaultInjector  # noqa: PLC0415  # needed by testers only

    return FaultInjector(settings.faults, settings.seed, clock)


def _print_report(injector: "FaultInjector") -> None:
    with suppress(BrokenPipeError):  # the parent has ended
        print(injector.report().sentences(), flush=True)  # noqa: T201  # the output for the tester


def _announce(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    print(f"Listening on http://{in_url(host)}:{port}", flush=True)  # noqa: T201  # the parent waits for this line


def open_database(settings: ServiceSettings) -> Database:
    """Open the database at the newest migration. Raises UnusableDatabase, NewerDatabase and OSError."""
    return open_at(settings.address, brief=settings.is_practice)


class _Server(uvicorn.Server):
    """Calls `ready` when it accepts connections, and returns after a signal."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._on_signal) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


def _end_with(server: uvicorn.Server, descriptor: int) -> None:
    """Stop the server when the other end of the descriptor closes."""

    def wait() -> None:
        # Not sys.stdin, because the interpreter aborts at exit if a thread holds its lock.
        while os.read(descriptor, 4096):
            pass
        server.should_exit = True

    threading.Thread(target=wait, daemon=True).start()


def _listen(settings: ServiceSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise ServiceError(
            f"The service cannot listen on {settings.host}, port {settings.port}: {error.strerror or error}.",
            "Give an address of this computer with --host and a free port with --port (0 for any).",
        ) from None
    listener.set_inheritable(True)
    return listener


def _tell_step(words: str) -> None:
    print(f"Step {words}", flush=True)  # noqa: T201  # the parent shows it


def _ignore(_words: str) -> None:
    pass


def _fill_practice(settings: ServiceSettings, database: Database, clock: Clock, tell: Callable[[str], None]) -> None:
    """Add the demo institute or the exam of a dry run to an empty database."""
    from lms_tui.service.core.passwords import Passwords  # noqa: PLC0415  # needed by practice only

    passwords = Passwords(settings.limits.password)
    if settings.demo:
        _fill_demo(database, passwords, clock(), Media(settings.media), tell)
    if settings.is_dry_run:
        from lms_tui.service.admin.dry_run import fill_dry_run  # noqa: PLC0415  # needed by a dry run only

        fill_dry_run(
            database, partial(_exams, settings), settings.practice_user, passwords, clock(), settings.practice_slug
        )


def _copy_demo(settings: ServiceSettings, tell: Callable[[str], None]) -> None:
    """Make the database of the demo institute, where there is none. Without success, `_fill_demo` builds it."""
    file = missing_file(settings.address)
    if file is None:
        return
    from lms_tui.service.demo.template import copy_institute  # noqa: PLC0415  # needed by the first start only

    tell("Making the practice institute")
    # Not every file system has hard links. All other errors are explained when the database is opened.
    with suppress(OSError, sqlite3.Error):
        copy_institute(file, settings.clock())


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


def _fill_demo(
    database: Database, passwords: "Passwords", now: datetime, media: Media, tell: Callable[[str], None]
) -> None:
    from lms_tui.service.demo.presence import add_film, is_complete  # noqa: PLC0415  # needed by the demo only

    add_film(media)
    if not is_complete(database):
        from lms_tui.service.demo.institute import build_institute  # noqa: PLC0415  # needed by the first start only

        build_institute(database, passwords, now, media, tell)


def _exams(settings: ServiceSettings) -> "list[Exam]":
    if settings.exam_given:
        from lms_tui.banks.exam_transfer import received  # noqa: PLC0415  # needed by a dry run only

        return [received(0)]
    from lms_tui.service.admin.dry_run import read_files  # noqa: PLC0415  # needed by a dry run only

    return read_files(settings.exam_files)


def _log_to_file(path: Path) -> AbstractContextManager[None]:
    """Log errors without requests, answers and tokens. Repeated records are limited."""
    form = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"
    return logged_to_file(path, "lms_tui.service", form, LogThrottle())
