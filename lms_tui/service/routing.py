from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path

_LARGEST: Final = 2**63 - 1

Id = Annotated[int, Path(ge=1, le=_LARGEST)]
Slug = Annotated[str, Path(max_length=200, pattern=r"^[-a-zA-Z0-9_]+$")]


class Router(APIRouter):
    """Every path answers as the document writes it, and with or without its last slash."""

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().add_api_route(path, endpoint, **options)
        twin = path[:-1] if path.endswith("/") else f"{path}/"
        super().add_api_route(twin, endpoint, **{**options, "include_in_schema": False})
