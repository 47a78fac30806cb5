"""What every process of the service has: its clock, log and address, the server, and its end."""

import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from lms_tui.common.hosts import in_url
from lms_tui.service.core.log_throttle import LogThrottle, logged_to_file
from lms_tui.service.core.settings import Clock, ServiceSettings, system_clock
from lms_tui.service.core.steady_clock import SteadyClock
from lms_tui.service.server.connection import guard
from lms_tui.service.server.connections import Admission, Connections
from lms_tui.service.server.errors import ServiceError
from lms_tui.service.server.open_files import make_room

_SHUTDOWN_SECONDS: Final = 3
_SWITCH_SECONDS: Final = 0.002
"""How long a thread may run Python code while another one waits.

Python's default of 5 ms would delay an answer several times while other threads read lists or sign students in.
"""
_NEVER: Final = 1_000_000
"""Seconds after which uvicorn closes an idle connection. The service does it sooner."""
_OTHER_FILES: Final = 512
"""Descriptors beside those of the connections: databases, logs, and files that are sent."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def clock_of(settings: ServiceSettings) -> Clock:
    """Return the clock of one process. The clock of a dry run is moved on purpose."""
    clock = settings.clock
    return SteadyClock(clock) if clock is system_clock else clock


def server_for(app: ASGIApp, settings: ServiceSettings, ready: Callable[[], None]) -> "Server":
    """Return a server for the application. `ready`: called when it accepts connections."""
    sys.setswitchinterval(_SWITCH_SECONDS)
    if not settings.is_practice:  # one student needs few connections
        make_room(settings.limits.connections + _OTHER_FILES)
    connections = Connections(settings.limits)
    config = uvicorn.Config(
        Admission(app, connections),
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
    return Server(config, ready)


def keep_imported(settings: ServiceSettings) -> None:
    """Search for garbage from now on, but not in what has been imported."""
    if not settings.is_practice:  # practice must start fast
        gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def announce(listener: socket.socket) -> None:
    host, port = listener.getsockname()[:2]
    print(f"Listening on http://{in_url(host)}:{port}", flush=True)  # noqa: T201  # the parent waits for this line


class Server(uvicorn.Server):
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


def end_with(server: uvicorn.Server, descriptor: int) -> None:
    """Stop the server when the other end of the descriptor closes."""

    def wait() -> None:
        # Not sys.stdin, because the interpreter aborts at exit if a thread holds its lock.
        while os.read(descriptor, 4096):
            pass
        server.should_exit = True

    threading.Thread(target=wait, daemon=True).start()


def listen(settings: ServiceSettings) -> socket.socket:
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


def log_to_file(path: Path) -> AbstractContextManager[None]:
    """Log errors without requests, answers and tokens. Repeated records are limited."""
    form = "%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"
    return logged_to_file(path, "lms_tui.service", form, LogThrottle())


def ignore_step(_words: str) -> None:
    """Tell nobody what the service does while it starts."""
