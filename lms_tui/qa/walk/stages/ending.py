"""End the attempt, and check what the server refuses and shows afterwards."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, lists, questions, replies, results
from lms_tui.qa.walk.stages.taking import Answering, options_of
from lms_tui.qa.walk.user_client import EXAMS, STATS, Listing, attempt, question
from lms_tui.qa.walk.values import Tree, as_tree, at, integer
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
    run.check("end.completed", attempts.is_in_state(ended, attempts.COMPLETED), ended)
    run.check("end.completed", attempts.is_attempt(ended, made), ended)
    read = await run.owner.get(attempt(made))
    run.check("end.completed", attempts.is_in_state(read, attempts.COMPLETED), read)
    if not ended.succeeded or at(read.tree(), "state") == attempts.RUNNING:
        raise WalkStoppedError(ended)
    run.watch_attempt(ended, expanded=None)
    run.watch_attempt(read, expanded=False)
    run.check("end.counts", results.counts_add_up(ended, work.count), ended)
    run.check("end.score", results.has_result(ended.tree()), ended)
    return read


async def check_ended_attempt(run: WalkRun, made: int, read: Exchange, work: Answering) -> None:
    """Send requests that an ended attempt must refuse, and check that nothing changes."""
    await run.owner.put(attempt(made, "end/"))
    after = await run.owner.get(attempt(made))
    run.check("end.twice", results.is_unchanged(read.tree(), after, *_RESULT), after)
    started = await run.owner.put(attempt(made, "start/"))
    run.refused("end.start", started)
    after = await run.owner.get(attempt(made))
    run.check("end.start", attempts.is_in_state(after, attempts.COMPLETED), after)
    run.refused("end.questions", await run.owner.get(attempt(made, "questions/")))
    for row in work.of_type("R")[:1]:
        late = {"selected_answers": options_of(row)[:1], "review": False}
        run.refused("end.questions", await run.owner.put(question(made, integer(row.get("id"))), late))
    await run.owner.put(attempt(made, "heartbeat/"))
    after = await run.owner.get(attempt(made))
    run.check("end.heartbeat", results.is_unchanged(read.tree(), after, "state", "time_taken", "remaining_time"), after)


async def check_review(run: WalkRun, made: int, read: Exchange, work: Answering) -> None:
    """Check the review and the subjects against the answers and the counts."""
    subjects = await run.owner.read_all(attempt(made, "review/subjects/"))
    run.watch_list(subjects, None)
    first = subjects.pages[0]
    run.check("subjects.fields", [*replies.succeeds(first), *results.has_subjects(subjects.rows)], first)
    run.check("subjects.sums", results.subjects_add_up(subjects.rows), first)
    listing = await read_review(run, made, read)
    if listing is None:
        return
    page = listing.pages[0]
    run.watch_list(listing)
    run.check("review.pages", lists.are_all_there(listing.rows, integer(at(read.tree(), "total_questions"))), page)
    run.check("review.fields", results.has_reviewed(listing.rows), page)
    run.check("review.answers", questions.has_answers(listing.rows, _without_first(work)), page)
    run.check("end.late", questions.has_answers(_first(work, listing.rows), work.sent), page)
    run.check("review.key", results.has_key(listing.rows), page)
    run.check("review.counts", results.counts_fit_the_key(read.tree(), listing.rows), page)
    run.check("end.score", results.score_fits_the_marks(read.tree(), listing.rows), page)


async def read_review(run: WalkRun, made: int, read: Exchange) -> Listing | None:
    """Return the review, or None if it is refused. A refusal is right only if the exam shows no answers."""
    listing = await run.owner.read_all(attempt(made, "review/"))
    page = listing.pages[0]
    if page.succeeded:
        return listing
    if at(read.tree(), "exam", "show_answers") is False:
        run.verdicts.skip("the exam shows no answers", *_REVIEW_RULES)
    else:
        run.check("review.pages", replies.succeeds(page), page)
    return None


def _first(work: Answering, rows: tuple[Tree, ...]) -> list[Tree]:
    """Return the row of the question that was answered after the end."""
    late = [row.get("id") for row in work.of_type("R")[:1]]
    return [row for row in rows if row.get("id") in late]


def _without_first(work: Answering) -> questions.Answers:
    """Return the answers that were sent, except to the question that was answered after the end."""
    late = [integer(row.get("id")) for row in work.of_type("R")[:1]]
    return {name: {} if name in late else body for name, body in work.sent.items()}


async def check_statistics(run: WalkRun) -> None:
    """Check statistics and lists after the end."""
    if run.stats is not None:
        stats = await run.owner.get(STATS)
        before = as_tree(run.stats.tree())
        known = any(row.get("state") != attempts.RUNNING for row in run.earlier)
        expected = integer(before.get("exams_attempted")) + (0 if known else 1)
        run.check("stats.completed", results.count_is(stats, "exams_attempted", expected), stats)
    if not run.exams:
        return
    for state, wanted in (("available", False), ("history", True)):
        listed = await run.owner.read_all(EXAMS, state=state)
        there = run.slug in [row.get("slug") for row in listed.rows]
        words = f"{run.slug} is {'in' if there else 'not in'} the list of state {state}"
        run.check("exams.state", [] if there is wanted else [words], listed.pages[0])
