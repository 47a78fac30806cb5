"""Requests with their replies as values. Secrets are removed before an exchange is kept."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Final, Protocol

from lms_tui.client.decoding import is_too_deep
from lms_tui.client.redaction import redact
from lms_tui.common.frozen import frozen

Headers = tuple[tuple[str, str], ...]
HIDDEN: Final = "…"
_SECRET_HEADERS: Final = frozenset(
    {"authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-known-device"}
)
_SECRET_FIELDS: Final = frozenset(
    {"password", "password_hash", "token", "access_token", "access_code", "code", "secret"}
)
_MOST: Final = 500
_LARGEST: Final = 4 * 1024 * 1024
"""Limit in bytes, because the recording must not grow with the exam."""


@frozen
class Exchange:
    """One request and its reply. A `status` of 0 means no reply, and `failure` gives the reason.

    The bodies are decompressed. `size` is the number of bytes of the reply's body before decompression. `seconds` is
    the time until the whole reply was read.
    """

    method: str
    url: str
    request_headers: Headers
    request_body: bytes
    began: datetime
    seconds: float
    status: int = 0
    response_headers: Headers = ()
    body: bytes = b""
    size: int = 0
    failure: str = ""

    @property
    def succeeded(self) -> bool:
        return 200 <= self.status < 300

    @property
    def outcome(self) -> str:
        """Return the status such as `200 OK`, or the reason why there was no reply."""
        if not self.status:
            return self.failure or "no answer"
        try:
            return f"{self.status} {HTTPStatus(self.status).phrase}"
        except ValueError:
            return str(self.status)

    @property
    def path(self) -> str:
        """Return the address without scheme and host."""
        rest = self.url.partition("://")[2]
        return f"/{rest.partition('/')[2]}"

    def header(self, name: str) -> str:
        """Return the first response header of this name, or ""."""
        return next((value for known, value in self.response_headers if known.lower() == name.lower()), "")

    def tree(self) -> object:
        """Return the JSON of the reply, or None."""
        return _tree(self.body)

    def without_secrets(self, auth_header: str = "authorization") -> "Exchange":
        """Return the exchange with tokens, passwords, cookies and signed addresses replaced by three dots."""
        secret = _SECRET_HEADERS | {auth_header.lower()}
        return replace(
            self,
            url=redact(self.url),
            request_headers=_safe_headers(self.request_headers, secret),
            request_body=_safe_body(self.request_body),
            response_headers=_safe_headers(self.response_headers, secret),
            body=_safe_body(self.body),
            failure=redact(self.failure),
        )


class Recorder(Protocol):
    """Receives every exchange of a connection in the order in which they end."""

    def keep(self, exchange: Exchange) -> None: ...


class Recording:
    """The newest exchanges, oldest first, with secrets hidden. The number and the bytes are limited, or not if None."""

    def __init__(
        self, most: int | None = _MOST, largest: int | None = _LARGEST, auth_header: str = "authorization"
    ) -> None:
        self._most = most
        self._largest = largest
        self._auth_header = auth_header
        self._kept: deque[tuple[int, Exchange]] = deque()
        self._bytes = 0
        self._count = 0
        self._heard: list[Callable[[Exchange], None]] = []

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(exchange for _, exchange in self._kept)

    @property
    def numbered(self) -> tuple[tuple[int, Exchange], ...]:
        """Return each exchange with its number. The number stays when older exchanges are dropped."""
        return tuple(self._kept)

    def keep(self, exchange: Exchange) -> None:
        safe = exchange.without_secrets(self._auth_header)
        self._count += 1
        self._bytes += _weight(safe)
        self._kept.append((self._count, safe))
        while len(self._kept) > 1 and self._is_full():
            self._bytes -= _weight(self._kept.popleft()[1])
        for tell in tuple(self._heard):
            tell(safe)

    def _is_full(self) -> bool:
        too_many = self._most is not None and len(self._kept) > self._most
        return too_many or (self._largest is not None and self._bytes > self._largest)

    def listen(self, tell: Callable[[Exchange], None]) -> Callable[[], None]:
        """Call `tell` with each new exchange. Return a function that stops this."""
        self._heard.append(tell)
        return lambda: self._heard.remove(tell)


def _weight(exchange: Exchange) -> int:
    return len(exchange.body) + len(exchange.request_body) + 1_000


def _safe_headers(headers: Headers, secret: frozenset[str]) -> Headers:
    return tuple(
        (name, _hidden(value)) if name.lower() in secret else _safe_header(name, value) for name, value in headers
    )


@lru_cache(256)
def _safe_header(name: str, value: str) -> tuple[str, str]:
    """Return a header without secrets. Nearly all are those of the request before, and are kept once."""
    return name, redact(value)


def _hidden(value: str) -> str:
    scheme, blank, _ = value.partition(" ")
    return f"{scheme} {HIDDEN}" if blank and scheme.lower() in {"jwt", "bearer", "basic"} else HIDDEN


def _safe_body(body: bytes) -> bytes:
    tree = _tree(body)
    if tree is None or is_too_deep(tree):
        # Pictures and other bodies that are not text stay what they are.
        return redact(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    safe = _safe_tree(tree)
    # A body without secrets is kept byte for byte.
    return body if safe == tree else json.dumps(safe, ensure_ascii=False).encode("utf-8", "backslashreplace")


def _safe_tree(value: object) -> object:
    match value:
        case Mapping():
            return {
                name: HIDDEN if str(name).lower() in _SECRET_FIELDS and inner else _safe_tree(inner)
                for name, inner in value.items()
            }
        case list():
            return [_safe_tree(inner) for inner in value]
        case str():
            return redact(value)
        case _:
            return value


def _tree(body: bytes) -> object:
    try:
        tree: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return tree
