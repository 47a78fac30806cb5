"""One process of the service: opens the database, listens, says where, and ends when it is told to."""

import asyncio
import gc
import ipaddress
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import uvicorn

from lms_tui.common.user_errors import AdvisedError
from lms_tui.service.core.database.engine import Database
from lms_tui.service.core.database.opening import open_database as open_at
from lms_tui.service.core.log_throttle import Sparing
from lms_tui.service.core.media import Media
from lms_tui.service.core.settings import Clock, FaultSettings, ServiceSettings
from lms_tui.service.server.app import create_app
from lms_tui.service.server.fast_path.connection import straight
from lms_tui.service.server.fast_path.endpoint import Endpoint
from lms_tui.service.server.protocol import GuardedProtocol, guarded
from lms_tui.service.server.workers import Supervisor

if TYPE_CHECKING:
    from starlette.types import ASGIApp
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    from lms_tui.banks.model import Exam
    from lms_tui.service.faults.fault_injector import Bench

_LARGEST_LOG: Final = 1024 * 1024
_FAREWELL: Final = 3
_REAPS_EACH: Final = 0.5
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class ServiceError(AdvisedError):
    """The service cannot start: `str(error)` says why in a sentence, `advice` what to do."""


def run(settings: ServiceSettings) -> int:
    """Serve until a signal, or the end of standard input where settings ask for it; return the exit code.

    The first line on standard output is `Listening on http://HOST:PORT`, written once connections are accepted. Raises
    AdvisedError where it cannot be served.
    """
    _refuse_unless_sound(settings)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_log_to_file(settings.log))
        database = stack.enter_context(closing(open_database(settings)))
        listener = stack.enter_context(closing(_listen(settings)))
        announce = partial(_announce, listener)
        clock = settings.clock
        bench = None
        if settings.fault_injection is not None:
            bench = _bench(settings.fault_injection, clock)
            clock = bench.clock
            stack.callback(_print_score, bench)
        # What cannot be built is told before anything starts.
        server = _server(settings, database, announce, clock, bench)
        try:
            _furnish(settings, database, clock)
        except EOFError:
            return 0  # whoever wanted a dry run has left before there was an exam
        if settings.workers == 1:
            if settings.end_with_stdin:
                _end_with(server, 0)
            server.run([listener])
            return 0
        database.close()
        work = partial(_work, settings, listener)
        return Supervisor(settings.workers, work, announce, ends_with_stdin=settings.end_with_stdin).run()


def _refuse_unless_sound(settings: ServiceSettings) -> None:
    if settings.demo and not is_loopback(settings.host):
        raise ServiceError(
            f"The demo institute has public passwords and does not listen on {settings.host}.",
            "Leave out --host, or serve an institute of your own.",
        )
    if settings.fault_injection is not None and (settings.workers > 1 or not is_loopback(settings.host)):
        raise ServiceError(
            "Faults and a clock that can be moved are for one process that listens on this computer only.",
            "Leave out --host and --workers, or --fault, --clock-speed and --bench.",
        )
    if settings.workers > 1 and settings.database.get_backend_name() == "sqlite":
        raise ServiceError(
            "Several processes need a database server: SQLite is served by one process.",
            "Leave out --workers, or give a PostgreSQL database with --database-url.",
        )


def _work(
    settings: ServiceSettings, listener: socket.socket, number: int, ready: Callable[[], None], lifeline: int
) -> int:
    """Be one of several processes; the log is each one's own, because they could not share its rotation."""
    with (
        _log_to_file(settings.log.with_stem(f"{settings.log.stem}-{number}")),
        closing(open_database(settings)) as database,
    ):
        server = _server(settings, database, ready, settings.clock)
        _end_with(server, lifeline)
        server.run([listener])
    return 0


