"""The OpenAPI document says what the service does."""

import gc
import re
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Match

from lms_tui.service.core.openapi import describe
from lms_tui.service.core.routing import routes_of
from lms_tui.service.server.app import Application, create_app
from tests.service.service_world import Caller, World
from tests.waiting import wait_until


@pytest.fixture
async def document(world: World) -> dict[str, Any]:
    return dict(await world.stranger.get("/api/schema/"))


async def test_the_schema_is_served_with_and_without_the_last_slash(world: World, document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert await world.stranger.get("/api/schema") == document


@pytest.mark.slow
async def test_nothing_keeps_a_service_in_memory_that_has_ended(tmp_path: Path) -> None:
    world = World.at(tmp_path)
    await world.stranger.get("/api/schema/")
    await world.close()
    app = weakref.ref(world.app)
    del world

    def is_gone() -> bool:
        gc.collect()
        return app() is None

    # The thread that answered drops its request only after it has told the loop the result.
    wait_until(is_gone)


async def test_every_operation_documents_its_security_and_errors(document: dict[str, Any]) -> None:
    operations = {(path, method): one for path, methods in document["paths"].items() for method, one in methods.items()}
    assert len(operations) >= 57
    for (path, _), operation in operations.items():
        assert "422" not in operation["responses"]
        if "/embed/" in path or "/media/" in path or "/auth-token/" in path:
            assert operation["security"] == []
        else:
            assert operation["security"] == [{"token": []}]
            assert {"401", "403"} <= operation["responses"].keys()
    identifiers = [operation["operationId"] for operation in operations.values()]
    assert len(identifiers) == len(set(identifiers))


async def test_method_not_allowed_lists_the_allowed_methods(asha: Caller) -> None:
    response = await asha.send("PATCH", "/api/v2.5/admin/batches/")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST")


@pytest.fixture
def practice(world: World) -> Application:
    """The same service as practice starts it: with the routes still to be built."""
    return create_app(replace(world.settings, demo=True), world.database, world.clock)


def asked(app: Application) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://lms.test")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/v2.2/admin/posts/", 401),
        ("GET", "/api/v2.5/admin/batches", 401),
        ("PATCH", "/api/v2.5/admin/batches/", 405),
        ("GET", "/api/v2.2/nothing/", 404),
    ],
)
async def test_the_practice_service_knows_every_route_at_its_first_request(
    practice: Application, method: str, path: str, status: int
) -> None:
    async with asked(practice) as client:
        assert (await client.request(method, path)).status_code == status


async def test_the_practice_service_has_the_same_schema(practice: Application, world: World) -> None:
    assert describe(practice.routes) == describe(world.app.routes)


def reached(app: FastAPI, method: str, path: str) -> str:
    scope = {"type": "http", "method": method, "path": path}
    endpoint = next(route.endpoint for route in routes_of(app) if route.matches(scope)[0] is Match.FULL)
    return f"{endpoint.__module__}.{endpoint.__qualname__}"


def test_no_route_hides_another_in_any_order(practice: Application, world: World) -> None:
    for app in (world.app.routes, practice.routes):
        for route in list(routes_of(app)):
            own = f"{route.endpoint.__module__}.{route.endpoint.__qualname__}"
            path = re.sub(r"{\w+:path}", "a/b", re.sub(r"{\w+}", "7", route.path))
            assert {reached(app, method, path) for method in route.methods or ()} == {own}
