import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Annotated, Any, Final

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Path
from fastapi.routing import APIRoute
from pydantic import BeforeValidator
from pydantic_core import PydanticCustomError
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Scope

_MAX_ID: Final = 2**63 - 1

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,18}", re.ASCII)


def _canonical_id(value: object) -> object:
    """Refuse other spellings of a number that Python accepts, such as `+1`, `007` and `1_0`."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        raise PydanticCustomError("id", "This is not an ID")
    return value


Id = Annotated[int, Path(ge=1, le=_MAX_ID), BeforeValidator(_canonical_id)]
Slug = Annotated[str, Path(max_length=200, pattern=r"^[-a-zA-Z0-9_]+$")]


class LazyRoutes(BaseRoute):
    """A placeholder that builds routes, and inserts them after it, when a request matches no route before it.

    No request is answered with 404 or 405 before all routes are built.
    """

    def __init__(self, routes: list[BaseRoute], make: Callable[[], Iterable[BaseRoute]]) -> None:
        self._routes = routes
        self._make: Callable[[], Iterable[BaseRoute]] | None = make

    def build(self) -> None:
        if self._make is not None:
            made = list(self._make())
            self._make = None
            place = self._routes.index(self) + 1
            self._routes[place:place] = made

    def matches(self, scope: Scope) -> tuple[Match, Scope]:  # noqa: ARG002  # the same for every request
        self.build()  # the router tries the new routes next
        return Match.NONE, {}


def routes_of(app: FastAPI) -> Iterator[APIRoute]:
    """Yield every API route of the application, after building the lazy ones."""
    for route in app.routes:
        if isinstance(route, LazyRoutes):
            route.build()
        elif isinstance(route, APIRoute):
            yield route


def methods_at(app: FastAPI, scope: Scope) -> list[str]:
    """Return the methods that the path of a request accepts."""
    found = (route.methods or () for route in routes_of(app) if route.matches(scope)[0] is not Match.NONE)
    return sorted({method for methods in found for method in methods})


def _in_thread(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return an endpoint that makes one trip to a thread. FastAPI makes a second one to check the response."""

    @wraps(endpoint)
    async def run(**arguments: Any) -> Any:
        return await anyio.to_thread.run_sync(partial(endpoint, **arguments))

    return run


def _match_to_the_end(route: APIRoute) -> None:
    """Let a path end where its expression ends. `$` also matches before a line end."""
    route.path_regex = re.compile(route.path_regex.pattern.removesuffix("$") + r"\Z")


class Router(APIRouter):
    """Serves every path with and without its last slash. A body without a content type is JSON."""

    def __init__(self, **options: Any) -> None:
        super().__init__(strict_content_type=False, **options)

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        called = endpoint if iscoroutinefunction(endpoint) else _in_thread(endpoint)
        super().add_api_route(path, called, **options)
        route = self.routes[-1]
        assert isinstance(route, APIRoute)  # noqa: S101  # FastAPI appends an APIRoute
        # Only the path differs. To analyse every endpoint a second time would cost 100 ms at start.
        twin = copy(route)
        twin.path = twin.path[:-1] if twin.path.endswith("/") else f"{twin.path}/"
        twin.path_regex, twin.path_format, twin.param_convertors = compile_path(twin.path)
        twin.include_in_schema = False
        self.routes.append(twin)
        _match_to_the_end(route)
        _match_to_the_end(twin)
