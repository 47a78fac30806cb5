"""The attempts that a walk leaves on the server."""

from typing import cast

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.clocks import ServerClock
from lms_tui.qa.walk.patient_client import PatientClient
from lms_tui.qa.walk.verdicts import Verdicts
from lms_tui.qa.walk.walk_run import WalkRun
from lms_tui.wire.errors import Offline


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
