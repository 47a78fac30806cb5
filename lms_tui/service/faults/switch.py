"""Middleware that delays, refuses and drops requests, and spoils replies."""

import json
import re
from typing import Final

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.common.base64url import decoded
from lms_tui.service.core.context import CONNECTION
from lms_tui.service.faults.fault_injector import FaultInjector
from lms_tui.service.faults.faults import Lost

CONTROL: Final = "/bench/"
"""The path of the control routes, which no fault affects."""
_ANSWER: Final = re.compile(r"/api/v2\.2/attempts/\d+/questions/\d+/?")
_MAX_BODY: Final = 64 * 1024
_PIECES: Final = 10
_PAGE: Final = (
    b"<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1><form method=post>"
    b"<input name=username><input name=password type=password><button>Sign in</button></form></body></html>"
)
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
        effect = self._injector.decide_effect(scope["method"], scope["path"], _student(scope))
        if effect.wait:
            await anyio.sleep(effect.wait)
        if effect.status:
            await _refuse(send, effect.status)
        elif effect.wrong:
            await _send_page(send)
        elif effect.lost is Lost.REQUEST:
            await _cut(scope, receive)
        else:
            reply = _slowly(send, effect.slow) if effect.slow else send
            with self._injector.clock.skewed(effect.skew):
                await self._app(scope, receive, self._recording(scope, reply, answer, lost=effect.lost is Lost.ANSWER))
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


def _student(scope: Scope) -> str:
    """Return the user ID in the token of a request, or "". The token is not verified."""
    token = next((value for name, value in scope["headers"] if name == b"authorization"), b"").decode("latin-1")
    claims = token.partition(".")[2].partition(".")[0]
    try:
        return str(json.loads(decoded(claims))["user_id"])
    except (ValueError, LookupError, TypeError):
        return token


def _slowly(send: Send, seconds: float) -> Send:
    """Return a `send` that sends a body in pieces, spread over some seconds."""

    async def trickle(message: Message) -> None:
        body = message.get("body", b"")
        if message["type"] != "http.response.body" or not body:
            await send(message)
            return
        step = max(1, -(-len(body) // _PIECES))
        pieces = [body[at : at + step] for at in range(0, len(body), step)]
        for number, piece in enumerate(pieces, start=1):
            await anyio.sleep(seconds / len(pieces))
            more = number < len(pieces) or message.get("more_body", False)
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    return trickle


async def _send_page(send: Send) -> None:
    """Send the page of another program in place of the reply, as a gateway does that wants a sign-in."""
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(_PAGE)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _PAGE})


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
