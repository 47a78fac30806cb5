"""The straight way of the two hot writes through HTTP: whatever is not plain takes the usual way, and ends here too."""

import re
from collections.abc import Mapping
from typing import Final

from fastapi import Request
from pydantic import ValidationError
from sqlalchemy.exc import OperationalError
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lms_tui.service.attempts.answers import AnswerBody
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.context import Service
from lms_tui.service.errors import Failure, Invalid, answer_of
from lms_tui.service.hot.moves import Answered, Beat, Move
from lms_tui.service.security import SCHEME
from lms_tui.service.tokens import BadToken, Claims
from lms_tui.service.urls import Urls

_HOT: Final = re.compile(r"/api/v2\.2/attempts/([1-9][0-9]{0,17})/(?:heartbeat|questions/([1-9][0-9]{0,17}))/?")
_MOST_BASES: Final = 64
_JSON: Final = b"application/json"
_SAID_ONCE: Final = frozenset({b"authorization", b"content-type", b"x-answer-seq", b"host"})


class HotPath:
    """ASGI middleware: answers plain heartbeats and answers itself and passes everything else on."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service
        self._bases: dict[tuple[str, bytes], Urls] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "PUT" and (found := _HOT.fullmatch(scope["path"])):
            headers = _plain_headers(scope)
            claims = None if headers is None else self._claims(headers)
            if headers is not None and claims is not None:
                await self._hot(found, headers, claims, scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _claims(self, headers: Mapping[bytes, bytes]) -> Claims | None:
        scheme, _, token = headers.get(b"authorization", b"").partition(b" ")
        if scheme.lower() != SCHEME or not token.isascii():
            return None
        try:
            return self._service.tokens.read(token.decode("ascii"))
        except BadToken:
            return None

    async def _hot(
        self,
        found: re.Match[str],
        headers: Mapping[bytes, bytes],
        claims: Claims,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        first: Message | None = None
        move: Move | None = None
        attempt_id, now, urls = int(found[1]), self._service.clock(), self._urls(scope, headers.get(b"host", b""))
        if found[2] is None:
            move = Beat(claims.user_id, claims.issued, attempt_id, urls, now)
        elif headers.get(b"content-type", _JSON) == _JSON:
            first = await receive()
            body = _body(first, self._service.settings.limits.body)
            stamp = _stamp(headers)
            if body is not None and not isinstance(stamp, bool):
                move = Answered(claims.user_id, claims.issued, attempt_id, urls, now, int(found[2]), body, stamp)
        if move is None:
            await self._app(scope, _again(first, receive), send)
            return
        await _send(scope, receive, send, await self._answer(scope, move))

    async def _answer(self, scope: Scope, move: Move) -> bytes | Response:
        try:
            return await self._service.writer.perform(move)
        except (Failure, Invalid, OperationalError) as error:
            return answer_of(Request(scope), error)

    def _urls(self, scope: Scope, host: bytes) -> Urls:
        key = scope["scheme"], host
        urls = self._bases.get(key)
        if urls is None:
            if len(self._bases) >= _MOST_BASES:
                self._bases.clear()
            urls = self._bases[key] = Urls(str(Request(scope).base_url).rstrip("/"))
        return urls


def _plain_headers(scope: Scope) -> dict[bytes, bytes] | None:
    """Return the headers that matter, None where one of them comes twice."""
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in _SAID_ONCE:
            if name in headers:
                return None
            headers[name] = value
    return headers


def _stamp(headers: Mapping[bytes, bytes]) -> Stamp | bool | None:
    """Return the stamp, None without one, False where it is none."""
    given = headers.get(b"x-answer-seq")
    if given is None:
        return None
    return Stamp.read(given.decode("latin-1")) or False


def _body(message: Message, largest: int) -> AnswerBody | None:
    """Read an answer that arrived whole; None where it did not, is too large or is no answer."""
    content = message.get("body", b"")
    if message["type"] != "http.request" or message.get("more_body", False) or len(content) > largest:
        return None
    try:
        return AnswerBody.model_validate_json(content)
    except ValidationError:
        return None


def _again(first: Message | None, receive: Receive) -> Receive:
    """Receive what was received already, then what follows."""
    pending = [first] if first is not None else []

    async def again() -> Message:
        return pending.pop() if pending else await receive()

    return again


async def _send(scope: Scope, receive: Receive, send: Send, answer: bytes | Response) -> None:
    if isinstance(answer, Response):
        await answer(scope, receive, send)
        return
    length = str(len(answer)).encode()
    headers = [(b"content-length", length), (b"content-type", _JSON)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
