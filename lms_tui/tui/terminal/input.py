"""The keys of a terminal, read by a thread that sleeps until a key comes."""

import os
import selectors
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.message import Message

from lms_tui.tui.terminal.escape_keys import EscapeKeys

_TICK: Final = 0.1
"""Seconds between two looks at the clock: an escape that nothing follows is the key."""
_MOST_BYTES: Final = 4096


class TerminalInput:
    """Passes the events of a terminal to `hear`, and calls `gone` if the terminal goes away.

    Textual's thread wakes ten times a second to look at the clock. On a host with hundreds of sessions, that is a fifth
    of what idle sessions cost. Only an escape at the end of the input needs a look at the clock.
    """

    def __init__(
        self,
        fileno: int,
        hear: Callable[[Message], None],
        gone: Callable[[], None],
        *,
        debug: bool = False,
        selector: Callable[[], selectors.BaseSelector] = selectors.SelectSelector,
    ) -> None:
        self._fileno = fileno
        self._hear = hear
        self._gone = gone
        self._debug = debug
        self._selector = selector
        self._closed = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)

    def prepare(self) -> None:
        """Call before each `run`, in the thread that calls `stop`."""
        with suppress(BlockingIOError):  # nothing has stopped a run
            os.read(self._woken, _MOST_BYTES)

    def run(self) -> None:
        """Read until `stop`, or until the terminal goes away. May run again after `stop`."""
        parser, keys = XTermParser(self._debug), EscapeKeys()
        decode = getincrementaldecoder("utf-8")("replace").decode
        quiet_from, quiet = 0.0, True
        with self._selector() as selector:
            selector.register(self._fileno, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select(None if quiet else _TICK)}
                if self._woken in ready:
                    return
                quiet = time.monotonic() >= quiet_from  # the tick then finds every escape over
                for event in parser.tick():  # before what was typed later, also if this thread was held up
                    keys.pause()
                    self._hear(event)
                if self._fileno in ready:
                    try:
                        data = self._read()
                    except BlockingIOError:  # another program of the terminal was faster
                        continue
                    if not data:
                        self._gone()
                        return
                    text = keys.read(decode(data))
                    for event in parser.feed(text) if text else ():  # an empty text would end the parser
                        self._hear(event)
                    quiet_from, quiet = time.monotonic() + ESCAPE_DELAY + 2 * _TICK, False

    def _read(self) -> bytes:
        """Return what was typed, nothing from a terminal that is gone. Raises BlockingIOError."""
        try:
            return os.read(self._fileno, _MOST_BYTES)
        except BlockingIOError:
            raise
        except OSError:
            return b""

    def stop(self) -> None:
        """Let `run` end soon. Textual calls this once more after `close`."""
        if not self._closed:
            os.write(self._wake, b".")

    def close(self) -> None:
        """Call after the last `run` has ended."""
        if not self._closed:
            self._closed = True
            os.close(self._woken)
            os.close(self._wake)
