"""Textual's driver for Linux and macOS with an output that never blocks the app, and keys that may arrive at once."""

import os
import selectors
import sys
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, Final

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from lms_tui.tui.terminal.caught_up import TerminalCaughtUp
from lms_tui.tui.terminal.escape_keys import EscapeKeys
from lms_tui.tui.terminal.first_frame import ALTERNATE_SCREEN
from lms_tui.tui.terminal.output import TerminalOutput

if TYPE_CHECKING:
    from textual.app import App

_TICK: Final = 0.1
"""Seconds between two looks at the clock: an escape that nothing follows is the key."""
_MOST_BYTES: Final = 4096


class NonBlockingDriver(LinuxDriver):
    """Sends `TerminalCaughtUp` to the app when the terminal has read everything after frames were dropped."""

    def __init__(
        self, app: "App[object]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._output: TerminalOutput | None = None
        # Terminals clear the alternate screen each time a program asks for it.
        self._keeps_screen = bool(getattr(app, "first_frame_stands", False))

    def start_application_mode(self) -> None:
        terminal = sys.__stderr__
        assert terminal is not None  # noqa: S101 - Textual's driver needs it too
        self._output = TerminalOutput(terminal.fileno(), self._repaint, encoding=terminal.encoding)
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives it no types

    def run_input_thread(self) -> None:
        """Read the terminal until the app ends. Textual's own thread has no place between reading and parsing."""
        parser, keys = XTermParser(self._debug), EscapeKeys()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(_TICK):
                    data = os.read(self.fileno, _MOST_BYTES)
                    for event in parser.feed(keys.read(decode(data))) if data else ():
                        self.process_message(event)
                for event in parser.tick():
                    keys.pause()
                    self.process_message(event)

    def write(self, data: str) -> None:
        if data == ALTERNATE_SCREEN and self._keeps_screen:
            self._keeps_screen = False
        elif self._output is not None:
            self._output.write(data)
            if (graphics := getattr(self._app, "graphics", None)) is not None:
                graphics.wrote(data)

    def stop_application_mode(self) -> None:
        if self._output is not None:
            self._output.make_room()
        super().stop_application_mode()

    def close(self) -> None:
        super().close()
        if self._output is not None:
            self._output.close()

    def _repaint(self) -> None:
        self.send_message(TerminalCaughtUp())
