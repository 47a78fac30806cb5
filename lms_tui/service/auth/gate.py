"""The gate in front of the sign-in: attempts wait here for their turn, before they cost anything."""

import re
from typing import Final

import anyio
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.auth.fair_queue import FairQueue
from lms_tui.service.core.error_replies import answer, answer_of
from lms_tui.service.core.errors import Overloaded
from lms_tui.service.core.limits import replayed, whole_body
from lms_tui.service.core.networks import network_of

_PATH: Final = re.compile(r"/api/[^/]+/auth-token/?")


class SignInGate:
    """Reads the body of a sign-in and lets the application have it when its turn has come.

    A body that arrives slowly holds no place in the queue.
    """

    def __init__(self, app: ASGIApp, queue: FairQueue) -> None:
        self._app = app
        self._queue = queue

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not _PATH.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            body = await whole_body(receive)
        except HTTPException as error:
            await answer(error.status_code, error.detail)(scope, receive, send)
            return
        if body is None:
            return
        try:
            async with self._queue.turn(network_of((scope.get("client") or ("",))[0])):
                if not await _has_gone(receive):
                    await self._app(scope, replayed(body, receive), send)
        except Overloaded as error:
            await answer_of(error, "sign-in")(scope, receive, send)


async def _has_gone(receive: Receive) -> bool:
    """Tell whether the client has closed the connection, without waiting."""
    with anyio.CancelScope() as at_once:
        at_once.cancel()
        message = await receive()
        return bool(message["type"] == "http.disconnect")
    return False
