"""The browsers that have signed in, kept in memory. A browser has a random key in a cookie, and nothing else."""

import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from lms_tui.runtime.sessions.sign_in import SignedInUser

_LONGEST: Final = 12 * 3600.0
"""Seconds after which a browser has to sign in again. Open tabs go on."""
_OF_USER: Final = 8
"""Browsers of one user."""


class OpenTab(Protocol):
    """A tab with a session."""

    def close(self) -> None:
        """End the session."""


@dataclass(eq=False)
class Browser:
    """A browser that has signed in. `since` and `used` are seconds of the clock. `plain`: lines in place of screens."""

    user: SignedInUser
    since: float
    used: float
    plain: bool = False
    tabs: set[OpenTab] = field(default_factory=set)


class Browsers:
    """The browsers by the digest of their key. `idle`: seconds without a use after which one is signed out."""

    def __init__(self, idle: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle = idle
        self._clock = clock
        self._known: dict[bytes, Browser] = {}

    def add(self, user: SignedInUser, *, plain: bool = False) -> str:
        """Sign a browser in, and return its key. The browser of this user that was used least recently may give way."""
        now = self._clock()
        for digest, browser in tuple(self._known.items()):
            if self._is_over(browser, now):
                del self._known[digest]
        own = [digest for digest, browser in self._known.items() if browser.user.user_id == user.user_id]
        if len(own) >= _OF_USER:
            self._end(min(own, key=lambda digest: self._known[digest].used))
        key = secrets.token_urlsafe(32)
        self._known[_digest(key)] = Browser(user, now, now, plain)
        return key

    def find(self, key: str) -> Browser | None:
        """Return the browser with this key, which is in use now."""
        browser = self._known.get(_digest(key))
        now = self._clock()
        if browser is None or self._is_over(browser, now):
            return None
        browser.used = now
        return browser

    def touch(self, browser: Browser) -> None:
        """Note that a tab is in use."""
        browser.used = self._clock()

    def sign_out(self, key: str) -> None:
        """Forget a browser, and end the sessions of its tabs."""
        if (digest := _digest(key)) in self._known:
            self._end(digest)

    def left(self, browser: Browser) -> None:
        """Sign a browser out after its person has quit the app in its last tab."""
        if not browser.tabs:
            for digest, known in tuple(self._known.items()):
                if known is browser:
                    del self._known[digest]

    def _end(self, digest: bytes) -> None:
        for tab in tuple(self._known.pop(digest).tabs):
            tab.close()

    def _is_over(self, browser: Browser, now: float) -> bool:
        return now - browser.used >= self._idle or now - browser.since >= _LONGEST


def _digest(key: str) -> bytes:
    """Return what is compared with known keys, so that its timing tells nothing."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()
