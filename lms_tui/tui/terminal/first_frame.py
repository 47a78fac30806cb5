"""The first frame of the program, which stands before Textual is imported (standard library only)."""

import os
import signal
import sys
from types import FrameType
from typing import Final, Self

from lms_tui.tui.terminal.state import TerminalState

ALTERNATE_SCREEN: Final = "\x1b[?1049h"
_SIGNALS: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class FirstFrame:
    """Shows the name of the program, what it opens and a step, until the app paints over it.

    Keys are not echoed meanwhile. They wait in the terminal for the app, which reads them as the keys they are. When
    the context ends, the terminal is as it was before.
    """

    def __init__(self, title: str, step: str, *, shown: bool = True) -> None:
        """The texts must be clean. Without `shown`, nothing is drawn, for a terminal that the app does not use."""
        self.terminal = TerminalState()
        self.stands = False
        """Whether the frame is on the alternate screen."""
        self._title = title
        self._step = step
        self._shown = shown
        self._handed_over = False
        self._signalled = 0

    def __enter__(self) -> Self:
        if self._shown and sys.platform != "win32" and sys.__stderr__ is not None:
            for number in _SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    signal.signal(number, self._leave)  # the app replaces it
            try:
                self._draw(sys.__stderr__.fileno())
            except BaseException:  # also a signal
                self.terminal.restore()
                raise
        return self

    def __exit__(self, *_error: object) -> None:
        if not self.stands:
            return
        self.stands = False
        if self._handed_over:
            self.terminal.restore_keys()  # the app has left the alternate screen
        else:
            self.terminal.restore()

    def _draw(self, screen: int) -> None:
        if not self.terminal.hush():
            return
        self.stands = True
        columns, rows = os.get_terminal_size(screen)
        middle = max(2, rows // 2)
        lines = ((middle, self._title, ""), (middle + 1, self._step, "\x1b[2m"))
        parts = [f"{ALTERNATE_SCREEN}\x1b[?25l\x1b[2J\x1b[1;2H\x1b[1mlms-tui\x1b[m"]
        for row, text, look in lines:
            shown = text[: max(0, columns - 2)]
            parts.append(f"\x1b[{row};{(columns - len(shown)) // 2 + 1}H{look}{shown}\x1b[m")
        os.write(screen, "".join(parts).encode("utf-8", "replace"))

    def check(self) -> None:
        """End the program if a signal has come. Call before the event loop, which handles SIGINT itself.

        Python drops an exception that is raised in a callback of its import system.
        """
        if signal.getsignal(signal.SIGINT) == self._leave:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._signalled:
            raise SystemExit(128 + self._signalled)

    def _leave(self, number: int, _frame: FrameType | None) -> None:
        """End the program and restore the terminal on the way."""
        self._signalled = number
        raise SystemExit(128 + number)

    def hand_over(self) -> None:
        """Leave the alternate screen to the app, which starts now and leaves it at its end."""
        self._handed_over = True
