"""Write to the terminal from a thread, so that a terminal that does not read never blocks the event loop.

Textual's own writer blocks the app as soon as 30 writes wait. No heartbeat would be sent then, and no key handled.
"""

import os
import select
import threading
from collections import deque
from collections.abc import Callable
from typing import Final

LARGEST_BACKLOG: Final = 256 * 1024
"""Bytes that may wait for the terminal. Later writes are dropped until it has read them all."""
_FRAME_BEGINS: Final = "\x1b[?2026h"
_FRAME_ENDS: Final = "\x1b[?2026l"
_FAREWELL: Final = 0.5
"""Seconds that the end of the program waits for the terminal to read the rest."""


class TerminalOutput:
    """Queues text for a terminal. `write` may be called from any thread and returns at once.

    `caught_up` is called in the writing thread when writes were dropped and the terminal has read all others. The app
    has to paint the whole screen then.
    """

    def __init__(self, descriptor: int, caught_up: Callable[[], None], *, encoding: str = "utf-8") -> None:
        self._descriptor = descriptor
        self._caught_up = caught_up
        self._encoding = encoding
        self._changed = threading.Condition()
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._dropped = self._closed = self._broken = self._in_frame = False
        self._thread = threading.Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        data = text.encode(self._encoding, "replace")
        with self._changed:
            if self._size > LARGEST_BACKLOG:
                self._dropped = True
            elif not self._broken:
                self._waiting.append(data)
                self._size += len(data)
            # A frame comes in three parts. Waking the thread for each of them costs more than writing them.
            self._in_frame = text == _FRAME_BEGINS or (self._in_frame and text != _FRAME_ENDS)
            if not self._in_frame:
                self._changed.notify()

    def make_room(self) -> None:
        """Drop the frames of a terminal that is behind, so that the sequences that restore it are written."""
        with self._changed:
            if self._size > LARGEST_BACKLOG:
                self._waiting.clear()
                self._size = 0

    def close(self) -> None:
        """Write what waits and end the thread. A terminal that does not read is left after half a second."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(_FAREWELL)

    def _run(self) -> None:
        while (data := self._next()) is not None:
            try:
                self._put(data)
            except OSError:  # the terminal is gone
                with self._changed:
                    self._broken = True
                    self._waiting.clear()
                return
            with self._changed:
                self._size = sum(map(len, self._waiting))
                repaint = self._dropped and not self._waiting
                self._dropped = self._dropped and not repaint
            if repaint:
                self._caught_up()

    def _next(self) -> bytes | None:
        """Wait for text and return all of it, or None after `close`."""
        with self._changed:
            while not self._waiting and not self._closed:
                self._changed.wait()
            data = b"".join(self._waiting)
            self._waiting.clear()
        return data or None

    def _put(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._descriptor, rest) :]
            except BlockingIOError:
                select.select([], [self._descriptor], [])
