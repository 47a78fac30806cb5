"""Write exchanges as a HAR 1.2 file for the tools of browsers, or one exchange as a curl command."""

import base64
import json
import logging
import os
import shlex
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from lms_tui import __version__
from lms_tui.client.recording import HIDDEN, Exchange, Headers
from lms_tui.common.private_files import BINARY, refuse_special, replace_file

_log = logging.getLogger(__name__)
_UNKNOWN: Final = -1
_HTTP: Final = "HTTP/1.1"
_LEFT_OUT: Final = frozenset({"host", "content-length", "connection", "accept-encoding", "user-agent"})
"""Headers that curl adds."""
TOKEN_VARIABLE: Final = "LMS_TOKEN"  # noqa: S105 - the name of a variable


def to_har(exchanges: Iterable[Exchange]) -> bytes:
    """Return the content of a HAR file. The exchanges must not contain secrets."""
    entries = [_entry(exchange) for exchange in exchanges]
    creator = {"name": "lms-tui", "version": __version__}
    log = {"version": "1.2", "creator": creator, "entries": entries}
    return json.dumps({"log": log}, ensure_ascii=False, indent=1).encode()


def write_har(file: Path, exchanges: Iterable[Exchange]) -> None:
    """Write or replace a file that only its owner can read. Raises OSError."""
    replace_file(file, to_har(exchanges))


class HarFile:
    """A HAR file that is complete after each exchange, even if the program is killed.

    It replaces an existing file. Raises OSError if it cannot be written.
    """

    def __init__(self, file: Path) -> None:
        refuse_special(file)
        file.unlink(missing_ok=True)
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY | getattr(os, "O_NOFOLLOW", 0), 0o600)
        self._stream = os.fdopen(descriptor, "r+b")
        head, self._tail = to_har(()).split(b"[]")
        self._stream.write(head + b"[")
        self._end = self._stream.tell()
        self._empty = True
        self._finish()

    def append(self, exchange: Exchange) -> None:
        """Add an exchange without secrets. A full disk loses the entry and raises nothing."""
        entry = json.dumps(_entry(exchange), ensure_ascii=False).encode()
        try:
            self._stream.seek(self._end)
            self._stream.write((b"\n" if self._empty else b",\n") + entry)
            self._end, self._empty = self._stream.tell(), False
            self._finish()
        except OSError as error:
            _log.warning("a request could not be recorded: %s", error.strerror)

    def close(self) -> None:
        with suppress(OSError):  # append() has logged the error already
            self._stream.close()

    def _finish(self) -> None:
        self._stream.write(b"]" + self._tail)
        self._stream.truncate()
        self._stream.flush()


def to_curl(exchange: Exchange) -> str:
    """Return a curl command that repeats the request. It takes the token from the variable LMS_TOKEN."""
    parts = ["curl", "-i", "-X", exchange.method, shlex.quote(exchange.url)]
    for name, value in exchange.request_headers:
        if name.lower() == "authorization":
            parts += ["-H", f'"Authorization: JWT ${TOKEN_VARIABLE}"']
        elif name.lower() not in _LEFT_OUT and HIDDEN not in value:
            parts += ["-H", shlex.quote(f"{name}: {value}")]
    if exchange.request_body:
        parts += ["--data-raw", shlex.quote(exchange.request_body.decode("utf-8", "replace"))]
    return " ".join(parts)


def _entry(exchange: Exchange) -> dict[str, Any]:
    milliseconds = round(exchange.seconds * 1000, 3)
    entry = {
        "startedDateTime": exchange.began.isoformat(timespec="milliseconds"),
        "time": milliseconds,
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
    }
    return entry | ({"comment": exchange.failure} if exchange.failure else {})


def _request(exchange: Exchange) -> dict[str, Any]:
    request = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": _HTTP,
        "cookies": [],
        "headers": _headers(exchange.request_headers),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)
        ],
        "headersSize": _UNKNOWN,
        "bodySize": len(exchange.request_body),
    }
    if exchange.request_body:
        kind = next((value for name, value in exchange.request_headers if name.lower() == "content-type"), "")
        request["postData"] = {"mimeType": kind, "text": exchange.request_body.decode("utf-8", "replace")}
    return request


def _response(exchange: Exchange) -> dict[str, Any]:
    return {
        "status": exchange.status,
        "statusText": _phrase(exchange.status),
        "httpVersion": _HTTP if exchange.status else "",
        "cookies": [],
        "headers": _headers(exchange.response_headers),
        "content": {
            "size": len(exchange.body),
            "mimeType": exchange.header("content-type") or "x-unknown",
            **_text(exchange.body),
        },
        "redirectURL": exchange.header("location"),
        "headersSize": _UNKNOWN,
        "bodySize": exchange.size if exchange.status else _UNKNOWN,
    }


def _text(body: bytes) -> dict[str, str]:
    """Return the text of a body. Other bodies, such as pictures, are written in base64."""
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "encoding": "base64"}


def _headers(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
