"""The attempts that a walk leaves on the server."""

from typing import cast

import anyio
import httpx
import pytest

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.patient_client import PatientClient
from lms_tui.qa.walk.verdicts import Verdicts
from lms_tui.qa.walk.walk_run import WalkRun
from lms_tui.wire.errors import Offline
from tests.service.service_world import World
from tests.walk.walk_world import walk_through


class OwnerWithoutServer:
    async def get(self, path: str) -> Exchange:
        raise Offline("The server cannot be reached.")


async def test_an_attempt_that_cannot_be_ended_is_listed_once() -> None:
    run = WalkRun(cast("Verdicts", None), cast("PatientClient", OwnerWithoutServer()), None, cast("ServerClock", None))
    run.made = {7: "weekly-quiz", 8: "weekly-quiz"}
    run.running = {8: None}
    await run.clean_up()
    assert run.left == [
        "attempt 8 of weekly-quiz, which may still run: The server cannot be reached.",
        "attempt 7 of weekly-quiz, ended",
    ]


class Cancelling(httpx.AsyncBaseTransport):
    """Cancels the walk after its first answer, as ctrl+c does."""

    def __init__(self, inner: httpx.AsyncBaseTransport, scope: anyio.CancelScope) -> None:
        self._inner = inner
        self._scope = scope

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if request.method == "PUT" and "/questions/" in request.url.path:
            self._scope.cancel()
        return response


async def test_a_walk_that_is_cancelled_leaves_no_running_attempt(own_institute: World) -> None:
    with anyio.CancelScope() as scope:
        await walk_through(own_institute, lambda inner: Cancelling(inner, scope))
        pytest.fail("the walk was not cancelled")
    assert scope.cancelled_caught
    rows = (await own_institute.caller("asha").get("/api/v2.2/attempts/"))["results"]
    assert {row["state"] for row in rows} == {"Completed"}
    assert len(rows) == 2
