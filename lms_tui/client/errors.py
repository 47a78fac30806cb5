"""Map replies and failures of the network to the errors of `lms_tui.wire.errors`."""

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

import httpx

from lms_tui.client.decoding import decode
from lms_tui.client.retry import parse_retry_after
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.errors import (
    ApiError,
    Busy,
    Defect,
    Forbidden,
    Invalid,
    NotFound,
    NotTheService,
    Offline,
    Refused,
    ServerFault,
    SignInNeeded,
    TimedOut,
)

_LONGEST_WORDS: Final = 300
_MOST_FIELDS: Final = 50
_REFUSALS: Final[Mapping[int, tuple[type[Refused], str]]] = MappingProxyType(
    {
        400: (Invalid, "The server did not accept the request."),
        401: (SignInNeeded, "Your sign-in has expired."),
        403: (Forbidden, "The server does not allow this."),
        404: (NotFound, "The server could not find this."),
        409: (Invalid, "The server did not accept the request because something has changed there."),
        410: (NotFound, "This is no longer on the server."),
        422: (Invalid, "The server did not accept the request."),
    }
)
_BROKEN: Final = (
    (httpx.ProxyError, "The network's proxy refused the request."),
    (httpx.ConnectError, "The server cannot be reached."),
    (httpx.RemoteProtocolError, "The server closed the connection during its reply."),
)
_NAME_ADVICE: Final = "Check the network and the server's address, which looks like https://learn.example.edu."
_VERIFY_FAILED: Final = re.compile(r"certificate verify failed: ([^(]+)")
_WITHOUT_FIELD: Final = ("detail", "message", "non_field_errors", "error", "errors", "__all__")
_NOT_ABOUT_FIELDS: Final = frozenset({*_WITHOUT_FIELD, "error_code", "code", "title", "status", "status_code", "type"})


def from_response(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Return the error for a reply other than 2xx, with the server's own sentence if it has one."""
    if status in _REFUSALS:
        return _refusal(status, body)
    if 300 <= status < 400:
        return _redirect(status, headers.get("location", ""))
    if status in {408, 504}:
        return TimedOut("The server did not reply in time.", status=status)
    if status in {425, 429, 503}:
        wait = parse_retry_after(headers.get("retry-after"), datetime.now(UTC))
        asked = f" It asks to wait {wait:.0f} s." if wait else ""
        return Busy(f"The server is busy.{asked}", status=status, retry_after=wait)
    return _unexpected(status)


def from_transport(error: Exception, seconds: float) -> ApiError:
    """Return the error for a request without a reply. `seconds` is the timeout."""
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return TimedOut(f"The server did not reply within {seconds:.0f} s.")
    if (reason := _certificate_problem(error)) is not None:
        return NotTheService(
            f"The server's certificate is not valid ({reason}).",
            advice="Check the address and this computer's date. `lms-tui help certificates` says more.",
        )
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL | UnicodeError):
        return Defect("The server's reply contains an invalid address.")
    if isinstance(error, httpx.ConnectError) and _has_no_address(error):
        return Offline("The server cannot be reached: its name was not found.", advice=_NAME_ADVICE)
    words = next(
        (words for kind, words in _BROKEN if isinstance(error, kind)), "The connection to the server was lost."
    )
    return Offline(words)


def unsendable(body: Mapping[str, object] | None = None) -> Invalid:
    """Return the error for values that cannot be sent. Its fields name those values of the body."""
    words = "A value contains a character that cannot be sent, or is too long."
    fields = {name: (words,) for name, value in (body or {}).items() if not _is_encodable(value)}
    return Invalid(words, advice="Type it again instead of pasting it.", fields=fields)


