"""Middleware that delays, refuses and drops requests."""

import json
import re
from typing import Final

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.core.context import CONNECTION
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import Lost

CONTROL: Final = "/bench/"
"""The path of the control routes, which no fault affects."""
_ANSWER: Final = re.compile(r"/api/v2\.2/attempts/\d+/questions/\d+/?")
_MAX_BODY: Final = 64 * 1024
_WAITS: Final = frozenset({429, 503})


class ConnectionCutError(Exception):
    """The connection cannot be closed, because the application is not served by a socket."""


class FaultSwitch:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, injector: FaultInjector) -> None:
        self._app = app
        self._injector = injector

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(CONTROL):
            await self._app(scope, receive, send)
            return
        answer = None
        if scope["method"] == "PUT" and _ANSWER.fullmatch(scope["path"]):
            answer, receive = await _read(receive)
            self._injector.offer(scope["path"], answer)
        effect = self._injector.decide_effect(scope["method"], scope["path"])
        if effect.wait:
            await anyio.sleep(effect.wait)
        if effect.status:
            await _refuse(send, effect.status)
        elif effect.lost is Lost.REQUEST:
            await _cut(scope, receive)
        else:
            await self._app(scope, receive, self._recording(scope, send, answer, lost=effect.lost is Lost.ANSWER))
            if effect.lost is Lost.ANSWER:
                await _cut(scope, receive)

    def _recording(self, scope: Scope, send: Send, answer: bytes | None, *, lost: bool) -> Send:
        """Return a `send` that records acknowledged answers and passes messages on, unless `lost`."""

        async def record(message: Message) -> None:
            if answer is not None and message["type"] == "http.response.start" and 200 <= message["status"] < 300:
                self._injector.keep(scope["path"], answer)
            if not lost:
                await send(message)

        return record


async def _read(receive: Receive) -> tuple[bytes, Receive]:
    """Read a small body, and return it with a `receive` that repeats it."""
    read: list[Message] = []
    body = b""
    while not read or (read[-1].get("more_body", False) and len(body) <= _MAX_BODY):
        read.append(await receive())
        body += read[-1].get("body", b"")

    async def again() -> Message:
        return read.pop(0) if read else await receive()

    return body, again


async def _refuse(send: Send, status: int) -> None:
    body = json.dumps({"detail": "An injected fault."}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in _WAITS:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _cut(scope: Scope, receive: Receive) -> None:
    connection = scope.get("state", {}).get(CONNECTION)
    if connection is None:
        raise ConnectionCutError
    connection.abort()
    # Returning before the disconnect would make uvicorn send a response.
    while (await receive())["type"] != "http.disconnect":
        pass
