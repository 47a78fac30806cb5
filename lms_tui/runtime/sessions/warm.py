"""The warmed parent: a process that has imported everything and forks a child for each session.

It runs no code of a session and talks to the host only. A session begins in milliseconds, and shares the memory of
the imported modules with all others.
"""

import contextlib
import fcntl
import io
import json
import os
import pkgutil
import resource
import selectors
import signal
import socket
import sys
import termios
import time
from importlib import import_module
from pathlib import Path
from typing import Final

import lms_tui
from lms_tui.runtime.sessions.messages import LARGEST, LONGEST_END, Ended, Kill, Ready, Setup, Start, pack, unpack
from lms_tui.runtime.sessions.sharing import share_memory

_PACKAGES: Final = ("attempt", "client", "common", "content", "plain", "practice", "tui", "views", "wire")
_NOT_NEEDED: Final = ("lms_tui.tui.terminal.rasterizer.worker",)
_LATE: Final = (
    "concurrent.futures.thread",
    "lms_tui.runtime.practising",
    "lms_tui.runtime.sessions.confinement",
    "lms_tui.runtime.sessions.session",
    "textual.drivers.headless_driver",
    "textual.drivers.linux_driver",
    "textual.layouts.factory",
    "textual.pilot",
)
"""Modules that nothing imports until a session needs them."""
_LIMITS: Final = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_DATA, 512 * 1024**2),
    (resource.RLIMIT_FSIZE, 256 * 1024**2),
    (resource.RLIMIT_NOFILE, 128),
)
_ROUND: Final = 0.05
_MOST_THREADS: Final = 16_384
"""Threads of all sessions together, where they have a user of their own."""


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = Setup(**json.loads(sys.argv[2]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o077)
    trouble = _trouble(setup)
    if not trouble:
        _import_all()
        import_module("lms_tui.runtime.sessions.rehearsal").rehearse()
        share_memory()
    control.send(pack(Ready(trouble)))
    if not trouble:
        Parent(control, setup).run()


class Parent:
    """Forks sessions, and tells when they end. When the host ends, their terminals close and they end too."""

    def __init__(self, control: socket.socket, setup: Setup) -> None:
        self._control = control
        self._setup = setup
        self._numbers: dict[int, int] = {}
        """The number of each session, by process."""

    def run(self) -> None:
        woken, wake = socket.socketpair()
        for end in (woken, wake):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, _ignore)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._control, selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            inherited = (woken, wake, selector, self._control)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is woken:
                        with contextlib.suppress(BlockingIOError):
                            woken.recv(4096)
                        self._reap()
                    elif not self._obey(inherited):
                        self._end_sessions()
                        return

    def _obey(self, inherited: tuple[object, ...]) -> bool:
        """Handle the next message. Return False when the host has ended."""
        try:
            packet, terminals, _, _ = socket.recv_fds(self._control, LARGEST, 1)
        except ConnectionError:
            return False
        if not packet:
            return False
        match unpack(packet):
            case Start() as start:
                self._start(start, terminals[0], inherited)
            case Kill(number):
                for pid, known in self._numbers.items():
                    if known == number:
                        os.kill(pid, signal.SIGKILL)
        for terminal in terminals:
            os.close(terminal)
        return True

    def _start(self, start: Start, terminal: int, inherited: tuple[object, ...]) -> None:
        try:
            pid = os.fork()
        except OSError:
            self._tell(Ended(start.number, 1))
            return
        if pid:
            self._numbers[pid] = start.number
            return
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            for each in inherited:
                each.close()  # type: ignore[attr-defined]  # sockets and the selector
            status = _become(start, terminal, self._setup)
        finally:
            os._exit(status)

    def _reap(self) -> None:
        while self._numbers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if (number := self._numbers.pop(pid, None)) is not None:
                self._tell(Ended(number, os.waitstatus_to_exitcode(status)))

    def _end_sessions(self) -> None:
        """Give the sessions time to save and end, as their terminals are closed. Then kill those that are left."""
        last = time.monotonic() + LONGEST_END
        while self._numbers and time.monotonic() < last:
            self._reap()
            time.sleep(_ROUND)
        for pid in self._numbers:
            os.kill(pid, signal.SIGKILL)

    def _tell(self, message: Ended) -> None:
        with contextlib.suppress(OSError):  # the host has ended
            self._control.send(pack(message))


def _become(start: Start, terminal: int, setup: Setup) -> int:
    """Turn this child into the session. Return its exit code."""
    from lms_tui.runtime.sessions.confinement import Confinement  # noqa: PLC0415 - imported before the fork
    from lms_tui.runtime.sessions.session import run_session, set_environment  # noqa: PLC0415 - the same

    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(terminal, stream)
    os.close(terminal)
    folder = Path(setup.folder) / str(start.user_id)
    folder.mkdir(mode=0o700, exist_ok=True)
    if setup.uid:
        os.chown(folder, setup.uid, setup.gid)
    _drop_rights(setup)
    os.chdir(folder)
    set_environment(start, folder)
    for text in (sys.stdout, sys.stderr):
        if isinstance(text, io.TextIOWrapper):
            text.reconfigure(line_buffering=True)
    Confinement(folder, setup.base_url).begin()
    status = run_session(start, folder, setup.base_url)
    with contextlib.suppress(OSError):  # the line has been cut
        sys.stdout.flush()
    return status


def _drop_rights(setup: Setup) -> None:
    """Set the limits, and become the unprivileged user."""
    limits = [*_LIMITS, (resource.RLIMIT_NPROC, _MOST_THREADS)] if setup.uid else _LIMITS
    for kind, most in limits:
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    if setup.uid:
        os.setgroups([])
        os.setgid(setup.gid)
        os.setuid(setup.uid)


def _trouble(setup: Setup) -> str:
    """Return which folder the unprivileged user cannot reach, "" for none."""
    if not setup.uid:
        return ""
    told, tell = os.pipe()
    if (pid := os.fork()) == 0:
        os.setgroups([])
        os.setgid(setup.gid)
        os.setuid(setup.uid)
        needed = (Path(lms_tui.__file__), Path(os.__file__), Path(setup.folder))
        beyond = [path for path in needed if not _reaches(path)]
        os.write(tell, str(beyond[0]).encode() if beyond else b"")
        os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as answer:
        unreachable = answer.read().decode()
    os.waitpid(pid, 0)
    return unreachable


def _reaches(path: Path) -> bool:
    return os.access(path, os.X_OK if path.is_dir() else os.R_OK) if _exists(path) else False


def _exists(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True


def _import_all() -> None:
    """Import all modules of a session before the first fork."""
    import_module("lms_tui.client.connection").import_early()
    for package in _PACKAGES:
        folder = import_module(f"lms_tui.{package}")
        for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            if module.name not in _NOT_NEEDED:
                with contextlib.suppress(ImportError):  # an extra that is not installed
                    import_module(module.name)
    for name in _LATE:
        import_module(name)
    import_module("rich.cells").cell_len("é")  # reads the widths of letters


def _ignore(*_signal: object) -> None:
    pass


if __name__ == "__main__":
    main()