def words_of(tree: object) -> tuple[str, dict[str, tuple[str, ...]]]:
    """Return the sentence and the errors of each field from an error body of any shape in the wire notes.

    Nested field names are joined by dots. Text without a field becomes the sentence. Each text is one cleaned line.
    """
    if not isinstance(tree, Mapping):
        return " ".join(_lines(tree)), {}
    sentence = ""
    for name in _WITHOUT_FIELD:
        value = tree.get(name)
        if isinstance(value, Mapping):
            inner, fields = words_of(value)
            if inner or fields:
                return sentence or inner, fields
        elif name == "detail" and _is_located(value):
            return "", _located(value)
        sentence = sentence or " ".join(_lines(value))
    fields = dict(islice(_fields(tree), _MOST_FIELDS))
    title = tree.get("title")
    if not sentence and not fields and isinstance(title, str):
        sentence = _one_line(title)
    return sentence[:_LONGEST_WORDS], fields


def _refusal(status: int, body: bytes) -> ApiError:
    kind, words = _REFUSALS[status]
    try:
        tree = decode(body)
    except NotTheService as error:
        if kind is NotFound:
            return NotFound(words, status=status)
        return NotTheService(str(error), status=status)
    sentence, fields = words_of(tree)
    if sentence and status != 404:  # "Not found" says less than our sentence
        words = sentence if sentence.endswith((".", "!", "?", "।", "。")) else f"{sentence}."
    if kind is not Invalid:
        return kind(words, status=status)
    if sentence:
        fields = {"": (sentence,), **fields}
    elif fields:
        name, lines = next(iter(fields.items()))
        words = f"{name}: {lines[0]}" if lines else words
    return Invalid(words, status=status, fields=fields)


def _redirect(status: int, location: str) -> ApiError:
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    where = f" ({clean_line(host)[:100]})" if host else ""
    return NotTheService(
        f"The server redirects this request to another address{where}.",
        advice="Check the server's address: https instead of http, or the name it moved to.",
        status=status,
    )


def _unexpected(status: int) -> ApiError:
    if status in {407, 511}:
        return NotTheService("The network requires you to sign in to it first.", status=status)
    if status >= 500:
        return ServerFault(f"The server reported an internal error (HTTP {status}).", status=status)
    return Defect(f"The server sent an unexpected reply ({_reason(status)}).", status=status)


def _reason(status: int) -> str:
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP {status}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and the chain of its causes, in which httpx keeps what happened."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _has_no_address(error: BaseException) -> bool:
    """Return whether the name of the server was not found."""
    return any(isinstance(cause, socket.gaierror) for cause in _causes(error))


def _certificate_problem(error: BaseException) -> str | None:
    """Return the reason of a TLS failure, which may also stand in the message of an error."""
    words = None
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return clean_line(cause.verify_message).rstrip(".")
        if isinstance(cause, ssl.SSLError):
            words = "TLS failed"
        found = _VERIFY_FAILED.search(str(cause))
        words = clean_line(found[1]) if found else words
    return words


def _is_encodable(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        return False
    return True


def _one_line(text: str) -> str:
    return clean_line(text)[:_LONGEST_WORDS]


def _lines(value: object) -> tuple[str, ...]:
    match value:
        case str():
            return (_one_line(value),) if value.strip() else ()
        case list():
            return tuple(_one_line(item) for item in value[:_MOST_FIELDS] if isinstance(item, str) and item.strip())
        case _:
            return ()


def _fields(tree: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, value in tree.items():
        if not prefix and name in _NOT_ABOUT_FIELDS:
            continue
        field = f"{prefix}{_one_line(name)}"
        if isinstance(value, Mapping):
            yield from _fields(value, f"{field}.")
        elif lines := _lines(value):
            yield field, lines


def _is_located(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


def _located(items: object) -> dict[str, tuple[str, ...]]:
    """Read `[{"loc": ["body", "name"], "msg": "…"}]`, the 422 format of FastAPI."""
    fields: dict[str, tuple[str, ...]] = {}
    for item in items[:_MOST_FIELDS] if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            place = item.get("loc")
            names = [str(part) for part in place if part != "body"] if isinstance(place, list) else []
            field = _one_line(".".join(names))
            fields[field] = (*fields.get(field, ()), *_lines(item.get("msg")))
    return fields
