"""Check the rules of time with another attempt: a pause, and the end of the time."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.judgements import attempts, questions, replies
from lms_tui.qa.walk.stages.ending import read_review
from lms_tui.qa.walk.stages.entrance import SHORTEST, is_unlimited, takeable
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.tour import Tour
from lms_tui.qa.walk.values import at, integer, seconds
from lms_tui.qa.walk.visitor import attempt, question

_RULES: Final = ("start.pause", "time.over", "time.completed", "time.kept")


async def check_time_rules(tour: Tour) -> None:
    """Let the time of an exam run out. Skip these rules if no timed exam can be taken again."""
    slug, given = _timed(tour)
    if not slug:
        tour.verdicts.skip("no timed exam can be taken again", *_RULES)
    elif given + tour.clock.grace > tour.clock.longest_wait:
        tour.verdicts.skip("the walk does not wait for the end of an exam. See --fast-clock", *_RULES)
    else:
        await _overrun(tour, slug, given)


def _timed(tour: Tour) -> tuple[str, float]:
    """Return the shortest suitable exam. Without a list of exams, use the chosen one if it can be taken again."""
    found = {str(exam.get("slug")): seconds(exam.get("duration")) or 0.0 for exam in takeable(tour) if _is_simple(exam)}
    if not found and is_unlimited(tour.exam):
        found = {tour.slug: seconds(tour.exam.get("duration")) or 0.0}
    long_enough = {slug: given for slug, given in found.items() if given >= SHORTEST}
    return min(long_enough.items(), key=lambda item: item[1], default=("", 0.0))


def _is_simple(exam: object) -> bool:
    return isinstance(exam, dict) and is_unlimited(exam) and not at(exam, "sections")


async def _overrun(tour: Tour, slug: str, given: float) -> None:
    created = await tour.create(slug)
    made = integer(at(created.tree(), "id"))
    if not created.succeeded:
        tour.verdicts.skip(f"{slug} could not be started again ({created.outcome})", *_RULES)
        return
    listing = await tour.owner.read_all(attempt(made, "questions/"))
    work = Answering(tour, made, listing.rows)
    before = await tour.owner.put(attempt(made, "heartbeat/"))
    await tour.clock.let_pass(given / 2)
    started = await tour.owner.put(attempt(made, "start/"))
    tour.check("start.pause", attempts.has_forgiven(before, started, given / 2), started)
    for row in work.of_type("R")[:1]:
        await work.send(row, selected_answers=options_of(row)[:1], review=False)
    await tour.clock.let_pass(given + tour.clock.grace)
    read = await tour.owner.get(attempt(made))
    tour.check("time.over", attempts.is_over(read, await _answer_late(tour, made, work)), read)
    if at(read.tree(), "state") == attempts.RUNNING:
        return
    tour.running.pop(made, None)
    tour.check("time.completed", attempts.is_in_state(read, attempts.COMPLETED), read)
    review = await read_review(tour, made, read)
    if review is None:
        tour.verdicts.skip("the exam shows no answers", "time.kept")
        return
    tour.check("time.completed", replies.succeeds(review.pages[0]), review.pages[0])
    tour.check("time.kept", questions.has_answers(review.rows, work.sent), review.pages[0])


async def _answer_late(tour: Tour, made: int, work: Answering) -> Exchange:
    """Answer after the end of the time. Send a heartbeat if there is no question to answer."""
    for row in work.of_type("R")[:1]:
        body = {"selected_answers": options_of(row)[1:2], "review": False}
        return await tour.owner.put(question(made, integer(row.get("id"))), body)
    return await tour.owner.put(attempt(made, "heartbeat/"))
