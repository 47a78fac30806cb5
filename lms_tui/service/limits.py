"""What a stranger may take from the server before anyone knows who it is."""

from http import HTTPStatus
from typing import Final

import anyio
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.errors import answer

_TOO_LARGE: Final = "The body is larger than this service takes."


class BodyLimits:
    """Refuses a body that is too large, counted while it arrives, or that does not arrive in time.

    `largest`: bytes; `deadline`: seconds from the first read to the last byte.
    """

    def __init__(self, app: ASGIApp, largest: int, deadline: float) -> None:
        self._app = app
        self._largest = largest
        self._deadline = deadline

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if not announced.isdigit() or int(announced[:20]) > self._largest:
            await answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)(scope, receive, send)
            return
        await self._app(scope, self._guarded(receive), send)

    def _guarded(self, receive: Receive) -> Receive:
        taken = 0
        ends: float | None = None
        complete = False

        async def guarded() -> Message:
            nonlocal taken, ends, complete
            if complete:
                return await receive()
            if ends is None:
                ends = anyio.current_time() + self._deadline
            try:
                with anyio.fail_after(ends - anyio.current_time()):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "The body did not arrive in time.") from None
            taken += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if taken > self._largest:
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)
            return message

        return guarded
