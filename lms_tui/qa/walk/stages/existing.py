"""Check what the account has, and change nothing: the lists, and an attempt that has ended."""

from lms_tui.qa.walk.checks import attempts, results
from lms_tui.qa.walk.stages import ending, other_user, taking
from lms_tui.qa.walk.user_client import attempt
from lms_tui.qa.walk.values import as_tree, at, integer
from lms_tui.qa.walk.walk_run import WalkRun


async def check_existing(run: WalkRun, slug: str, reason: str) -> None:
    """Read the lists and the newest ended attempt, of one exam if `slug` is given.

    `reason` says why no attempt is made.
    """
    run.verdicts.stop(reason)
    listed = await taking.read_list(run)
    ended = [row for row in listed.rows if row.get("state") == attempts.COMPLETED]
    if run.stats is not None:
        count = len({at(row, "exam", "slug") for row in listed.rows if row.get("state") != attempts.RUNNING})
        run.check("stats.completed", results.count_is(run.stats, "exams_attempted", count), listed.exchange, run.stats)
    chosen = next((row for row in ended if not slug or at(row, "exam", "slug") == slug), None)
    if chosen is None:
        run.verdicts.stop(f"{reason}, and the account has no ended attempt to read")
        return
    run.exam = as_tree(chosen.get("exam"))
    made = integer(chosen.get("id"))
    await taking.check_exam_list(run, chosen.get("exam"), made, attempts.COMPLETED)
    await ending.check_exam_states(run)
    await _check_attempt(run, made)


async def _check_attempt(run: WalkRun, made: int) -> None:
    read = await run.owner.get(attempt(made))
    run.succeeds("attempt.get", read)
    run.check("attempt.get", attempts.is_attempt(read, made), read)
    run.watch_attempt(read, expanded=False)
    run.check("end.score", results.has_result(read.tree()), read)
    nothing_sent = taking.Answering(run, made, ())
    await ending.check_review(run, made, read, nothing_sent)
    if run.other is not None:
        await other_user.read_as_other(run, run.other, made)
