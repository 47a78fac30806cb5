"""A queue in which names take turns, so that many who come under one name do not delay the others."""

from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import anyio

from lms_tui.service.core.errors import Overloaded

_COME_BACK_AFTER: Final = 10
"""Seconds after which somebody who was not served may try again."""


class _Waiter:
    def __init__(self) -> None:
        self.decided = anyio.Event()
        self.has_place = False


class FairQueue:
    """Lets `places` callers work at a time. At most `longest` others wait, each at most `patience` seconds."""

    def __init__(self, places: int, longest: int, patience: float) -> None:
        self._free = places
        self._longest = longest
        self._patience = patience
        self._lines: dict[str, deque[_Waiter]] = {}
        """The waiting tries by name. The first name is next, and no line is empty."""
        self._waiting = 0

    @asynccontextmanager
    async def turn(self, name: str) -> AsyncIterator[None]:
        """Wait for a place and hold it. Raises Overloaded for somebody who cannot be served in time."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(name)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, name: str) -> None:
        waiter = _Waiter()
        self._lines.setdefault(name, deque()).append(waiter)
        self._waiting += 1
        if self._waiting > self._longest:
            self._drop(name)
        try:
            with anyio.move_on_after(self._patience):
                await waiter.decided.wait()
        except BaseException:
            if waiter.has_place:
                self._pass_on()
            else:
                self._remove(name, waiter)
            raise
        if not waiter.has_place:
            self._remove(name, waiter)
            raise Overloaded(_COME_BACK_AFTER)

    def _pass_on(self) -> None:
        if not self._lines:
            self._free += 1
            return
        name = next(iter(self._lines))
        line = self._lines.pop(name)
        waiter = line.popleft()
        self._waiting -= 1
        if line:
            self._lines[name] = line  # behind the other names
        waiter.has_place = True
        waiter.decided.set()

    def _drop(self, newest: str) -> None:
        """Send away the last of the longest line, of equal ones the last of the line that has just grown."""
        name = max(self._lines, key=lambda other: (len(self._lines[other]), other == newest))
        waiter = self._lines[name][-1]
        self._remove(name, waiter)
        waiter.decided.set()

    def _remove(self, name: str, waiter: _Waiter) -> None:
        line = self._lines.get(name, ())
        if waiter not in line:
            return
        self._lines[name].remove(waiter)
        self._waiting -= 1
        if not self._lines[name]:
            del self._lines[name]
