"""The habit of a server that wants a slash at the end of addresses which the API document writes without one."""

import re
from typing import Final

import httpx

from lms_tui.client.address import follow
from lms_tui.wire.errors import ApiError

_KEEPING: Final = frozenset({301, 302, 307, 308})
"""Redirects that Django and other servers use for the same request. 303 asks for another one."""
_NUMBER: Final = re.compile(r"/\d+(?=/)")


class Slashes:
    """The kinds of addresses that want a slash: those that differ only in numbers and in the last part."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()

    def address(self, address: str) -> str:
        """Return the address as the server wants it."""
        return f"{address}/" if not _is_closed(address) and _kind(address) in self._kinds else address

    def learn(self, sent: str, status: int, location: str) -> bool:
        """Learn from a reply to the request to `sent`. Return whether the request belongs to `sent` plus a slash."""
        if not 300 <= status < 400:
            return False
        self._kinds.discard(_kind(sent.removesuffix("/")))
        if _is_closed(sent) or status not in _KEEPING or not location:
            return False
        try:
            wanted = follow(sent, location) == follow(sent, f"{httpx.URL(sent).raw_path.decode()}/")
        except (ApiError, httpx.InvalidURL):
            return False
        if wanted:
            self._kinds.add(_kind(sent))
        return wanted


def _is_closed(address: str) -> bool:
    return address.endswith("/") or "?" in address


def _kind(address: str) -> str:
    return _NUMBER.sub("/*", address).rpartition("/")[0]
