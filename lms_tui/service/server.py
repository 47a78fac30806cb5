"""One process of the service: opens the database, listens, says where, and ends when it is told to."""

import ipaddress
import logging
import os
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from logging.handlers import RotatingFileHandler
from types import FrameType
from typing import Final

import uvicorn
from sqlalchemy.exc import DatabaseError

from lms_tui.service.app import create_app
from lms_tui.service.db.database import Database
from lms_tui.service.settings import ServiceSettings, system_clock

_LARGEST_LOG: Final = 1024 * 1024
_FAREWELL: Final = 3
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class ServiceError(Exception):
    """The service cannot start: `str(error)` says why in a sentence, `advice` what to do."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def run(settings: ServiceSettings) -> int:
    """Serve until a signal, or the end of standard input where settings ask for it; return the exit code.

    The first line on standard output is `Listening on http://HOST:PORT`, written once connections are accepted. Raises
    ServiceError, and what reading exam files raises.
    """
    if settings.demo and not is_loopback(settings.host):
        raise ServiceError(
            f"The demo institute has public passwords and does not listen on {settings.host}.",
            "Leave out --host, or serve an institute of your own.",
        )
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_log_to_file(settings))
        database = stack.enter_context(closing(_open_database(settings)))
        listener = stack.enter_context(closing(_listen(settings)))
        app = create_app(settings, database)
        _furnish(settings, database)
        server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                limit_concurrency=settings.limits.connections,
                timeout_graceful_shutdown=_FAREWELL,
            )
        )
        if settings.end_with_stdin:
            threading.Thread(target=_end_with_stdin, args=(server,), daemon=True).start()
        server.run([listener])
    return 0


def _open_database(settings: ServiceSettings) -> Database:
    try:
        database = Database(settings.database)
        try:
            database.prepare()
        except BaseException:
            database.close()
            raise
    except (DatabaseError, sqlite3.Error, OSError) as error:
        where = settings.database.render_as_string(hide_password=True)
        raise ServiceError(
            f"The database {where} cannot be used: {getattr(error, 'orig', None) or error}.",
            "Check that it is there and not damaged, or choose another data directory with --data-dir.",
        ) from error
    return database


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Server(uvicorn.Server):
    """Announces its address, and ends with 0 on a signal instead of dying by it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            print(f"Listening on http://{f'[{host}]' if ':' in host else host}:{port}", flush=True)  # noqa: T201  # the one line a parent waits for

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


def _end_with_stdin(server: uvicorn.Server) -> None:
    # Not sys.stdin: a thread that holds its lock when the interpreter ends takes the process down with it.
    while os.read(0, 4096):
        pass
    server.should_exit = True


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
            "Choose another port with --port, or 0 for any that is free.",
        ) from None
    listener.set_inheritable(True)
    return listener


def _furnish(settings: ServiceSettings, database: Database) -> None:
    """Fill a database that is for practice; what is there already stays."""
    from lms_tui.service.passwords import Passwords  # noqa: PLC0415  # only practice makes passwords at start

    passwords = Passwords(settings.limits.password)
    if settings.demo:
        from lms_tui.service.demo.institute import build_institute  # noqa: PLC0415  # its exams are large and only for the demo

        build_institute(database, passwords, system_clock())
    if settings.exam_files:
        from lms_tui.service.practice import furnish  # noqa: PLC0415  # exam readers cost start-up

        furnish(database, settings.exam_files, settings.practice_user, passwords, system_clock())


@contextmanager
def _log_to_file(settings: ServiceSettings) -> Iterator[None]:
    """Log what went wrong to a file of its owner alone; requests, answers and tokens are never logged."""
    os.close(os.open(settings.log, os.O_WRONLY | os.O_CREAT, 0o600))
    handler = RotatingFileHandler(settings.log, maxBytes=_LARGEST_LOG, backupCount=2, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"))
    root, own = logging.getLogger(), logging.getLogger("lms_tui.service")
    root.addHandler(handler)
    own.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
