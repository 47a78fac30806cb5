"""Authentication: the token names a user, and the database holds the current role and state of that user."""

from datetime import datetime
from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from lms_tui.service.core.context import Service
from lms_tui.service.core.errors import NotSignedIn, invalid_token
from lms_tui.service.core.principal import Principal, Role
from lms_tui.service.core.settings import Timing
from lms_tui.service.core.token_times import whole_second
from lms_tui.service.core.tokens import BadToken, Claims, Tokens

if TYPE_CHECKING:
    from lms_tui.service.core.database.callers import Callers

SCHEME: Final = b"jwt"


async def principal_of(request: Request, service: Service) -> Principal:
    """Return the caller. Raises NotSignedIn unless one Authorization header holds a token that is still valid."""
    return await principal_among(service.callers, request, service.tokens, service.clock(), service.settings.timing)


async def principal_among(
    callers: "Callers", request: Request, tokens: Tokens, now: datetime, timing: Timing
) -> Principal:
    """Do as `principal_of`, for what holds no `Service`."""
    claims = _token_of(request, tokens, now)
    found = await callers.find(claims.user_id, now - timing.grace)
    if found is None or not found.is_active or claims.issued < whole_second(found.tokens_valid_from):
        raise invalid_token()
    return Principal(claims.user_id, Role(found.role), now, found.has_overdue)


def _token_of(request: Request, tokens: Tokens, now: datetime) -> Claims:
    given = request.headers.getlist("authorization")
    if not given:
        raise NotSignedIn("Sign in first. The Authorization header is missing.")
    scheme, _, token = given[0].partition(" ")
    if len(given) > 1 or scheme.lower().encode() != SCHEME:
        raise invalid_token()
    try:
        return tokens.read(token, now)
    except BadToken:
        raise invalid_token() from None
