"""The endpoint of a request: its method and its path, with placeholders as in the API document."""

import re
from typing import Final

from lms_tui.client.recording import Exchange

_PLACEHOLDERS: Final = (
    (re.compile(r"/exams/(?!(available|upcoming|history)/)[^/]+"), "/exams/<slug>"),
    (re.compile(r"/\d+(?=/|$)"), "/<id>"),
)


def endpoint(exchange: Exchange) -> str:
    """Return the endpoint, such as `GET /api/v2.2/attempts/<id>`."""
    return endpoint_of(exchange.method, exchange.path)


def endpoint_of(method: str, path: str) -> str:
    path = path.partition("?")[0]
    for pattern, name in _PLACEHOLDERS:
        path = pattern.sub(name, path)
    return f"{method} {path}"
