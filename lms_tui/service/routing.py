from collections.abc import Callable, Iterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Path
from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

_LARGEST: Final = 2**63 - 1

Id = Annotated[int, Path(ge=1, le=_LARGEST)]
Slug = Annotated[str, Path(max_length=200, pattern=r"^[-a-zA-Z0-9_]+$")]


def routes_of(app: FastAPI) -> Iterator[APIRoute]:
    """Every route of the application, those of included routers too."""
    for route in app.routes:
        # Routers are included as they are, without another prefix.
        for inner in getattr(getattr(route, "original_router", None), "routes", (route,)):
            if isinstance(inner, APIRoute):
                yield inner


def methods_at(app: FastAPI, scope: Scope) -> list[str]:
    """Which methods the path of a request takes."""
    found = (route.methods or () for route in routes_of(app) if route.matches(scope)[0] is not Match.NONE)
    return sorted({method for methods in found for method in methods})


class Router(APIRouter):
    """Every path answers as the document writes it, and with or without its last slash."""

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().add_api_route(path, endpoint, **options)
        twin = path[:-1] if path.endswith("/") else f"{path}/"
        super().add_api_route(twin, endpoint, **{**options, "include_in_schema": False})
