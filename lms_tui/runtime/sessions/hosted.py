"""A session as its host sees it: its terminal, its limits and its end.

The far end may be an SSH channel or a browser.
"""

import asyncio
import itertools
import logging
import os
from collections import defaultdict
from contextlib import suppress
from dataclasses import field
from textwrap import wrap
from typing import Final, Protocol

from lms_tui.common.frozen import frozen
from lms_tui.runtime.sessions.limits import Limits, Sessions
from lms_tui.runtime.sessions.messages import LONGEST_END, Start
from lms_tui.runtime.sessions.relay import TerminalRelay, open_terminal
from lms_tui.runtime.sessions.sign_in import SignedInUser, SignIn
from lms_tui.runtime.sessions.warmed import WarmedParent
from lms_tui.tui.terminal.state import RESTORED

LAST_WORDS: Final = 2.0
"""Seconds that a session whose terminal is closed may take to end, and a client to read what was shown last."""
_EARLY: Final = 64 * 1024
"""Bytes that may be typed before the session runs."""
_NARROWEST: Final = 20
_UNKNOWN: Final = 1000
"""Columns of a line without a terminal, which is not broken."""

_log = logging.getLogger(__name__)


class Line(Protocol):
    """The far end of a session. `address`: of the person's computer."""

    address: str

    def show(self, data: bytes) -> None:
        """Send what the program has drawn."""

    def hold(self, full: bool, /) -> None:
        """Stop to read keys if `full`, else read them."""

    def exit(self, status: int) -> None:
        """Close the line after the last output. `status` is the exit code of the program."""

    def ask_soon(self) -> None:
        """End the line in seconds if nobody answers."""


@frozen
class HostState:
    """The state that all connections of a host share."""

    sign_in: SignIn
    limits: Limits
    sessions: Sessions
    parent: WarmedParent
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    lines: "dict[int, set[Line]]" = field(default_factory=lambda: defaultdict(set))
    """The lines with a session, by user."""

    def join(self, user_id: int, line: Line) -> None:
        """Add a line, and ask soon whether the others of this user are cut: they keep an exam locked."""
        for other in self.lines[user_id]:
            other.ask_soon()
        self.lines[user_id].add(line)

    def leave(self, user_id: int, line: Line) -> None:
        self.lines[user_id].discard(line)
        if not self.lines[user_id]:
            del self.lines[user_id]


@frozen
class TerminalOf:
    """The terminal of a person. `plain`: lines in place of screens."""

    columns: int
    rows: int
    term: str
    lang: str = ""
    colorterm: str = ""
    plain: bool = False


class HostedSession:
    """Connects a line with a terminal of this host, in which the process of the session runs."""

    def __init__(self, host: HostState, user: SignedInUser, line: Line) -> None:
        self._host = host
        self._user = user
        self._line = line
        self._number = next(host.numbers)
        self._relay: TerminalRelay | None = None
        self._admitted = self._begun = self._over = False
        self._reading = True
        self._status: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._ending: asyncio.Task[None] | None = None
        self._early = bytearray()
        self._columns = 0
        self._last_key = 0.0
        self._idle: asyncio.TimerHandle | None = None

    async def begin(self, terminal: TerminalOf) -> None:
        """Start the program, or tell the person why not."""
        if self._over:
            return
        self._columns = terminal.columns
        if refusal := self._host.sessions.begin(self._user.user_id):
            _log.info("%s: refused: too many sessions", self._line.address)
            self.say(refusal)
            return
        self._admitted = True
        self._host.join(self._user.user_id, self._line)
        try:
            await self._open(terminal)
        except (OSError, TimeoutError):
            _log.exception("a session could not be started")
            self.say("The session could not be started. Try again in a minute.")

    async def _open(self, terminal: TerminalOf) -> None:
        user, address = self._user, self._line.address
        start = Start(
            self._number,
            user.user_id,
            user.username,
            user.token,
            address,
            terminal.term,
            terminal.lang,
            terminal.colorterm,
            terminal.plain,
        )
        ours, theirs = open_terminal(terminal.columns, terminal.rows)
        self._relay = TerminalRelay(ours, self._line.show, self._line.hold, self._closed)
        try:
            await self._host.parent.begin(start, theirs, self._told_end)
        finally:
            os.close(theirs)
        _log.info("%s: user %s began session %s", address, user.user_id, self._number)
        if self._over:
            return
        self._begun = True
        self.read(self._reading)
        self._relay.feed(bytes(self._early))
        self._last_key = asyncio.get_running_loop().time()
        self._watch()

    @property
    def running(self) -> bool:
        """Whether there is a terminal."""
        return self._relay is not None

    def type(self, data: bytes) -> None:
        """Pass keys to the program."""
        self._last_key = asyncio.get_running_loop().time()
        if self._begun and self._relay is not None:
            self._relay.feed(data)
        elif len(self._early) < _EARLY:
            self._early += data

    def resize(self, columns: int, rows: int) -> None:
        self._columns = columns
        if self._relay is not None:
            self._relay.resize(columns, rows)

    def read(self, on: bool, /) -> None:
        """Read the output of the program, or let the program wait for a slow line."""
        self._reading = on
        if self._begun and self._relay is not None:
            (self._relay.resume if on else self._relay.pause)()

    def hang_up(self) -> None:
        """Close the terminal. The program saves and ends."""
        if self._relay is not None:
            self._relay.close()

    def cut(self) -> None:
        """Hang up, because the line is closed. A program that does not end is killed."""
        if self._over:
            return
        self._over = True
        if self._idle is not None:
            self._idle.cancel()
        if self._relay is not None:
            self._relay.close()
            asyncio.get_running_loop().call_later(LONGEST_END, self._host.parent.kill, self._number)
        if self._admitted:
            self._admitted = False
            self._host.sessions.end(self._user.user_id)
            self._host.leave(self._user.user_id, self._line)
            _log.info("%s: session %s has ended", self._line.address, self._number)

    def say(self, words: str) -> None:
        """Restore the terminal of the person, say this, and end."""
        if not self._over:
            restored = RESTORED if self._relay is not None else b""
            rows = wrap(f"lms-tui: {words}", max(_NARROWEST, self._columns or _UNKNOWN))
            self._line.show(restored + "".join(f"\r\n{row}" for row in rows).encode() + b"\r\n")
            self._line.exit(1)

    def _watch(self) -> None:
        """End a session without keys."""
        loop = asyncio.get_running_loop()
        left = self._last_key + self._host.limits.idle - loop.time()
        if left > 0:
            self._idle = loop.call_later(left, self._watch)
        else:
            self.hang_up()
            self.say("The session has ended, because no key was pressed for a long time. All answers are kept.")

    def _told_end(self, status: int) -> None:
        if not self._status.done():
            self._status.set_result(status)

    def _closed(self) -> None:
        self._ending = asyncio.get_running_loop().create_task(self._finish())

    async def _finish(self) -> None:
        """Tell the line how the program has ended."""
        status = -1
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                status = await self._status
        if status < 0:
            _log.info("%s: session %s was ended by signal %s", self._line.address, self._number, -status)
            self.say("The program has ended unexpectedly. All saved answers are kept. Start it again.")
        elif not self._over:
            self._line.exit(status)
