"""Check that a second user cannot see or change the attempt."""

from typing import Final

from lms_tui.qa.walk.checks import attempts, lists, questions
from lms_tui.qa.walk.patient_client import PatientClient
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.user_client import ATTEMPTS, attempt, exam_attempts, question
from lms_tui.qa.walk.values import integer
from lms_tui.qa.walk.walk_run import WalkRun

_ALONE: Final = "there is no second user. Use --second-user"
_RULES: Final = ("other.read", "other.questions", "other.moves", "other.lists", "other.untouched")


async def check_other_user(run: WalkRun, made: int, work: Answering) -> None:
    """Send every request as the second user, then check the attempt as its owner."""
    if run.other is None:
        run.verdicts.skip(_ALONE, *_RULES)
        return
    await read_as_other(run, run.other, made)
    await _move(run, run.other, made, work)
    read = await run.owner.get(attempt(made))
    run.check("other.untouched", attempts.is_in_state(read, attempts.RUNNING), read)
    if read.succeeded:
        listing = await run.owner.read_all(attempt(made, "questions/"))
        run.check("other.untouched", questions.has_answers(listing.rows, work.sent), listing.exchange)


async def read_as_other(run: WalkRun, other: PatientClient, made: int) -> None:
    """Send every request of the second user that only reads."""
    read = await other.get(attempt(made))
    run.fails("other.read", read, 403)
    for part in ("questions/", "review/", "review/subjects/"):
        refused = await other.get(attempt(made, part))
        run.refused("other.questions", refused)
    for path in (ATTEMPTS, exam_attempts(run.slug)):
        listed = await other.read_all(path)
        run.check("other.lists", lists.has_not_listed(listed.rows, made), listed.exchange)


async def _move(run: WalkRun, other: PatientClient, made: int, work: Answering) -> None:
    for verb in ("start/", "heartbeat/"):
        refused = await other.put(attempt(made, verb))
        run.fails("other.moves", refused)
    for row in work.of_type("R")[:1]:
        body = {"selected_answers": options_of(row)[:1], "review": False}
        refused = await other.put(question(made, integer(row.get("id"))), body)
        run.fails("other.moves", refused)
    refused = await other.put(attempt(made, "end/"))
    run.fails("other.moves", refused)
