"""Try exams that cannot be started, and take the exams of --also."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.checks import attempts, questions, replies
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.stages.taking import Answering, answer_questions, check_questions
from lms_tui.qa.walk.values import as_rows, at, integer
from lms_tui.qa.walk.walk_run import WalkRun
from lms_tui.wire.errors import ApiError, Unreachable

_OF_OTHER_EXAMS: Final = ("answer.text", "answer.essay", "answer.gaps", "sections.fields", "sections.lock")
_MISSING: Final = "lms-tui-walk-no-such-exam"


async def check_refusals(run: WalkRun) -> None:
    """Check that unavailable exams and exams without attempts left cannot be started."""
    refused = await run.create(_MISSING)
    run.fails("create.available", refused)
    for slug in run.upcoming[:1]:
        refused = await run.create(slug)
        run.fails("create.available", refused)
    spent = [
        str(exam.get("slug"))
        for exam in run.exams
        if exam.get("allow_retake") is False
        and integer(exam.get("attempts_count"))
        and not integer(exam.get("paused_attempts_count"))
    ]
    for slug in spent[:1]:
        refused = await run.create(slug)
        run.fails("create.retakes", refused)
    if not spent:
        run.verdicts.skip("no exam without retakes has been attempted", "create.retakes")


async def take_another_exam(run: WalkRun, slug: str) -> None:
    """Take another exam, check its sections and answer its questions."""
    running = await run.running_attempt(slug)
    created = None if running else await run.create(slug)
    if created is None or not created.succeeded:
        reason = f"answered {created.outcome}" if created else "has a running attempt, which the walk would end"
        run.verdicts.skip(f"{slug} {reason}", *_OF_OTHER_EXAMS)
        return
    made = integer(at(created.tree(), "id"))
    run.check("create.running", attempts.is_of_exam(created, slug), created)
    run.watch_attempt(created, expanded=created.method == "POST")
    sections = as_rows(at(created.tree(), "sections"))
    if sections:
        await check_sections(run, created)
    if sum(bool(section.get("duration")) for section in sections) < 2:
        listing = await check_questions(run, created)
        work = Answering(run, made, listing.rows)
        await answer_questions(run, work)
    ended = await run.end(made)
    run.check("end.completed", attempts.is_attempt(ended, made), ended)
    run.watch_attempt(ended, expanded=None)


async def check_sections(run: WalkRun, created: Exchange) -> None:
    """Check the sections of a new attempt, and which of them show questions."""
    sections = as_rows(at(created.tree(), "sections"))
    run.check("sections.fields", replies.each_has(sections, shape("section"), "section"), created)
    counts: dict[str, int | None] = {}
    for section in sections:
        try:
            listing = await run.owner.read_all(str(section.get("questions_url")))
        except Unreachable:
            raise
        except ApiError:
            counts[str(section.get("name"))] = None
            continue
        shown = listing.pages[0].succeeded
        counts[str(section.get("name"))] = len(listing.rows) if shown else None
        run.watch_list(listing, None)
        run.check("questions.fields", questions.has_questions(listing.rows), listing.exchange)
    run.check("sections.lock", attempts.sections_lock(sections, counts), created)


def explain_untested_rules(run: WalkRun) -> None:
    """Say why rules about question types and sections were not tested."""
    hint = "no exam of this walk has {}. Give one with --also SLUG"
    run.verdicts.skip(hint.format("a question of type S or N"), "answer.text")
    run.verdicts.skip(hint.format("a question of type E"), "answer.essay")
    run.verdicts.skip(hint.format("a question of type G"), "answer.gaps")
    run.verdicts.skip(hint.format("sections"), "sections.fields", "sections.lock")
