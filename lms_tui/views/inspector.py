"""The network log as rows: one line for each request, and the details of one (pure)."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from lms_tui.client.recording import Exchange, Headers
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.views.format import holds
from lms_tui.views.rows import EMPTY, Row, padded, row, strong

_LONGEST_LINE: Final = 2_000
_MOST_LINES: Final = 5_000
_METHOD: Final = 7
_STATUS: Final = 5
_TIME: Final = 8
_SIZE: Final = 8
_LEAST_PATH: Final = 14
"""Cells of a path below which the size and then the time of a request give way. The details have both."""


def matches(exchange: Exchange, wanted: str) -> bool:
    """Whether method, path, status and bodies hold every word of the filter. Case is ignored."""
    bodies = (exchange.request_body + b"\n" + exchange.body).decode("utf-8", "replace")
    return holds(f"{exchange.method} {exchange.path} {exchange.outcome}\n{bodies}", wanted)


def line_of(exchange: Exchange, room: int) -> Row:
    """`12:30:05 PUT     /api/v2.2/attempts/5/heartbeat/   200    12 ms  2.1 kB`."""
    began = exchange.began.astimezone().strftime("%H:%M:%S")
    path = room - len(began) - _METHOD - _STATUS - _TIME - _SIZE - 1
    size, time = path >= _LEAST_PATH, path + _SIZE >= _LEAST_PATH
    path += (0 if size else _SIZE) + (0 if time else _TIME)
    return row(
        (f"{began} ", "dim"),
        padded(exchange.method, _METHOD),
        padded(clean_line(exchange.path), max(1, path)),
        (padded(str(exchange.status or "-"), _STATUS, right=True), _look(exchange)),
        *([(padded(spent(exchange.seconds), _TIME, right=True), "dim")] if time else []),
        *([(padded(size_of(exchange.size), _SIZE, right=True), "dim")] if size else []),
    )


def rows_of(exchange: Exchange) -> Sequence[Row]:
    """All of one exchange. Long lines are not wrapped."""
    asked, answered = exchange.request_body, exchange.body
    return [
        row(strong(exchange.method), f" {clean_line(exchange.url)}"),
        row((exchange.outcome, _look(exchange)), f" after {spent(exchange.seconds)}, {size_of(exchange.size)}"),
        row((exchange.began.astimezone().isoformat(" ", "milliseconds"), "dim")),
        EMPTY,
        row(strong("Sent")),
        *_headers(exchange.request_headers),
        *_body(asked),
        EMPTY,
        row(strong("Received")),
        *_headers(exchange.response_headers),
        *_body(answered),
    ]


def spent(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


def size_of(size: int) -> str:
    return f"{size} B" if size < 1000 else f"{size / 1000:.1f} kB"


def _look(exchange: Exchange) -> str:
    if exchange.succeeded:
        return "good"
    return "warning" if 300 <= exchange.status < 500 else "bad"


def _headers(headers: Headers) -> Iterator[Row]:
    for name, value in headers:
        yield row((f"{clean_line(name)}: ", "dim"), clean_line(value)[:_LONGEST_LINE])


def _body(body: bytes) -> Iterator[Row]:
    if not body:
        return
    yield EMPTY
    for line in text_of(body).splitlines()[:_MOST_LINES]:
        yield row(clean(line)[:_LONGEST_LINE].replace("\t", "    "))


def text_of(body: bytes) -> str:
    """Indent JSON. Other bodies stay unchanged."""
    try:
        return json.dumps(json.loads(body), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
