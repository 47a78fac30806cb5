"""The progress of a walk: one line on the terminal of standard error, which is drawn again and again."""

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final, TextIO

from lms_tui.client.recording import Exchange
from lms_tui.common.cleaning import clean_line
from lms_tui.qa.walk.rules import load_rules
from lms_tui.qa.walk.verdicts import Watcher

_EVERY: Final = 1.0
"""Seconds between two drawings while nothing happens."""
_START_OF_LINE: Final = "\r\x1b[K"


class Progress(Watcher):
    """Draws the area and the rule that is judged, with the counts of rules and requests, and the seconds."""

    def __init__(self, out: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._now = now
        self._began = now()
        self._rules: dict[str, None] = {}
        self._last = "signing in"
        self._requests = 0

    def judged(self, rule: str, _: Sequence[Exchange], __: Sequence[str]) -> None:
        self._rules[rule] = None
        self._last = f"{rule.partition('.')[0]}: {rule}"
        self.draw()

    def sent(self, _: Exchange) -> None:
        self._requests += 1
        self.draw()

    def draw(self) -> None:
        words = (
            f"{self._last}, {len(self._rules)} of {len(load_rules())} rules, {self._requests} requests, "
            f"{self._now() - self._began:.0f} s"
        )
        width = shutil.get_terminal_size().columns - 1
        self._out.write(f"{_START_OF_LINE}{clean_line(words)[:width]}")
        self._out.flush()

    def erase(self) -> None:
        self._out.write(_START_OF_LINE)
        self._out.flush()


@asynccontextmanager
async def watching(out: TextIO, *, quiet: bool) -> AsyncIterator[Watcher]:
    """Yield a watcher that shows the progress if `out` is a terminal and the walk is not quiet."""
    if quiet or not out.isatty():
        yield Watcher()
        return
    progress = Progress(out)
    ticking = asyncio.create_task(_tick(progress))
    try:
        yield progress
    finally:
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
        progress.erase()


async def _tick(progress: Progress) -> None:
    while True:
        progress.draw()
        await asyncio.sleep(_EVERY)
