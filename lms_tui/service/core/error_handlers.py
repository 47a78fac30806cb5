"""The handlers with which FastAPI answers every error by the map of `error_replies`."""

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

from lms_tui.service.core.error_replies import DETAILS, answer, answer_of, server_error
from lms_tui.service.core.errors import WHOLE, Failure, Invalid
from lms_tui.service.core.routing import methods_at

_LOG: Final = logging.getLogger("lms_tui.service")


def install(app: FastAPI) -> None:
    """Register the handlers."""
    for ours in (Failure, Invalid, OperationalError, PoolTimeout):
        app.add_exception_handler(ours, _mapped)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _defect)


async def _mapped(request: Request, error: Exception) -> JSONResponse:
    return answer_of(error, _route_name(request))


async def _validation(_request: Request, error: Exception) -> JSONResponse:
    """Answer input that does not parse: 404 for the path, else errors of fields that never repeat the input."""
    assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for this type only, though Starlette types handlers by Exception
    problems = error.errors()
    if any(problem["loc"][:1] == ("path",) for problem in problems):
        return answer(HTTPStatus.NOT_FOUND, DETAILS[HTTPStatus.NOT_FOUND])
    if any(problem["type"] == "json_invalid" for problem in problems):
        return answer(HTTPStatus.BAD_REQUEST, "The request body is not JSON.")
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
    """Return a sentence for a person. Those of pydantic name bounds and types, never the input."""
    if problem["type"] == "missing":
        return "This field is required."
    if problem["type"] == "model_attributes_type":
        return "Send a JSON object, with Content-Type: application/json."
    return f"{problem['msg']}."


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101  # as above
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        # Each route knows only its own methods.
        headers["Allow"] = ", ".join(methods_at(request.app, request.scope))
    return answer(error.status_code, DETAILS.get(HTTPStatus(error.status_code), error.detail), headers)


def _route_name(request: Request) -> str:
    """Name the route, because a path can hold a playback code."""
    route = request.scope.get("route")
    return f"{request.method} {getattr(route, 'path', '') or 'no route'}"


async def _defect(request: Request, error: Exception) -> JSONResponse:
    # Starlette raises the error again after this answer, and uvicorn then logs the traceback.
    _LOG.error("%s in %s", type(error).__name__, _route_name(request))
    return server_error()
