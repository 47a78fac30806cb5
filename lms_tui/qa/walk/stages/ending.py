"""End the attempt, and check what the server refuses and shows afterwards."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, lists, questions, results
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.user_client import EXAMS, STATS, Listing, attempt, question
from lms_tui.qa.walk.values import as_tree, at, integer
from lms_tui.qa.walk.walk_run import WalkRun, WalkStoppedError

_RESULT: Final = (
    "state",
    "score",
    "correct_count",
    "incorrect_count",
    "unanswered_count",
    "time_taken",
    "remaining_time",
    "percentage",
)
_COUNTS: Final = ("total_questions", "correct_count", "incorrect_count", "unanswered_count")
_SCORES: Final = ("score", "percentage")
"""Fields that are final after the end. Ranks are not, because other students continue."""
_REVIEW: Final = ("review/", "review/subjects/")
_REVIEW_RULES: Final = (
    "review.fields",
    "review.pages",
    "review.answers",
    "review.key",
    "review.counts",
    "end.score",
    "end.late",
)


async def check_running_review(run: WalkRun, made: int) -> None:
    """Check that the review of a running attempt is refused."""
    for part in _REVIEW:
        refused = await run.owner.get(attempt(made, part))
        run.refused("review.early", refused)


async def end_attempt(run: WalkRun, made: int, work: Answering) -> Exchange:
    """End the attempt, check its result and return the ended attempt. Raises WalkStoppedError if it still runs."""
    ended = await run.end(made)
    run.succeeds("end.completed", ended)
    run.check("end.completed", attempts.is_in_state(ended, attempts.COMPLETED), ended)
    run.check("end.completed", attempts.is_attempt(ended, made), ended)
    read = await run.owner.get(attempt(made))
    run.check("end.completed", attempts.is_in_state(read, attempts.COMPLETED), read)
    if not ended.succeeded or at(read.tree(), "state") == attempts.RUNNING:
        raise WalkStoppedError(ended)
    run.watch_attempt(ended, expanded=None)
    run.watch_attempt(read, expanded=False)
    run.check("end.counts", results.counts_add_up(ended, work.count), ended)
    run.check("end.counts", results.is_unchanged(ended, read, *_COUNTS), ended, read)
    run.check("end.score", results.has_result(ended.tree()), ended)
    run.check("end.score", results.is_unchanged(ended, read, *_SCORES), ended, read)
    if run.alone:
        run.check("end.score", results.is_unchanged(ended, read, "percentile"), ended, read)
    return read


async def check_ended_attempt(run: WalkRun, made: int, read: Exchange, work: Answering) -> None:
    """Send requests that an ended attempt must refuse, and check that nothing changes."""
    await run.owner.put(attempt(made, "end/"))
    after = await run.owner.get(attempt(made))
    run.check("end.twice", results.is_unchanged(read, after, *_RESULT), read, after)
    started = await run.owner.put(attempt(made, "start/"))
    run.refused("end.start", started)
    after = await run.owner.get(attempt(made))
    run.check("end.start", attempts.is_in_state(after, attempts.COMPLETED), after)
    run.refused("end.questions", await run.owner.get(attempt(made, "questions/")))
    for row in work.of_type("R")[:1]:
        found, late = integer(row.get("id")), options_of(row)[:1]
        body = {"selected_answers": late, "review": False}
        run.refused("end.questions", await run.owner.put(question(made, found), body))
        if late != work.sent.get(found, {}).get("selected_answers"):
            work.late[found] = late
    await run.owner.put(attempt(made, "heartbeat/"))
    after = await run.owner.get(attempt(made))
    run.check("end.heartbeat", results.is_unchanged(read, after, "state", "time_taken", "remaining_time"), read, after)


async def check_review(run: WalkRun, made: int, read: Exchange, work: Answering) -> None:
    """Check the review and the subjects against the answers and the counts."""
    subjects = await run.owner.read_all(attempt(made, "review/subjects/"))
    run.watch_list(subjects, None)
    first = subjects.exchange
    run.succeeds("subjects.fields", first)
    run.check("subjects.fields", results.has_subjects(subjects.rows), first)
    run.check("subjects.sums", results.subjects_add_up(subjects.rows), first)
    listing = await read_review(run, made, read)
    if listing is None:
        return
    page, whole = listing.exchange, integer(at(read.tree(), "total_questions"))
    run.watch_list(listing)
    run.succeeds("review.pages", page)
    run.check("review.pages", lists.are_all_there(listing.rows, whole), read, page)
    run.check("review.fields", results.has_reviewed(listing.rows), page)
    in_time = [row for row in listing.rows if not questions.is_late(row, work.late)]
    if work.sent:
        run.check("review.answers", questions.has_answers(in_time, work.sent), page)
    if work.late:
        run.check("end.late", questions.has_not_counted(listing.rows, work.late), page)
    run.check("review.key", results.has_key(listing.rows), page)
    run.check("review.counts", results.counts_fit_the_key(read.tree(), listing.rows), read, page)
    run.check("end.score", results.score_fits_the_marks(read.tree(), listing.rows), read, page)


async def read_review(run: WalkRun, made: int, read: Exchange) -> Listing | None:
    """Return the review, or None if it is refused. A refusal is right only if the exam shows no answers."""
    listing = await run.owner.read_all(attempt(made, "review/"))
    page = listing.pages[0]
    if page.succeeded:
        return listing
    if at(read.tree(), "exam", "show_answers") is False:
        run.verdicts.skip("the exam shows no answers", *_REVIEW_RULES)
    else:
        run.succeeds("review.pages", page)
    return None


async def check_statistics(run: WalkRun) -> None:
    """Check statistics and lists after the end."""
    if run.stats is not None:
        stats = await run.owner.get(STATS)
        before = as_tree(run.stats.tree())
        known = any(row.get("state") != attempts.RUNNING for row in run.earlier)
        expected = integer(before.get("exams_attempted")) + (0 if known else 1)
        run.check("stats.completed", results.count_is(stats, "exams_attempted", expected), run.stats, stats)
    await check_exam_states(run)


async def check_exam_states(run: WalkRun) -> None:
    """Check in which lists the attempted exam is."""
    if not run.exams:
        return
    for state, wanted in (("available", False), ("history", True)):
        listed = await run.owner.read_all(EXAMS, state=state)
        there = run.slug in [row.get("slug") for row in listed.rows]
        words = f"{run.slug} is {'in' if there else 'not in'} the list of state {state}"
        run.check("exams.state", [] if there is wanted else [words], listed.exchange)
