"""The replies that home, and the instructions of an exam, ask for first, before SQLAlchemy and FastAPI are imported."""

import re
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from lms_tui.service.auth.credentials import CredentialsBody
from lms_tui.service.auth.hashing import PasswordCheck
from lms_tui.service.auth.known_devices import HEADER, KnownDevices
from lms_tui.service.core.context import client_of, urls_of
from lms_tui.service.core.database.callers import Callers
from lms_tui.service.core.errors import Failure
from lms_tui.service.core.limits import announces_more, is_json, limited, replayed, whole_body
from lms_tui.service.core.pages import ANY_PAGE, PER_PAGE
from lms_tui.service.core.principal import Principal
from lms_tui.service.core.security import principal_among
from lms_tui.service.core.settings import Clock, Limits, Timing
from lms_tui.service.core.tokens import Tokens
from lms_tui.service.server.home import statements
from lms_tui.service.server.home.institute import Institute
from lms_tui.service.server.model_replies import model_reply
from lms_tui.service.server.passing_on import PassedOn
from lms_tui.wire.users import Token
from lms_tui.wire.versions import VERSIONS

_SIGN_IN: Final = re.compile(rf"/api/(?:{'|'.join(map(re.escape, VERSIONS))})/auth-token/?")
_EXAM: Final = re.compile(r"/api/v2\.2/exams/([-a-zA-Z0-9_]{1,200})(/attempts)?/?")
_LISTS: Final = {"available": statements.AVAILABLE, "upcoming": statements.UPCOMING}


class HomeReplies:
    """Answers the first requests as the whole service does, and leaves it all others and every refusal."""

    def __init__(
        self,
        institute: Institute,
        callers: Callers,
        check: PasswordCheck,
        devices: KnownDevices,
        tokens: Tokens,
        clock: Clock,
        limits: Limits,
        timing: Timing,
    ) -> None:
        self._institute = institute
        self._callers = callers
        self._check = check
        self._devices = devices
        self._tokens = tokens
        self._clock = clock
        self._limits = limits
        self._timing = timing
        self._gets: dict[str, Callable[[Request], Awaitable[Response]]] = {
            "/api/v2.2/me": self._me,
            "/api/v2.2/exams": self._exams,
            "/api/v2.2/attempts": self._attempts,
        }
        self._is_comparing = False

    async def reply(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Raises PassedOn before anything is sent."""
        response = await self._response(Request(scope, receive))
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        path = request.url.path
        try:
            if request.method == "GET" and (get := self._gets.get(path.removesuffix("/"))):
                return await get(request)
            if request.method == "GET" and (named := _EXAM.fullmatch(path)):
                return await self._exam(request, named[1], attempts=bool(named[2]))
        except (Failure, sqlite3.Error):
            pass
        if request.method == "POST" and _SIGN_IN.fullmatch(path) and not self._is_comparing:
            return await self._sign_in(request)
        raise PassedOn(request.receive)

    async def _sign_in(self, request: Request) -> Response:
        if announces_more(self._limits.body, request.headers.get("content-length", "0")):
            raise PassedOn(request.receive)
        try:
            content = await whole_body(limited(request.receive, self._limits.body, self._limits.body_deadline))
        except HTTPException:
            content = None
        if content is None:
            raise PassedOn(request.receive)
        token = None
        if is_json(request.headers.get("content-type")):
            self._is_comparing = True
            try:
                with suppress(ValidationError, Failure, sqlite3.Error):
                    token = await self._token(CredentialsBody.model_validate_json(content), request)
            finally:
                self._is_comparing = False
        if token is None:
            raise PassedOn(replayed(content, request.receive))
        return token

    async def _token(self, body: CredentialsBody, request: Request) -> Response | None:
        """Return the response to the right password. Raises TooMany while failures block the sign-in."""
        guess = self._devices.guess(body.username, client_of(request), request.headers.get(HEADER, ""), self._clock())
        levels = self._institute.levels(guess)
        if any(level.counted > guess.now for level in levels.values()):
            return None
        guess.refuse_if_blocked(levels)
        user = self._institute.account(body.username)
        stored = user.password_hash if user is not None and user.is_active else None
        # An unknown name takes as long as a known one.
        if not await self._check.matches(stored, body.password) or user is None:
            return None
        self._institute.remember(guess)
        token = self._tokens.issue(
            user_id=user.id, username=user.username, email=user.email, not_before=user.tokens_valid_from
        )
        response = model_reply(Token(token=token))
        response.headers[HEADER] = guess.device or self._devices.name(guess.account)
        return response

    async def _me(self, request: Request) -> Response:
        caller = await self._caller(request)
        return model_reply(self._institute.user(caller.id, urls_of(request)))

    async def _exams(self, request: Request) -> Response:
        caller = await self._caller(request)
        statement = _LISTS.get(request.query_params.get("state", ""))
        if statement is None or not _asks_for_first_page(request, {"state", "page"}):
            raise PassedOn(request.receive)
        exams = self._institute.exams(statement, caller.id, caller.now, urls_of(request), PER_PAGE + 1)
        if len(exams) > PER_PAGE:
            raise PassedOn(request.receive)  # it counts them
        return _page(request, exams, len(exams))

    async def _attempts(self, request: Request) -> Response:
        caller = await self._caller(request)
        if not _asks_for_first_page(request, {"page"}):
            raise PassedOn(request.receive)
        attempts, count = self._institute.attempts(caller.id, caller.now, urls_of(request), PER_PAGE)
        return _page(request, attempts, count)

    async def _exam(self, request: Request, slug: str, *, attempts: bool) -> Response:
        """Return an exam that the caller can take and has not begun, or the list of its attempts, which is empty."""
        caller = await self._caller(request)
        exam = self._institute.new_exam(slug, caller.id, caller.now, urls_of(request))
        if exam is None or not _asks_for_first_page(request, {"page"} if attempts else set()):
            raise PassedOn(request.receive)
        return _page(request, (), 0) if attempts else model_reply(exam)

    async def _caller(self, request: Request) -> Principal:
        """Return the caller. Raises NotSignedIn, and PassedOn if an attempt of the caller must be ended."""
        caller = await principal_among(self._callers, request, self._tokens, self._clock(), self._timing)
        if caller.has_overdue:
            raise PassedOn(request.receive)
        return caller


def _asks_for_first_page(request: Request, allowed: set[str]) -> bool:
    asked = request.query_params.multi_items()
    names = [name for name, _ in asked]
    return len(set(names)) == len(names) and allowed.issuperset(names) and dict(asked).get("page", "1") == "1"


def _page(request: Request, results: Sequence[BaseModel], count: int) -> Response:
    following = str(request.url.include_query_params(page=2)) if count > PER_PAGE else None
    return model_reply(ANY_PAGE(count=count, next=following, previous=None, per_page=PER_PAGE, results=results))
