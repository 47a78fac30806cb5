"""One tab of a browser: it passes the messages of the page to a session, and draws what the session shows."""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from aiohttp import WSMessage, WSMsgType, web

from lms_tui.runtime.sessions.hosted import LAST_WORDS, HostedSession, HostState, TerminalOf
from lms_tui.runtime.sessions.messages import LONGEST_END
from lms_tui.runtime.web.browsers import Browser, Browsers

LARGEST_MESSAGE: Final = 1024 * 1024
"""Bytes of a message. A long text may be pasted."""
_MOST_WAITING: Final = 64 * 1024
"""Bytes that wait for the browser. Then the program waits too."""
_LARGEST: Final = 500

_log = logging.getLogger(__name__)


class Tab:
    """The line of a session. `cut` ends the connection at once."""

    def __init__(
        self,
        host: HostState,
        browsers: Browsers,
        browser: Browser,
        socket: web.WebSocketResponse,
        address: str,
        cut: Callable[[], None],
    ) -> None:
        self.address = address
        self._browsers = browsers
        self._browser = browser
        self._socket = socket
        self._cut = cut
        self._patience = host.limits.answer
        self._session = HostedSession(host, browser.user, self)
        self._waiting = bytearray()
        self._wake = asyncio.Event()
        self._full = self._held = self._ending = self._has_quit = False
        self._owed = 0
        self._asked: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, columns: int, rows: int) -> None:
        """Serve the tab until its session or its connection ends."""
        self._browser.tabs.add(self)
        self._start(self._write())
        plain = self._browser.plain
        self._start(self._session.begin(TerminalOf(columns, rows, "xterm-256color", "C.UTF-8", "truecolor", plain)))
        try:
            await self._read()
        finally:
            self._session.cut()
            if self._asked is not None:
                self._asked.cancel()
            self._browser.tabs.discard(self)
            if self._has_quit:
                self._browsers.left(self._browser)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def close(self) -> None:
        """End the session, because the browser has signed out."""
        self._session.hang_up()
        self._session.say("You have signed out.")

    # The line of the session.

    def show(self, data: bytes) -> None:
        self._waiting += data
        self._wake.set()
        if not self._full and len(self._waiting) >= _MOST_WAITING:
            self._full = True
            self._session.read(False)

    def hold(self, full: bool, /) -> None:
        """Count keys that come while the program takes none. The socket is read on, to hear of its end."""
        self._held = full
        self._owed = 0

    def exit(self, status: int) -> None:
        self._has_quit = status == 0
        self._ending = True
        self._wake.set()
        asyncio.get_running_loop().call_later(LONGEST_END, self._cut)

    def ask_soon(self) -> None:
        if self._asked is None:
            self._asked = asyncio.get_running_loop().call_later(self._patience, self._cut)
            self._start(self._socket.ping())

    # Messages.

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks.add(asyncio.get_running_loop().create_task(work))

    async def _write(self) -> None:
        """Send what is shown as fast as the browser reads. Then close the socket, if the session has ended."""
        while not self._ending or self._waiting:
            await self._wake.wait()
            self._wake.clear()
            if self._waiting:
                data = bytes(self._waiting)
                self._waiting.clear()
                await self._socket.send_bytes(data)
            if self._full:
                self._full = False
                self._session.read(True)
        async with asyncio.timeout(LAST_WORDS):
            await self._socket.close()

    async def _read(self) -> None:
        async for message in self._socket:
            if self._asked is not None:
                self._asked.cancel()
                self._asked = None
            match message.type:
                case WSMsgType.TEXT:
                    self._obey(message)
                case WSMsgType.PING:
                    await self._socket.pong(message.data)
                case WSMsgType.ERROR:
                    return

    def _obey(self, message: WSMessage) -> None:
        """Obey a message of the page, and ignore an invalid one."""
        try:
            told = json.loads(message.data)
        except (ValueError, RecursionError):
            told = None
        match told:
            case ["stdin", str(text)]:
                self._type(text.encode("utf-8", "replace"))
            case ["resize", {"width": int(columns), "height": int(rows)}]:
                self._session.resize(cells(columns), cells(rows))
            case ["ping" | "focus" | "blur", *_]:
                pass  # the page counts the milliseconds to an answer, which nobody reads; the terminal tells the rest
            case _:
                _log.info("%s: a tab sent an unknown message", self.address)

    def _type(self, keys: bytes) -> None:
        self._browsers.touch(self._browser)
        if self._held:
            self._owed += len(keys)
        if self._owed > LARGEST_MESSAGE:
            _log.info("%s: refused: too many keys for a program that takes none", self.address)
            self._cut()
        else:
            self._session.type(keys)


def cells(told: int) -> int:
    """Return a possible number of columns or rows."""
    return min(max(told, 1), _LARGEST)
