"""Limits on request bodies, which hold before the caller is known."""

from http import HTTPStatus
from typing import Final

import anyio
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.core.errors import answer

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
        elif self._announces_too_much(Headers(scope=scope)):
            await answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)(scope, receive, send)
        else:
            await self._app(scope, self._guarded(receive), send)

    def _announces_too_much(self, headers: Headers) -> bool:
        announced = headers.get("content-length", "0")
        return not (announced.isascii() and announced.isdecimal() and len(announced) < 16) or (
            int(announced) > self._largest
        )

    def _guarded(self, receive: Receive) -> Receive:
        taken = 0
        ends: float | None = None
        complete = False

        async def guarded() -> Message:
            nonlocal taken, ends, complete
            if complete:
                return await receive()
            if ends is None:
                ends = anyio.current_time() + self._seconds
            try:
                with anyio.fail_after(max(0.0, ends - anyio.current_time())):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "The request body did not arrive in time.") from None
            taken += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if taken > self._largest:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
            return message

        return guarded
