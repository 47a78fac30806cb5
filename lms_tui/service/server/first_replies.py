"""The first requests of the app, answered without FastAPI, whose import takes a fifth of the start."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import anyio.to_thread
from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lms_tui.service.attempts import lists
from lms_tui.service.attempts.access_codes import GivenCode, create_attempt
from lms_tui.service.attempts.answers import AttemptQuestions
from lms_tui.service.attempts.lifecycle import StudentAttempts, student_of
from lms_tui.service.auth.credentials import CredentialsBody
from lms_tui.service.auth.known_devices import HEADER
from lms_tui.service.auth.sign_in import SignIn
from lms_tui.service.core.context import client_of, urls_of
from lms_tui.service.core.error_replies import answer, answer_of
from lms_tui.service.core.limits import is_json, replayed, whole_body
from lms_tui.service.core.networks import network_of
from lms_tui.service.core.paging import paging_of
from lms_tui.service.core.security import principal_of
from lms_tui.service.exams.handlers import ListState
from lms_tui.service.server.model_replies import model_reply
from lms_tui.service.server.passing_on import PassedOn
from lms_tui.service.users.me import current_user
from lms_tui.wire.versions import VERSIONS

_API: Final = r"/api/v2\.2"
_SLUG: Final = "([-a-zA-Z0-9_]{1,200})"
_ID: Final = "([1-9][0-9]{0,17})"
_LISTS: Final = r"(?!(?:available|upcoming|history)/?\Z)"
"""Before a slug: lists that the application serves."""

_Reply = Callable[..., Awaitable[Response]]
"""Makes the response to a request, with the parts of its path."""


class FirstReplies:
    """Answers what a student's app asks for until the first list, and until the first question, is on the screen.

    The application serves all other requests, and words the refusal of what is not valid.
    """

    def __init__(self, app: ASGIApp, signing_in: SignIn) -> None:
        self._app = app
        self._service = signing_in.service
        self._signing_in = signing_in
        # In a dry run, two threads would compile the same statements beside each other.
        self._readers = anyio.CapacityLimiter(1) if signing_in.service.settings.is_dry_run else None
        replies: tuple[tuple[str, str, _Reply], ...] = (
            ("POST", f"/api/(?:{'|'.join(map(re.escape, VERSIONS))})/auth-token", self._sign_in),
            ("GET", f"{_API}/me", self._me),
            ("GET", f"{_API}/exams", self._exams),
            ("GET", f"{_API}/attempts", self._attempts),
            ("GET", f"{_API}/exams/{_LISTS}{_SLUG}", self._exam),
            ("GET", f"{_API}/exams/{_SLUG}/attempts", self._attempts_of_exam),
            ("POST", f"{_API}/exams/{_SLUG}/attempts", self._create),
            ("PUT", f"{_API}/attempts/{_ID}/start", self._start),
            ("GET", f"{_API}/attempts/{_ID}/questions", self._questions),
        )
        self._replies = tuple((method, re.compile(f"{path}/?"), reply) for method, path, reply in replies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = self._app
        if scope["type"] == "http" and (reply := self._reply_to(scope["method"], scope["path"])):
            try:
                response = await reply(Request(scope, receive))
            except PassedOn as invalid:
                receive = invalid.receive
            except HTTPException as error:
                response = answer(error.status_code, error.detail)
            except Exception as error:  # noqa: BLE001  # as the application does, which this stands in front of
                response = answer_of(error, f"{scope['method']} {scope['path']}")
        await response(scope, receive, send)

    def _reply_to(self, method: str, path: str) -> Callable[[Request], Awaitable[Response]] | None:
        for own, pattern, reply in self._replies:
            if method == own and (found := pattern.fullmatch(path)):
                return partial(reply, *found.groups())
        return None

    async def _sign_in(self, request: Request) -> Response:
        content = await whole_body(request.receive)
        if content is None:
            raise PassedOn(request.receive)
        try:
            body = CredentialsBody.model_validate_json(content)
        except ValidationError:
            raise PassedOn(replayed(content, request.receive)) from None
        if not is_json(request.headers.get("content-type")):
            raise PassedOn(replayed(content, request.receive))
        given = request.headers.get(HEADER, "")
        token, device = await self._signing_in.token(body, client_of(request), given)
        response = model_reply(token)
        response.headers[HEADER] = device
        return response

    async def _me(self, request: Request) -> Response:
        caller = await principal_of(request, self._service)
        return await self._made(current_user, self._service.database, urls_of(request), caller.id)

    async def _exams(self, request: Request) -> Response:
        _refuse_search(request)
        try:
            state = ListState(request.query_params.get("state", ""))
        except ValueError:
            raise PassedOn(request.receive) from None
        return await self._made(lists.list_exams, await self._student(request), paging_of(request), state)

    async def _attempts(self, request: Request) -> Response:
        _refuse_search(request)
        return await self._made(lists.list_attempts, await self._student(request), paging_of(request))

    async def _exam(self, slug: str, request: Request) -> Response:
        return await self._made(lists.read_exam, await self._student(request), slug)

    async def _attempts_of_exam(self, slug: str, request: Request) -> Response:
        return await self._made(lists.list_attempts_of_exam, await self._student(request), slug, paging_of(request))

    async def _create(self, slug: str, request: Request) -> Response:
        content = await whole_body(request.receive)
        if content != b"":  # an access code, which the application reads
            raise PassedOn(request.receive if content is None else replayed(content, request.receive))
        given = GivenCode("", network_of(client_of(request)))
        made, is_new = await anyio.to_thread.run_sync(create_attempt, await self._student(request), slug, given)
        return model_reply(made, HTTPStatus.CREATED if is_new else HTTPStatus.OK)

    async def _start(self, attempt_id: str, request: Request) -> Response:
        student = await self._student(request)
        made, headers = await anyio.to_thread.run_sync(student.start, int(attempt_id), self._service.epoch.value)
        response = model_reply(made)
        response.raw_headers.extend(headers)
        return response

    async def _questions(self, attempt_id: str, request: Request) -> Response:
        questions = AttemptQuestions(await self._student(request))
        return await self._made(questions.page, int(attempt_id), paging_of(request))

    async def _made(self, make: Callable[..., BaseModel], *arguments: Any) -> Response:
        """Make a reply in a thread, because it reads the database."""
        return model_reply(await anyio.to_thread.run_sync(make, *arguments, limiter=self._readers))

    async def _student(self, request: Request) -> StudentAttempts:
        return student_of(self._service, urls_of(request), await principal_of(request, self._service))


def _refuse_search(request: Request) -> None:
    """Leave a search to the application, which checks what is searched for."""
    if request.query_params.keys() & {"course", "q"}:
        raise PassedOn(request.receive)
