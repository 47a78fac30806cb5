"""Passes bytes between a connection and a terminal, in both directions, with limits on what waits."""

import asyncio
import fcntl
import os
import struct
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import Final

_CHUNK: Final = 64 * 1024
_MOST_KEYS: Final = 64 * 1024
"""Bytes from the person that wait for the program. Then the connection is not read."""
_MOST_CELLS: Final = 500
_IUTF8: Final = 0o40000


def open_terminal(columns: int, rows: int) -> tuple[int, int]:
    """Return a new terminal: the host's end, and that of the session. Raises OSError."""
    ours, theirs = os.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[0] |= _IUTF8
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    set_size(ours, columns, rows)
    os.set_blocking(ours, False)
    return ours, theirs


def set_size(terminal: int, columns: int, rows: int) -> None:
    """Set the size. The kernel tells the program of it. A client can send any numbers."""
    size = [min(cells or usual, _MOST_CELLS) for cells, usual in ((rows, 24), (columns, 80))]
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("4H", *size, 0, 0))


class TerminalRelay:
    """Passes the output of a terminal to `send`. `hold` gets True when the person's keys must wait, then False.

    `ended` is called once, when no process has the terminal open any more.
    """

    def __init__(
        self, terminal: int, send: Callable[[bytes], None], hold: Callable[[bool], None], ended: Callable[[], None]
    ) -> None:
        self._terminal = terminal
        self._send = send
        self._hold = hold
        self._ended = ended
        self._keys = bytearray()
        self._held = self._closed = False
        self._loop = asyncio.get_running_loop()

    def resume(self) -> None:
        """Read the output of the program."""
        if not self._closed:
            self._loop.add_reader(self._terminal, self._read)

    def pause(self) -> None:
        """Let the program wait for a slow line. It then leaves out frames."""
        if not self._closed:
            self._loop.remove_reader(self._terminal)

    def feed(self, data: bytes) -> None:
        """Pass typed bytes to the program."""
        if self._closed:
            return
        self._keys += data
        self._write()

    def resize(self, columns: int, rows: int) -> None:
        if not self._closed:
            with suppress(OSError):
                set_size(self._terminal, columns, rows)

    def close(self) -> None:
        """Hang up. The program gets SIGHUP."""
        if not self._closed:
            self._loop.remove_reader(self._terminal)
            self._loop.remove_writer(self._terminal)
            self._closed = True
            os.close(self._terminal)

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, _CHUNK)
        except BlockingIOError:
            return
        except OSError:  # Linux says so when the last program has closed the terminal
            data = b""
        if data:
            self._send(data)
        else:
            self.close()
            self._ended()

    def _write(self) -> None:
        try:
            del self._keys[: os.write(self._terminal, self._keys)]
        except BlockingIOError:
            pass
        except OSError:  # the reader hears of the end
            self._keys.clear()
        if self._keys:
            self._loop.add_writer(self._terminal, self._write)
        else:
            self._loop.remove_writer(self._terminal)
        if self._held != (len(self._keys) > _MOST_KEYS):
            self._held = not self._held
            self._hold(self._held)
