"""A terminal emulator that reads a program's output and keeps its screen."""

import re
from importlib.util import find_spec
from typing import Any, Final

from lms_tui.qa.walk.user_client import CannotWalkError

# The emulator would print strings of graphics protocols and private queries as text.
_UNREADABLE: Final = re.compile(
    rb"\x1b[P_^X].*?(?:\x1b\\|\x07)|\x1b\[[<=>][0-9;:]*[ -/]*[@-~]|\x1b\[[0-9;?]*\$[@-~]", re.DOTALL
)
_HALF: Final = re.compile(rb"\x1b(?:[P_^X\]](?:[^\x07\x1b]|\x1b(?!\\))*|\[[0-?]*[ -/]*)?$")
"""An incomplete escape sequence at the end of the output."""


def can_emulate() -> bool:
    """Return whether the terminal emulator of the extra `scenarios` is installed."""
    return find_spec("pyte") is not None


def no_emulator() -> CannotWalkError:
    return CannotWalkError(
        "Scenarios of the app need a terminal emulator, which is not installed.",
        "Install it: pip install 'lms-tui[scenarios]'. `lms-tui help extras` shows other ways.",
    )


class Emulator:
    """The screen of a terminal. Raises CannotWalkError without the terminal emulator."""

    def __init__(self, columns: int, rows: int) -> None:
        try:
            import pyte  # noqa: PLC0415 - an extra
        except ImportError:
            raise no_emulator() from None
        self.screen: Any = pyte.Screen(columns, rows)
        self._stream: Any = pyte.ByteStream(self.screen)
        self._tail = b""

    def feed(self, data: bytes) -> None:
        """Draw the next part of the output. It may end within an escape sequence."""
        whole = self._tail + data
        half = _HALF.search(whole)
        cut = half.start() if half else len(whole)
        self._tail = whole[cut:]
        self._stream.feed(_UNREADABLE.sub(b"", whole[:cut]))

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)

    def text(self) -> str:
        """Return the lines of the screen.

        pyte's own `display` fails while half of a wide character is painted over.
        """
        lines = (self.screen.buffer[y] for y in range(self.screen.lines))
        return "\n".join("".join(line[x].data for x in range(self.screen.columns)) for line in lines)
