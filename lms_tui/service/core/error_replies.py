"""The map from exceptions to responses: `{"detail": …}`, or the errors of each field with status 400."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from starlette.responses import JSONResponse

from lms_tui.service.core.errors import NO_SUCH, Failure, Invalid, Overloaded, TooMany

_LOG: Final = logging.getLogger("lms_tui.service")
DETAILS: Final = {
    HTTPStatus.NOT_FOUND: NO_SUCH,
    HTTPStatus.METHOD_NOT_ALLOWED: "This method is not allowed for this path.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request body is too large.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server failed to process the request.",
}


def answer(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status_code=status, headers=dict(headers or {}))


def answer_of(error: Exception, request: str) -> JSONResponse:
    """Return the response for an error, raised in the application or before it.

    `request`: a name for the log, such as its route. The path itself can hold a playback code.
    """
    from sqlalchemy.exc import OperationalError  # noqa: PLC0415  # it takes 120 ms, and the first lists need none of it
    from sqlalchemy.exc import TimeoutError as PoolTimeout  # noqa: PLC0415  # as above

    match error:
        case Failure():
            return _refusal(error)
        case Invalid():
            return JSONResponse(error.fields, status_code=HTTPStatus.BAD_REQUEST)
        case OperationalError():  # the database is locked or lost for a moment: the client may retry
            _LOG.error("database unavailable for %s", request, exc_info=error)
            return unavailable()
        case PoolTimeout():
            return unavailable()
    _LOG.error("%s in %s", type(error).__name__, request, exc_info=error)
    return server_error()


def _refusal(error: Failure) -> JSONResponse:
    headers = {"WWW-Authenticate": "JWT"} if error.status is HTTPStatus.UNAUTHORIZED else {}
    if isinstance(error, TooMany | Overloaded):
        headers["Retry-After"] = str(error.seconds)
    return answer(error.status, error.detail, headers)


def unavailable(headers: Mapping[str, str] | None = None) -> JSONResponse:
    more = {"Retry-After": "2", **(headers or {})}
    return answer(HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy. Try again in a moment.", more)


def server_error() -> JSONResponse:
    return answer(HTTPStatus.INTERNAL_SERVER_ERROR, DETAILS[HTTPStatus.INTERNAL_SERVER_ERROR])