def _server(
    settings: ServiceSettings,
    database: Database,
    ready: Callable[[], None],
    clock: Clock,
    bench: "Bench | None" = None,
) -> "_Server":
    app = create_app(settings, database, clock)
    served: ASGIApp = app
    if bench is None:
        protocol: type[HttpToolsProtocol] = straight(settings.limits, Endpoint(app.state.service, app.state.writer))
    else:
        from lms_tui.service.faults.routes import install  # noqa: PLC0415  # for testers only
        from lms_tui.service.faults.switch import cuttable  # noqa: PLC0415  # for testers only

        served, protocol = install(app, bench), cuttable(guarded(settings.limits))
    # What is there by now stays, and is not looked through for garbage again and again.
    if not settings.is_practice:  # nobody waits for it
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
    config = uvicorn.Config(
        served,
        log_config=None,
        access_log=False,
        server_header=False,
        http=protocol,
        limit_concurrency=settings.limits.connections,
        timeout_graceful_shutdown=_FAREWELL,
        forwarded_allow_ips=list(settings.trusted_proxies),
    )
    return _Server(config, ready)


def _bench(settings: FaultSettings, clock: Clock) -> "Bench":
    """Build the bench; raises FaultError about a fault that cannot be understood."""
    from lms_tui.service.faults.fault_injector import Bench  # noqa: PLC0415  # for testers only

    return Bench(settings.faults, settings.seed, clock)


def _print_score(bench: "Bench") -> None:
    with suppress(BrokenPipeError):  # who started us has gone
        print(bench.score().sentences(), flush=True)  # noqa: T201  # what a tester waits for


def _announce(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    print(f"Listening on http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)  # noqa: T201  # the one line a parent waits for


def open_database(settings: ServiceSettings) -> Database:
    """Open the institute's database at the newest migration; raises UnusableDatabase, NewerDatabase and OSError."""
    return open_at(settings.database_url or settings.database, brief=settings.is_practice)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Server(uvicorn.Server):
    """Says when it is ready, and ends with 0 on a signal instead of dying by it."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._reaper: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._reaper = asyncio.get_running_loop().create_task(self._reap())
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._reaper is not None:
            self._reaper.cancel()
        await super().shutdown(sockets)

    async def _reap(self) -> None:
        """Cut connections whose request does not arrive, as long as the server runs."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_REAPS_EACH)
            now = loop.time()
            for connection in list(self.server_state.connections):
                if isinstance(connection, GuardedProtocol):
                    connection.reap(now)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._told) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _told(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)


def _end_with(server: uvicorn.Server, descriptor: int) -> None:
    """End the server when the other end of descriptor closes."""

    def wait() -> None:
        # Not sys.stdin: a thread that holds its lock when the interpreter ends takes the process down with it.
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
            "Give an address of this computer with --host, and a port that is free with --port (0 is any).",
        ) from None
    listener.set_inheritable(True)
    return listener


def _furnish(settings: ServiceSettings, database: Database, clock: Clock) -> None:
    """Fill a database that is for practice; what is there already stays."""
    from lms_tui.service.core.passwords import Passwords  # noqa: PLC0415  # only practice makes passwords at start

    passwords = Passwords(settings.limits.password)
    if settings.demo:
        from lms_tui.service.demo.institute import build_institute  # noqa: PLC0415  # its exams are large and only for the demo

        build_institute(database, passwords, clock(), Media(settings.media))
    if settings.is_dry_run:
        from lms_tui.service.admin.throwaway import furnish  # noqa: PLC0415  # only for a dry run

        furnish(database, partial(_exams, settings), settings.practice_user, passwords, clock(), settings.practice_slug)


def _exams(settings: ServiceSettings) -> "list[Exam]":
    if settings.exam_given:
        from lms_tui.banks.exam_transfer import received  # noqa: PLC0415  # only for a dry run

        return [received(0)]
    from lms_tui.service.admin.throwaway import read_files  # noqa: PLC0415  # only for a dry run

    return read_files(settings.exam_files)


@contextmanager
def _log_to_file(path: Path) -> Iterator[None]:
    """Log what went wrong to a file of its owner alone; requests, answers and tokens are never logged.

    What says the same again and again does not push the rest out of it.
    """
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(path, maxBytes=_LARGEST_LOG, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"))
    handler.addFilter(Sparing())
    root, own = logging.getLogger(), logging.getLogger("lms_tui.service")
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
