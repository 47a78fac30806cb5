"""The first frame of the program, which stands before Textual is imported (standard library only)."""

import os
import signal
import sys
from types import FrameType
from typing import Final, Self

from lms_tui.tui.terminal.state import TerminalState

ALTERNATE_SCREEN: Final = "\x1b[?1049h"
_SIGNALS: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)


class FirstFrame:
    """Shows the name of the program, what it opens and a step, until the app paints over it.

    Keys are not echoed meanwhile. They wait in the terminal for the app, which reads them as the keys they are. When
    the context ends, the terminal is as it was before.
    """

    def __init__(self) -> None:
        self.terminal = TerminalState()
        self.stands = False
        """Whether the frame is on the alternate screen."""
        self._handed_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if not self.stands:
            return
        self.stands = False
        if self._handed_over:
            self.terminal.restore_keys()  # the app has left the alternate screen
        else:
            self.terminal.restore()

    def draw(self, title: str, step: str) -> None:
        """Draw the frame. The texts must be clean. Does nothing on Windows and without a terminal."""
        if sys.platform == "win32" or sys.__stderr__ is None or not self.terminal.hush():
            return
        self.stands = True
        for number in _SIGNALS:
            signal.signal(number, _leave)  # the app replaces it
        screen = sys.__stderr__.fileno()
        columns, rows = os.get_terminal_size(screen)
        middle = max(2, rows // 2)
        lines = ((middle, title, ""), (middle + 1, step, "\x1b[2m"))
        parts = [f"{ALTERNATE_SCREEN}\x1b[?25l\x1b[2J\x1b[1;2H\x1b[1mlms-tui\x1b[m"]
        for row, text, look in lines:
            shown = text[: max(0, columns - 2)]
            parts.append(f"\x1b[{row};{(columns - len(shown)) // 2 + 1}H{look}{shown}\x1b[m")
        os.write(screen, "".join(parts).encode("utf-8", "replace"))

    def hand_over(self) -> None:
        """Leave the alternate screen to the app, which starts now and leaves it at its end."""
        self._handed_over = True


def _leave(number: int, _frame: FrameType | None) -> None:
    """End the program and restore the terminal on the way."""
    raise SystemExit(128 + number)
