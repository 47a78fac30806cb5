"""The replies of a HAR file, given again to the same requests."""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from lms_tui.client.recording import HIDDEN, Exchange
from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.common.reading import read_file
from lms_tui.common.user_errors import AdvisedError

_LARGEST: Final = 256 * 1024 * 1024
_KEPT_HEADERS: Final = frozenset({"content-type", "location", "retry-after", "etag"})
"""Headers of replies that are given again, beside those of the API that begin with `x-`."""
_NO_REPLY: Final = frozenset({0, 304})
"""No reply, and the reply that a browser took from its cache."""
_TOKEN: Final = "replayed.replayed.replayed"  # noqa: S105 - it stands for the token that the recording hides
_NAMES: Final = "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"
_Key = tuple[str, str, bytes]
"""A method, a path with its query, and a body."""


class ReplayError(AdvisedError):
    """The file cannot be replayed."""


@frozen
class Reply:
    """A reply. `missing` names the request if the recording lacks it."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    missing: str = ""


class Replay:
    """Answers each request as it was answered in the recording: the first time, the second time, and so on.

    The last reply to a request is repeated. Headers of requests, tokens and passwords do not count.
    """

    def __init__(self, recorded: Iterable[Exchange]) -> None:
        self._replies: dict[_Key, list[Exchange]] = {}
        self._origins: set[bytes] = set()
        self._given: Counter[_Key] = Counter()
        self.missing: Counter[str] = Counter()
        for exchange in recorded:
            self._replies.setdefault(_key(exchange), []).append(exchange)
            scheme, host = urlsplit(exchange.url)[:2]
            self._origins.add(f"{scheme}://{host}".encode())

    @property
    def size(self) -> int:
        """The number of recorded replies."""
        return sum(map(len, self._replies.values()))

    @property
    def given(self) -> int:
        """The number of replies that were given again."""
        return self._given.total()

    def reply(self, method: str, target: str, body: bytes, origin: str) -> Reply:
        """Return the next reply to a request, with addresses of `origin`, or a refusal that names the request."""
        key = _key(_request(method, f"{origin}{target}", body))
        recorded = self._replies.get(key)
        if recorded is None:
            return self._refusal(key)
        exchange = recorded[self._given[key]] if self._given[key] < len(recorded) else _last(recorded)
        self._given[key] += 1
        headers = tuple((name, self._moved(value.encode(), origin).decode()) for name, value in _headers(exchange))
        return Reply(exchange.status, headers, self._moved(_with_token(exchange.body), origin))

    def _refusal(self, key: _Key) -> Reply:
        method, path, body = key
        same = any(one[:2] == key[:2] for one in self._replies)
        name = clean_line(f"{method} {path}{' with this body' if same and body else ''}")
        self.missing[name] += 1
        tree = {"detail": f"The recording has no {name}."}
        return Reply(404, (("content-type", "application/json"),), json.dumps(tree).encode(), name)

    def _moved(self, text: bytes, origin: str) -> bytes:
        """Replace the addresses of the recorded servers, also where JSON escapes their slashes."""
        for recorded in self._origins:
            text = text.replace(recorded, origin.encode())
            text = text.replace(recorded.replace(b"/", rb"\/"), origin.encode().replace(b"/", rb"\/"))
        return text


def read_har(file: Path) -> list[Exchange]:
    """Return the exchanges of a HAR file that have a reply. Raises ReplayError and UnreadableFileError."""
    shown = clean_line(file.name)
    data = read_file(file, _LARGEST)
    if len(data) > _LARGEST:
        raise ReplayError(f"{shown} is larger than 256 MB.", "Record a shorter session.")
    advice = "Record one with `lms-tui --record`, `lms-tui walk --har`, or the network tools of a browser."
    try:
        entries = json.loads(data)["log"]["entries"]
        found = [_exchange(entry) for entry in entries if entry["response"]["status"] not in _NO_REPLY]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ReplayError(f"{shown} is not a HAR file.", advice) from error
    if not found:
        raise ReplayError(f"{shown} has no reply.", advice)
    return found


def _exchange(entry: Mapping[str, Any]) -> Exchange:
    """Return an entry as an exchange. Raises LookupError, TypeError and ValueError if it has another form."""
    asked, answered = entry["request"], entry["response"]
    content = answered["content"]
    text = str(content.get("text") or "")
    method, status = str(asked["method"]).upper(), int(answered["status"])
    if method not in {*_NAMES, "OPTIONS"} or not 200 <= status <= 599:
        raise ValueError(method, status)
    try:
        body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode()
    except binascii.Error as error:
        raise ValueError(text[:20]) from error
    asking = _request(method, str(asked["url"]), str((asked.get("postData") or {}).get("text") or "").encode())
    headers = tuple((str(one["name"]), str(one["value"])) for one in answered["headers"])
    return replace(asking, status=status, response_headers=headers, body=body)


def _request(method: str, url: str, body: bytes) -> Exchange:
    return Exchange(method, url, (), body, datetime.min.replace(tzinfo=UTC), 0.0)


def _key(exchange: Exchange) -> _Key:
    """Return what two equal requests have in common, without secrets, which recordings lack."""
    safe = exchange.without_secrets()
    parts = urlsplit(safe.url)
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    body = safe.request_body
    with suppress(ValueError, RecursionError):
        body = json.dumps(json.loads(body), sort_keys=True).encode()
    return exchange.method, (parts.path.rstrip("/") or "/") + (f"?{query}" if query else ""), body


def _last(recorded: Sequence[Exchange]) -> Exchange:
    """Return the reply that is repeated: the last one, or the last success of requests that differ in secrets only."""
    if HIDDEN.encode() in recorded[-1].without_secrets().request_body:
        return next((exchange for exchange in reversed(recorded) if exchange.succeeded), recorded[-1])
    return recorded[-1]


def _headers(exchange: Exchange) -> Iterable[tuple[str, str]]:
    for name, value in exchange.response_headers:
        kept = name.lower() in _KEPT_HEADERS or name.lower().startswith("x-")
        if kept and HIDDEN not in value and f"{name}{value}".isascii() and f"{name}{value}".isprintable():
            yield name.lower(), value


def _with_token(body: bytes) -> bytes:
    """Return the reply to a sign-in with a token, because the recording hides it."""
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        return body
    hidden = isinstance(tree, dict) and tree.get("token") == HIDDEN
    return json.dumps(tree | {"token": _TOKEN}).encode() if hidden else body
