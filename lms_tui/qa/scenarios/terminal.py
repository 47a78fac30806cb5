"""Run the app in a pseudo-terminal, press keys and read its screen."""

import errno
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Mapping, Sequence
from typing import Final

import anyio

from lms_tui.qa.scenarios.emulator import Emulator

_COLUMNS: Final = 120
_ROWS: Final = 40
_TIMEOUT: Final = 60.0
"""Seconds to wait for a text on the screen. A busy computer is slow."""
_QUIET: Final = 0.2
"""Seconds without output after which the screen is complete."""
_KEYS: Final[Mapping[str, bytes]] = {
    "enter": b"\r",
    "escape": b"\x1b",
    "tab": b"\t",
    "space": b" ",
    "up": b"\x1b[A",
    "down": b"\x1b[B",
    "right": b"\x1b[C",
    "left": b"\x1b[D",
}


def key_bytes(name: str) -> bytes:
    """Return the bytes that a terminal sends for a key such as `a`, `enter` or `ctrl+e`."""
    if name.startswith("ctrl+") and len(name) == len("ctrl+x"):
        return bytes([ord(name[-1]) & 0x1F])
    return _KEYS.get(name, name.encode())


class Terminal:
    """A program in a terminal of 120 by 40 cells. Raises CannotWalkError without a terminal emulator."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str]) -> None:
        self._emulator = Emulator(_COLUMNS, _ROWS)
        self._fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", _ROWS, _COLUMNS, 0, 0))
        known = {name: value for name, value in os.environ.items() if name not in {"LINES", "COLUMNS", "TMUX"}}
        given = {**known, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            list(argv), stdin=inner, stdout=inner, stderr=inner, env=given, start_new_session=True
        )
        os.close(inner)
        os.set_blocking(self._fd, False)

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._fd, key_bytes(key))

    async def see(self, pattern: str) -> bool:
        """Wait until the screen matches a pattern. Return False after the timeout."""
        wanted = re.compile(pattern)
        with anyio.move_on_after(_TIMEOUT):
            while not wanted.search(self.text()):
                await anyio.wait_readable(self._fd)
                if not self._read():
                    return wanted.search(self.text()) is not None
            return True
        return False

    async def settle(self) -> None:
        """Read until the program writes nothing for a moment."""
        while True:
            with anyio.move_on_after(_QUIET) as quiet:
                await anyio.wait_readable(self._fd)
            if quiet.cancelled_caught or not self._read():
                return

    def text(self) -> str:
        return self._emulator.text()

    def kill(self) -> None:
        """Kill the program, like a power cut."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self.kill()
        os.close(self._fd)

    def _read(self) -> bool:
        """Read the available output. Return False at its end."""
        try:
            data = os.read(self._fd, 65536)
        except BlockingIOError:
            return True
        except OSError as error:
            if error.errno != errno.EIO:  # Linux's end of a pty
                raise
            return False
        self._emulator.feed(data)
        return bool(data)
