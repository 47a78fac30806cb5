"""The raw ASGI route of heartbeats and answers, in front of the application."""

import re
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Final, NamedTuple

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.attempts.answers import AnswerBody
from lms_tui.service.attempts.stamps import Stamp
from lms_tui.service.attempts.writes import AnswerWrite, Done, Heartbeat
from lms_tui.service.core.context import CONNECTION, Service
from lms_tui.service.core.error_replies import answer, answer_of
from lms_tui.service.core.limits import announces_more, is_json, limited, replayed, whole_body
from lms_tui.service.core.security import SCHEME
from lms_tui.service.core.tokens import BadToken, Claims
from lms_tui.service.core.urls import Urls
from lms_tui.service.server.connections import Member
from lms_tui.service.server.fast_path.writer import Writer
from lms_tui.service.server.passing_on import PassedOn

_PATH: Final = re.compile(r"/api/v2\.2/attempts/([1-9][0-9]{0,17})/(?:heartbeat|questions/([1-9][0-9]{0,17}))/?")
_READ: Final = frozenset(
    {b"authorization", b"content-length", b"content-type", b"host", b"x-answer-seq", b"x-answer-time"}
)
_MAX_BASES: Final = 64
_JSON: Final = "application/json"
_NAME: Final = "PUT a heartbeat or an answer"

_Headers = dict[bytes, str]


class _Head(NamedTuple):
    """The valid head of a heartbeat or an answer. `headers`: those in `_READ`."""

    claims: Claims
    urls: Urls
    headers: _Headers


class FastPath:
    """Passes every valid heartbeat and answer to the writer. The application serves all other requests."""

    def __init__(self, app: ASGIApp, service: Service, writer: Writer) -> None:
        self._app = app
        self._writer = writer
        self._tokens = service.tokens
        self._clock = service.clock
        self._limits = service.settings.limits
        self._bases: dict[tuple[str, str], Urls] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response: ASGIApp = self._app
        if scope["type"] == "http" and scope["method"] == "PUT" and (found := _PATH.fullmatch(scope["path"])):
            try:
                done = await self._perform(scope, receive, *found.groups())
                response = partial(_send, done)
            except PassedOn as invalid:
                receive = invalid.receive
            except HTTPException as error:
                response = answer(error.status_code, error.detail)
            except Exception as error:  # noqa: BLE001  # as the application does, which this route stands in front of
                response = answer_of(error, _NAME)
        await response(scope, receive, send)

    async def _perform(self, scope: Scope, receive: Receive, attempt: str, question: str | None) -> Done | None:
        """Return the response, or None if the client goes before its request is complete."""
        now = self._clock()
        head = self._head(scope, now)
        if head is None:
            raise PassedOn(receive)
        claims, urls, headers = head
        if question is None:
            beat = Heartbeat(claims.user_id, claims.issued, int(attempt), urls, now)
            return await self._writer.perform(beat)
        content = await whole_body(self._limited(scope, receive, headers))
        if content is None:
            return None
        try:
            body = AnswerBody.model_validate_json(content)
        except ValidationError:
            raise PassedOn(replayed(content, receive)) from None
        sequence, time = headers.get(b"x-answer-seq"), headers.get(b"x-answer-time")
        stamp = Stamp.read(sequence, time)
        if not is_json(headers.get(b"content-type")) or (stamp is None and (sequence is not None or time is not None)):
            raise PassedOn(replayed(content, receive))
        # The clock is read again, because a body can arrive slowly.
        return await self._writer.perform(
            AnswerWrite(claims.user_id, claims.issued, int(attempt), urls, self._clock(), int(question), body, stamp)
        )

    def _limited(self, scope: Scope, receive: Receive, headers: _Headers) -> Receive:
        """Return a `receive` that keeps the limits on bodies, without a timer for a body that has arrived."""
        member: Member | None = scope.get("state", {}).get(CONNECTION)
        if member is not None and member.has_arrived and b"content-length" in headers:  # which `_head` has checked
            return receive
        return limited(receive, self._limits.body, self._limits.body_deadline)

    def _head(self, scope: Scope, now: datetime) -> _Head | None:
        headers: _Headers = {}
        for name, value in scope["headers"]:
            if name in _READ:
                if name in headers:
                    return None
                headers[name] = value.decode("latin-1")
        claims = self._claims(headers.get(b"authorization", ""), now)
        if (
            claims is None
            or b"host" not in headers
            or announces_more(self._limits.body, headers.get(b"content-length", "0"))
        ):
            return None
        return _Head(claims, self._urls(scope, headers[b"host"]), headers)

    def _claims(self, authorization: str, now: datetime) -> Claims | None:
        scheme, _, token = authorization.partition(" ")
        if scheme.lower().encode() != SCHEME:
            return None
        try:
            return self._tokens.read(token, now)
        except BadToken:
            return None

    def _urls(self, scope: Scope, host: str) -> Urls:
        """Return the addresses as the client sees them."""
        key = scope["scheme"], host
        urls = self._bases.get(key)
        if urls is None:
            if len(self._bases) >= _MAX_BASES:
                self._bases.clear()
            urls = self._bases[key] = Urls(str(Request(scope).base_url).rstrip("/"))
        return urls


async def _send(done: Done | None, _scope: Scope, _receive: Receive, send: Send) -> None:
    """Send what `response_of` makes, or nothing for None. Starlette's Response would take several times as long."""
    if done is None:
        return
    headers = [(b"content-length", b"%d" % len(done.body)), (b"content-type", _JSON.encode()), *done.headers]
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": headers})
    await send({"type": "http.response.body", "body": done.body})
