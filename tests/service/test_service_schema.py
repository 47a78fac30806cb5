"""The OpenAPI document says what the service does."""

from typing import Any

import pytest

from tests.service.service_world import Caller, World


@pytest.fixture
async def document(world: World) -> dict[str, Any]:
    return dict(await world.stranger.get("/api/schema/"))


async def test_it_is_served_with_and_without_the_last_slash(world: World, document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    assert await world.stranger.get("/api/schema") == document


async def test_every_operation_tells_who_may_call_it_and_how_it_is_refused(document: dict[str, Any]) -> None:
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


async def test_a_method_that_is_not_allowed_is_answered_with_all_that_are(asha: Caller) -> None:
    response = await asha.send("PATCH", "/api/v2.5/admin/batches/")
    assert (response.status_code, response.headers["allow"]) == (405, "GET, POST")
