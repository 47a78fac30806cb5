"""Limits a session to its own folder, the files of the program, and the service.

The app has places where a person types the path of a file or the address of a server. On the person's own computer
those are theirs. Here they would be the host's. The hook does not stop foreign code. A session runs none.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import lms_tui

_SYSTEM: Final = ("/usr/share/zoneinfo", "/etc/localtime", "/etc/ssl", "/proc/self", "/proc/sys/kernel/random/boot_id")
_DEVICES: Final = ("/dev/null", "/dev/tty", "/dev/urandom")
_WRITERS: Final = frozenset({"os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.chown", "os.truncate", "os.utime"})
_MOVERS: Final = frozenset({"os.rename", "os.link", "os.symlink"})
_REFUSED: Final = frozenset(
    {
        "subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "os.kill",
        "os.killpg", "pty.spawn", "webbrowser.open", "socket.bind", "socket.sendto", "ctypes.dlopen",
    }
)  # fmt: skip


class Confinement:
    """An audit hook. `folder`: of the user. `base_url`: the service."""

    def __init__(self, folder: Path, base_url: str) -> None:
        address = urlsplit(base_url)
        self._service = address.hostname or "", address.port or 0
        own = os.path.realpath(folder)
        program = [sys.prefix, sys.base_prefix, *filter(None, sys.path), *lms_tui.__path__]
        self._own = (own, *_DEVICES)
        self._readable = (*self._own, *(os.path.realpath(path) for path in (*_SYSTEM, *program)))
        self._rules: dict[str, Callable[[Sequence[object]], None]] = {
            "open": self._open,
            "sqlite3.connect": self._database,
            "os.listdir": self._list,
            "os.scandir": self._list,
            "socket.connect": self._connect,
            "socket.getaddrinfo": self._look_up,
            **dict.fromkeys(_WRITERS, self._write),
            **dict.fromkeys(_MOVERS, self._move),
            **dict.fromkeys(_REFUSED, self._refuse),
        }

    def begin(self) -> None:
        """Refuse from now on. Nothing can remove the hook."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: Sequence[object]) -> None:
        rule = self._rules.get(event)
        if rule is not None:
            rule(arguments)

    def _open(self, arguments: Sequence[object]) -> None:
        path, mode, flags = arguments
        if isinstance(path, int):
            return  # a descriptor that the session has already
        writes = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if isinstance(mode, str):
            writes = any(letter in mode for letter in "wax+")
        self._check(path, self._own if writes else self._readable)

    def _database(self, arguments: Sequence[object]) -> None:
        name = os.fsdecode(str(arguments[0]))
        if name != ":memory:":
            self._check(urlsplit(name).path if name.startswith("file:") else name, self._own)

    def _list(self, arguments: Sequence[object]) -> None:
        if not isinstance(arguments[0], int):
            self._check(arguments[0] or ".", self._readable)

    def _write(self, arguments: Sequence[object]) -> None:
        if not isinstance(arguments[0], int):
            self._check(arguments[0], self._own)

    def _move(self, arguments: Sequence[object]) -> None:
        for path in arguments[:2]:
            self._check(path, self._own)

    def _connect(self, arguments: Sequence[object]) -> None:
        address = arguments[1]
        if not isinstance(address, tuple) or address[:2] != self._service:
            self._refuse(arguments)

    def _look_up(self, arguments: Sequence[object]) -> None:
        host = arguments[0]
        if (os.fsdecode(host) if isinstance(host, str | bytes) else host) != self._service[0]:
            self._refuse(arguments)

    def _refuse(self, _arguments: Sequence[object]) -> None:
        raise PermissionError(errno.EACCES, "Not allowed in a session")

    def _check(self, path: object, allowed: Sequence[str]) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            raise PermissionError(errno.EACCES, "Not allowed in a session")
        found = os.path.realpath(os.fsdecode(path))
        if not any(found == folder or found.startswith(f"{folder}/") for folder in allowed):
            raise PermissionError(errno.EACCES, "Not allowed in a session", found)
