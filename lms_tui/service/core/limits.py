"""Limits on request bodies, which hold before the caller is known."""

import asyncio
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.core.error_replies import answer

_TOO_LARGE: Final = "The request body is too large."


class BodyLimits:
    """Refuses a body that has more than `largest` bytes or arrives too slowly.

    `seconds` is the time from the first read to the last byte. FastAPI's own `max_body_size` answers in plain text.
    """

    def __init__(self, app: ASGIApp, largest: int, seconds: float) -> None:
        self._app = app
        self._largest = largest
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif announces_more(self._largest, Headers(scope=scope).get("content-length", "0")):
            await answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)(scope, receive, send)
        else:
            await self._app(scope, limited(receive, self._largest, self._seconds), send)


def announces_more(largest: int, length: str) -> bool:
    """Return whether a Content-Length is above `largest` or no number."""
    return not (length.isascii() and length.isdecimal() and len(length) < 16) or int(length) > largest


def limited(receive: Receive, largest: int, seconds: float) -> Receive:
    """Return a `receive` that raises HTTPException if the body is too large or late."""
    taken = 0
    ends: float | None = None
    complete = False

    async def guarded() -> Message:
        nonlocal taken, ends, complete
        if complete:
            return await receive()
        if ends is None:
            ends = asyncio.get_running_loop().time() + seconds
        try:
            async with asyncio.timeout_at(ends):
                message = await receive()
        except TimeoutError:
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "The request body did not arrive in time.") from None
        taken += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if taken > largest:
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
        return message

    return guarded


def is_json(content_type: str | None) -> bool:
    """Return whether a body counts as JSON, which it also does without a content type."""
    return content_type is None or content_type.partition(";")[0].strip().lower() == "application/json"


async def whole_body(receive: Receive) -> bytes | None:
    """Return the body, or None if the client goes before it is complete."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` for an application that must read a body again."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
