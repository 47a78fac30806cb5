"""Restore the terminal where the app does not come to it."""

import contextlib
import os
import select
import sys
from typing import Any, Final

RESTORED: Final = (
    b"\x1b[?2048l\x1b[?2004l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[<u"
    b"\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[?1004l"
)
"""Ends reports of the size, bracketed paste, the mouse, the keyboard protocol and the alternate screen, breaks long
lines again, and shows the cursor."""
_PATIENCE: Final = 0.5
"""Seconds that `restore` waits for a terminal that does not read."""


class TerminalState:
    """The state of the terminal when this object is made. Make it before the app starts."""

    def __init__(self) -> None:
        self._attributes: list[Any] | None = None
        if sys.platform != "win32" and sys.__stdin__ is not None:
            import termios  # noqa: PLC0415 - not on Windows

            with contextlib.suppress(termios.error, OSError, ValueError):
                self._attributes = termios.tcgetattr(sys.__stdin__.fileno())

    def hush(self) -> bool:
        """Do not echo keys, and read each key at once. Signals still work. Return False without a terminal."""
        if sys.platform == "win32" or self._attributes is None or sys.__stdin__ is None:
            return False
        import termios  # noqa: PLC0415 - not on Windows

        attributes = list(self._attributes)
        attributes[0] &= ~(termios.ICRNL | termios.IXON)
        attributes[3] &= ~(termios.ICANON | termios.ECHO)
        with contextlib.suppress(termios.error, OSError, ValueError):
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, attributes)
            return True
        return False

    def restore(self) -> None:
        """Do what the app does to the terminal at its end. May be called from any thread."""
        if self._attributes is None or sys.__stderr__ is None:
            return
        with contextlib.suppress(OSError, ValueError):
            screen = sys.__stderr__.fileno()
            if select.select([], [screen], [], _PATIENCE)[1]:
                os.write(screen, RESTORED)
        self.restore_keys()

    def restore_keys(self) -> None:
        """Let the terminal treat keys as it did before."""
        if sys.platform == "win32" or self._attributes is None or sys.__stdin__ is None:
            return
        import termios  # noqa: PLC0415 - not on Windows

        with contextlib.suppress(termios.error, OSError, ValueError):
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, self._attributes)
