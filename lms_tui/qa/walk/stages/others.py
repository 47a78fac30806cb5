"""Check that a second user cannot see or change the attempt."""

from typing import Final

from lms_tui.qa.walk.judgements import attempts, lists, questions, replies
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.tour import Tour
from lms_tui.qa.walk.values import integer
from lms_tui.qa.walk.visitor import ATTEMPTS, Visitor, attempt, exam_attempts, question

_ALONE: Final = "there is no second user. Use --second-user"
_RULES: Final = ("other.read", "other.questions", "other.moves", "other.lists", "other.untouched")


async def check_other_user(tour: Tour, made: int, work: Answering) -> None:
    """Send every request as the second user, then check the attempt as its owner."""
    if tour.other is None:
        tour.verdicts.skip(_ALONE, *_RULES)
        return
    await _read(tour, tour.other, made)
    await _move(tour, tour.other, made, work)
    read = await tour.owner.get(attempt(made))
    tour.check("other.untouched", attempts.is_in_state(read, attempts.RUNNING), read)
    if read.succeeded:
        listing = await tour.owner.read_all(attempt(made, "questions/"))
        tour.check("other.untouched", questions.has_answers(listing.rows, work.sent), listing.pages[0])


async def _read(tour: Tour, other: Visitor, made: int) -> None:
    read = await other.get(attempt(made))
    tour.check("other.read", replies.has_status(read, 403), read)
    for part in ("questions/", "review/", "review/subjects/"):
        refused = await other.get(attempt(made, part))
        tour.refused("other.questions", refused)
    for path in (ATTEMPTS, exam_attempts(tour.slug)):
        listed = await other.read_all(path)
        tour.check("other.lists", lists.has_not_listed(listed.rows, made), listed.pages[0])


async def _move(tour: Tour, other: Visitor, made: int, work: Answering) -> None:
    for verb in ("start/", "heartbeat/"):
        refused = await other.put(attempt(made, verb))
        tour.check("other.moves", replies.fails(refused), refused)
    for row in work.of_type("R")[:1]:
        body = {"selected_answers": options_of(row)[:1], "review": False}
        refused = await other.put(question(made, integer(row.get("id"))), body)
        tour.check("other.moves", replies.fails(refused), refused)
    refused = await other.put(attempt(made, "end/"))
    tour.check("other.moves", replies.fails(refused), refused)
