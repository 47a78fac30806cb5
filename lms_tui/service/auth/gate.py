"""The gate in front of the sign-in: attempts wait here for their turn, before they cost anything."""

import re
from typing import Final

import anyio
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.auth.fair_queue import FairQueue
from lms_tui.service.core.errors import Overloaded, answer, answer_of
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
            body = await _whole_body(receive)
        except HTTPException as error:
            await answer(error.status_code, error.detail)(scope, receive, send)
            return
        if body is None:
            return
        try:
            async with self._queue.turn(network_of((scope.get("client") or ("",))[0])):
                if not await _has_gone(receive):
                    await self._app(scope, _replayed(body, receive), send)
        except Overloaded as error:
            await answer_of(error, "sign-in")(scope, receive, send)


async def _whole_body(receive: Receive) -> bytes | None:
    """Return the body, or None if the client goes before it is complete."""
    parts = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _has_gone(receive: Receive) -> bool:
    """Tell whether the client has closed the connection, without waiting."""
    with anyio.CancelScope() as at_once:
        at_once.cancel()
        message = await receive()
        return bool(message["type"] == "http.disconnect")
    return False


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
