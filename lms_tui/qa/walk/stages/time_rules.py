"""Check the rules of time with another attempt: a pause, and the end of the time."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, questions
from lms_tui.qa.walk.stages.ending import read_review
from lms_tui.qa.walk.stages.preparation import SHORTEST, is_unlimited, startable_exams
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.user_client import attempt, question
from lms_tui.qa.walk.values import at, integer, seconds
from lms_tui.qa.walk.walk_run import WalkRun

_RULES: Final = ("start.pause", "time.over", "time.completed", "time.kept")


async def check_time_rules(run: WalkRun) -> None:
    """Let the time of an exam run out. Skip these rules if no timed exam can be taken again."""
    slug, given = _timed(run)
    if not slug:
        run.verdicts.skip("no timed exam can be taken again", *_RULES)
    elif given + run.clock.grace > run.clock.longest_wait:
        run.verdicts.skip("the walk does not wait for the end of an exam. See --fast-clock", *_RULES)
    else:
        await _overrun(run, slug, given)


def _timed(run: WalkRun) -> tuple[str, float]:
    """Return the shortest suitable exam. Without a list of exams, use the chosen one if it can be taken again."""
    simple = filter(_is_simple, startable_exams(run))
    found = {str(exam.get("slug")): seconds(exam.get("duration")) or 0.0 for exam in simple}
    if not found and is_unlimited(run.exam):
        found = {run.slug: seconds(run.exam.get("duration")) or 0.0}
    long_enough = {slug: given for slug, given in found.items() if given >= SHORTEST}
    return min(long_enough.items(), key=lambda item: item[1], default=("", 0.0))


def _is_simple(exam: object) -> bool:
    return isinstance(exam, dict) and is_unlimited(exam) and not at(exam, "sections")


async def _overrun(run: WalkRun, slug: str, given: float) -> None:
    created = await run.create(slug)
    made = integer(at(created.tree(), "id"))
    if not created.succeeded:
        run.verdicts.skip(f"{slug} could not be started again ({created.outcome})", *_RULES)
        return
    listing = await run.owner.read_all(attempt(made, "questions/"))
    work = Answering(run, made, listing.rows)
    before = await run.owner.put(attempt(made, "heartbeat/"))
    await run.clock.let_pass(given / 2)
    started = await run.owner.put(attempt(made, "start/"))
    run.check("start.pause", attempts.has_forgiven(before, started, given / 2), before, started)
    for row in work.of_type("R")[:1]:
        await work.send(row, selected_answers=options_of(row)[:1], review=False)
    await run.clock.let_pass(given + run.clock.grace)
    read = await run.owner.get(attempt(made))
    run.check("time.over", attempts.is_over(read, await _answer_late(run, made, work)), read)
    if at(read.tree(), "state") == attempts.RUNNING:
        return
    run.running.pop(made, None)
    run.check("time.completed", attempts.is_in_state(read, attempts.COMPLETED), read)
    review = await read_review(run, made, read)
    if review is None:
        run.verdicts.skip("the exam shows no answers", "time.kept")
        return
    run.succeeds("time.completed", review.exchange)
    run.check("time.kept", questions.has_answers(review.rows, work.sent), review.exchange)


async def _answer_late(run: WalkRun, made: int, work: Answering) -> Exchange:
    """Answer after the end of the time. Send a heartbeat if there is no question to answer."""
    for row in work.of_type("R")[:1]:
        body = {"selected_answers": options_of(row)[1:2], "review": False}
        return await run.owner.put(question(made, integer(row.get("id"))), body)
    return await run.owner.put(attempt(made, "heartbeat/"))
