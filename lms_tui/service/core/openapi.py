"""The OpenAPI document, with the errors, the security and the paging that all routes share."""

import copy
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute

from lms_tui import __version__
from lms_tui.service.core.dependencies import caller_of, page_of
from lms_tui.service.core.routing import routes_of

PATH: Final = "/api/schema/"
_JSON: Final = "application/json"
_SCHEME: Final = "token"
_EMBEDDED: Final = "/embed/{video_id}/"
_DETAIL: Final = {"$ref": "#/components/schemas/Refusal"}
_FIELDS: Final = {"$ref": "#/components/schemas/InvalidInput"}
_SCHEMAS: Final[dict[str, Any]] = {
    "Refusal": {
        "type": "object",
        "description": "One sentence about the problem.",
        "properties": {"detail": {"type": "string"}},
        "required": ["detail"],
        "additionalProperties": False,
    },
    "InvalidInput": {
        "description": "Errors of each invalid field. `non_field_errors` holds those of no field.",
        "anyOf": [
            {
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            },
            _DETAIL,
        ],
    },
}
_WORDS: Final = {
    "400": ("The input is invalid.", _FIELDS),
    "401": ("The token is missing or invalid.", _DETAIL),
    "403": ("Not allowed: it belongs to another user, is not available, or its state forbids it.", _DETAIL),
    "404": ("Nothing exists at this address.", _DETAIL),
    "408": ("The request body did not arrive in time.", _DETAIL),
    "413": ("The request body is too large.", _DETAIL),
    "429": ("Too many attempts.", _DETAIL),
    "431": ("The address and the headers are too large.", _DETAIL),
    "503": ("The server is busy.", _DETAIL),
}
_WAIT: Final = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string", "pattern": "^[0-9]+$"}}}


_PAGE: Final = {
    "name": "page",
    "in": "query",
    "required": False,
    "description": "Page number, from 1. A page beyond the last is not found.",
    "schema": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "default": 1},
}


def add_schema(app: FastAPI) -> None:
    """Serve the OpenAPI document of all routes of app. It is built once, at the first request."""
    app.state.schema, app.state.building_schema = b"", Lock()
    for path in (PATH, PATH.rstrip("/")):
        app.add_api_route(path, _schema, methods=["GET"], include_in_schema=False)


def _schema(request: Request) -> Response:
    # FastAPI keeps the functions of routes for ever: one that held the app would keep all of a service that has ended.
    app: FastAPI = request.app
    with app.state.building_schema:
        if not app.state.schema:
            app.state.schema = bytes(JSONResponse(describe(app)).body)
    return Response(app.state.schema, media_type=_JSON)


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of app."""
    document: dict[str, Any] = get_openapi(
        title=app.title,
        version=__version__,
        description="Every path works with and without its last slash.",
        routes=list(routes_of(app)),
    )
    components = document.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= _SCHEMAS
    components["securitySchemes"] = {
        _SCHEME: {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`JWT`, a space, and the token from signing in.",
        }
    }
    for route, method, operation in _operations(app, document):
        _complete(operation, route, method)
    _join_twins(document["paths"])
    return document


def _join_twins(paths: dict[str, Any]) -> None:
    """Give a path that is documented with and without its last slash the methods of both."""
    for path in [path for path in paths if path.endswith("/") and path[:-1] in paths]:
        one, other = paths[path], paths[path[:-1]]
        for here, there, suffix in ((one, other, "without_slash"), (other, one, "with_slash")):
            for method in here.keys() - there.keys():
                there[method] = copy.deepcopy(here[method])
                there[method]["operationId"] += f"_{suffix}"


def _operations(app: FastAPI, document: dict[str, Any]) -> Iterator[tuple[APIRoute, str, dict[str, Any]]]:
    for route in routes_of(app):
        for method in route.methods or ():
            operation = document["paths"].get(route.path_format, {}).get(method.lower())
            if operation is not None and route.include_in_schema:
                yield route, method, operation


def _complete(operation: dict[str, Any], route: APIRoute, method: str) -> None:
    """Add security, the page parameter and error responses, which FastAPI does not know."""
    responses = operation["responses"]
    responses.pop("422", None)
    operation["security"] = [{_SCHEME: []}] if _depends_on(route.dependant, caller_of) else []
    if _depends_on(route.dependant, page_of):
        operation.setdefault("parameters", []).append(_PAGE)
    for status in sorted(_refusals(operation, route, method) - responses.keys()):
        words, schema = _WORDS[status]
        page = route.path == _EMBEDDED and status == "403"
        content = {"text/html": {"schema": {"type": "string"}}} if page else {_JSON: {"schema": schema}}
        responses[status] = {"description": words, "content": content}
        if status in {"429", "503"}:
            responses[status]["headers"] = _WAIT


def _refusals(operation: dict[str, Any], route: APIRoute, method: str) -> set[str]:
    """Return the statuses of the errors with which an operation can answer."""
    parameters = operation.get("parameters", ())
    own = [one for one in parameters if one["name"] != "page"]
    found_by_path = any(one["in"] == "path" or one["required"] for one in own) or len(own) < len(parameters)
    cases = (
        ("requestBody" in operation, {"400", "408", "413"}),
        (any(one["in"] != "path" for one in own), {"400"}),
        (any(one["in"] == "query" for one in own), {"431"}),
        (found_by_path, {"404"}),
        (operation["security"], {"401", "403"}),
        (route.path.startswith("/embed/"), {"403"}),
        (method == "POST" and route.path.endswith("/auth-token/"), {"429"}),
    )
    return {"503"}.union(*(statuses for applies, statuses in cases if applies))


def _depends_on(dependant: Dependant, call: Callable[..., Any]) -> bool:
    return dependant.call is call or any(_depends_on(inner, call) for inner in dependant.dependencies)
