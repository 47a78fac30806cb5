"""One map from what went wrong to what is answered: `{"detail": …}`, or each field with its sentences on 400."""

import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from lms_tui.service.core.routing import methods_at

_LOG: Final = logging.getLogger("lms_tui.service")
_DETAILS: Final = {
    HTTPStatus.NOT_FOUND: "Not found",
    HTTPStatus.METHOD_NOT_ALLOWED: "This method is not allowed here.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is larger than this service takes.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "The server could not do this.",
}
WHOLE: Final = "non_field_errors"


class Failure(Exception):
    """A request that is refused, with the sentence its sender gets."""

    status = HTTPStatus.BAD_REQUEST

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class NotSignedIn(Failure):
    status = HTTPStatus.UNAUTHORIZED


class Forbidden(Failure):
    status = HTTPStatus.FORBIDDEN


class TooMany(Failure):
    """Tried too often; `seconds`: how long to wait."""

    status = HTTPStatus.TOO_MANY_REQUESTS

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Too many tries to sign in. Try again in {seconds} seconds.")
        self.seconds = seconds


class NotFound(Failure):
    status = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__(_DETAILS[HTTPStatus.NOT_FOUND])


class Invalid(Exception):
    """Input that is refused: the sentences for each field; `non_field_errors` for what belongs to none."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        super().__init__("invalid input")
        self.fields = {name: list(sentences) for name, sentences in fields.items()}


def unknown_token() -> NotSignedIn:
    return NotSignedIn("The token is not valid or not valid any more. Sign in again.")


def already_ended() -> Forbidden:
    return Forbidden("The exam has already ended")


def answer(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status_code=status, headers=dict(headers or {}))


def install(app: FastAPI) -> None:
    """Make app answer every error by the map."""
    for ours in (Failure, Invalid, OperationalError, PoolTimeout):
        app.add_exception_handler(ours, _mapped)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _defect)


def answer_of(error: Exception, request: str) -> JSONResponse:
    """Answer an error, wherever it was raised: within the reach of the application's handlers or before it.

    `request`: what the log calls it; not its path, as some hold what lets a video be played.
    """
    match error:
        case Failure():
            return _refused(error)
        case Invalid():
            return JSONResponse(error.fields, status_code=HTTPStatus.BAD_REQUEST)
        case OperationalError():  # a locked or lost database passes; the same request may be sent again
            _LOG.error("database unavailable for %s", request, exc_info=error)
            return _wait()
        case PoolTimeout():
            return _wait()
    _LOG.error("%s in %s", type(error).__name__, request, exc_info=error)
    return _unable()


def _mapped(request: Request, error: Exception) -> JSONResponse:
    return answer_of(error, _named(request))


def _refused(error: Failure) -> JSONResponse:
    headers = {"WWW-Authenticate": "JWT"} if error.status is HTTPStatus.UNAUTHORIZED else {}
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.seconds)
    return answer(error.status, error.detail, headers)


def _validation(_request: Request, error: Exception) -> JSONResponse:
    """What does not parse: field errors for a body or a query, without the input; 404 for a path that cannot be."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for nothing else; Starlette types handlers by Exception
    problems = error.errors()
    if any(problem["loc"][:1] == ("path",) for problem in problems):
        return answer(HTTPStatus.NOT_FOUND, _DETAILS[HTTPStatus.NOT_FOUND])
    if any(problem["type"] == "json_invalid" for problem in problems):
        return answer(HTTPStatus.BAD_REQUEST, "The body is not JSON.")
    fields: dict[str, list[str]] = defaultdict(list)
    for problem in problems:
        sentence = _sentence(problem)
        known = fields[_field(problem["loc"])]
        if sentence not in known:
            known.append(sentence)
    return JSONResponse(fields, status_code=HTTPStatus.BAD_REQUEST)


def _field(location: Sequence[Any]) -> str:
    return str(location[1]) if len(location) > 1 and isinstance(location[1], str) else WHOLE


def _sentence(problem: Mapping[str, Any]) -> str:
    """Words for a person; those of pydantic tell bounds and types and never what was sent."""
    if problem["type"] == "missing":
        return "This field is required."
    if problem["type"] == "model_attributes_type":
        return "Send a JSON object, with Content-Type: application/json."
    return f"{problem['msg']}."


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101  # as above
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # Each route knows its own methods only.
        headers["Allow"] = ", ".join(methods_at(request.app, request.scope))
    return answer(error.status_code, _DETAILS.get(HTTPStatus(error.status_code), error.detail), headers)


def _wait() -> JSONResponse:
    return answer(HTTPStatus.SERVICE_UNAVAILABLE, "The server is busy. Try again in a moment.", {"Retry-After": "2"})


def _named(request: Request) -> str:
    """Name the route and not the path: some paths hold what lets a video be played."""
    route = request.scope.get("route")
    return f"{request.method} {getattr(route, 'path', '') or 'no route'}"


def _defect(request: Request, error: Exception) -> JSONResponse:
    # The server logs the traceback itself: Starlette raises the error again once this answer is sent.
    _LOG.error("%s in %s", type(error).__name__, _named(request))
    return _unable()


def _unable() -> JSONResponse:
    return answer(HTTPStatus.INTERNAL_SERVER_ERROR, _DETAILS[HTTPStatus.INTERNAL_SERVER_ERROR])
