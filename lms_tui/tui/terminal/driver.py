"""Textual's driver for Linux and macOS with an output that never blocks the app, and keys that may arrive at once."""

import os
import signal
import sys
from typing import TYPE_CHECKING

from textual.drivers.linux_driver import LinuxDriver

from lms_tui.tui.terminal.caught_up import TerminalCaughtUp
from lms_tui.tui.terminal.first_frame import ALTERNATE_SCREEN
from lms_tui.tui.terminal.input import TerminalInput
from lms_tui.tui.terminal.output import TerminalOutput

if TYPE_CHECKING:
    from textual.app import App


class NonBlockingDriver(LinuxDriver):
    """Sends `TerminalCaughtUp` to the app when the terminal has read everything after frames were dropped."""

    def __init__(
        self, app: "App[object]", *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._output: TerminalOutput | None = None
        self._input = TerminalInput(self.fileno, self.process_message, _hang_up, debug=debug)
        # Terminals clear the alternate screen each time a program asks for it.
        self._keeps_screen = bool(getattr(app, "first_frame_stands", False))

    def start_application_mode(self) -> None:
        terminal = sys.__stderr__
        assert terminal is not None  # noqa: S101 - Textual's driver needs it too
        self._output = TerminalOutput(terminal.fileno(), self._repaint, encoding=terminal.encoding)
        self._input.prepare()
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives it no types

    def run_input_thread(self) -> None:
        """Read the terminal until the app ends. Textual's own thread has no place between reading and parsing."""
        self._input.run()

    def disable_input(self) -> None:
        self._input.stop()
        super().disable_input()

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
        self._input.close()
        if self._output is not None:
            self._output.close()

    def _repaint(self) -> None:
        self.send_message(TerminalCaughtUp())


def _hang_up() -> None:
    """End the program, as the kernel does where the terminal controls it. It would go on without a terminal."""
    os.kill(os.getpid(), signal.SIGHUP)
