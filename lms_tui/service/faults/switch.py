"""The fault switch: between the network and the service, it delays, refuses and loses what a tester asked it to."""

import json
import re
from typing import Final

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lms_tui.service.faults.fault_injector import Bench
from lms_tui.service.faults.faults import Lost

CONTROL: Final = "/bench/"
"""Where the bench itself is spoken to; no fault comes there."""
_CUT: Final = "lms_tui.cut"
_ANSWER: Final = re.compile(r"/api/v2\.2/attempts/\d+/questions/\d+/?")
_LARGEST: Final = 64 * 1024
_WAITS: Final = frozenset({429, 503})


class ConnectionCutError(Exception):
    """There is no connection to cut: the application is not served by a socket."""


class FaultSwitch:
    """ASGI middleware over the whole application."""

    def __init__(self, app: ASGIApp, bench: Bench) -> None:
        self._app = app
        self._bench = bench

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(CONTROL):
            await self._app(scope, receive, send)
            return
        answer = None
        if scope["method"] == "PUT" and _ANSWER.fullmatch(scope["path"]):
            answer, receive = await _read(receive)
            self._bench.offer(scope["path"], answer)
        fate = self._bench.judge(scope["method"], scope["path"])
        if fate.wait:
            await anyio.sleep(fate.wait)
        if fate.status:
            await _refuse(send, fate.status)
        elif fate.lost is Lost.REQUEST:
            await _cut(scope, receive)
        else:
            await self._app(scope, receive, self._heard(scope, send, answer, lost=fate.lost is Lost.ANSWER))
            if fate.lost is Lost.ANSWER:
                await _cut(scope, receive)

    def _heard(self, scope: Scope, send: Send, answer: bytes | None, *, lost: bool) -> Send:
        """Pass the application's answer on, or lose it; note what it acknowledges."""

        async def hear(message: Message) -> None:
            if answer is not None and message["type"] == "http.response.start" and 200 <= message["status"] < 300:
                self._bench.keep(scope["path"], answer)
            if not lost:
                await send(message)

        return hear


def cuttable(protocol: type[HttpToolsProtocol]) -> type[HttpToolsProtocol]:
    """The protocol with a way for the application to cut its connection."""

    class Cuttable(protocol):  # type: ignore[valid-type,misc]  # a class made for settings, as uvicorn takes it
        def on_message_begin(self) -> None:
            super().on_message_begin()
            self.scope.setdefault("extensions", {})[_CUT] = {"abort": self.transport.abort}

    return Cuttable


async def _read(receive: Receive) -> tuple[bytes, Receive]:
    """Read a small body whole, and give it to whoever receives next."""
    read: list[Message] = []
    body = b""
    while not read or (read[-1].get("more_body", False) and len(body) <= _LARGEST):
        read.append(await receive())
        body += read[-1].get("body", b"")

    async def again() -> Message:
        return read.pop(0) if read else await receive()

    return body, again


async def _refuse(send: Send, status: int) -> None:
    body = json.dumps({"detail": "A fault that was asked for."}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in _WAITS:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _cut(scope: Scope, receive: Receive) -> None:
    way = scope.get("extensions", {}).get(_CUT)
    if way is None:
        raise ConnectionCutError
    way["abort"]()
    # Until the server knows that nobody is there, it would answer for us.
    while (await receive())["type"] != "http.disconnect":
        pass
