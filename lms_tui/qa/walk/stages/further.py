"""Try exams that cannot be started, and take the exams of --also."""

from typing import Final

from lms_tui.client.recording import Exchange
from lms_tui.qa.walk.judgements import attempts, replies
from lms_tui.qa.walk.shapes import shape
from lms_tui.qa.walk.stages.taking import Answering, answer_questions, check_questions
from lms_tui.qa.walk.tour import Tour
from lms_tui.qa.walk.values import as_rows, at, integer
from lms_tui.wire.errors import ApiError

_MISSING: Final = "lms-tui-walk-no-such-exam"


async def check_refusals(tour: Tour) -> None:
    """Check that unavailable exams and exams without attempts left cannot be started."""
    refused = await tour.create(_MISSING)
    tour.check("create.available", replies.fails(refused), refused)
    for slug in tour.upcoming[:1]:
        refused = await tour.create(slug)
        tour.check("create.available", replies.fails(refused), refused)
    spent = [
        str(exam.get("slug"))
        for exam in tour.exams
        if exam.get("allow_retake") is False
        and integer(exam.get("attempts_count"))
        and not integer(exam.get("paused_attempts_count"))
    ]
    for slug in spent[:1]:
        refused = await tour.create(slug)
        tour.check("create.retakes", replies.fails(refused), refused)
    if not spent:
        tour.verdicts.skip("no exam without retakes has been attempted", "create.retakes")


async def take_another_exam(tour: Tour, slug: str) -> None:
    """Take another exam, check its sections and answer its questions."""
    created = await tour.create(slug)
    if not created.succeeded:
        return
    made = integer(at(created.tree(), "id"))
    tour.watch_attempt(created, expanded=True)
    sections = as_rows(at(created.tree(), "sections"))
    if sections:
        await check_sections(tour, created)
    if sum(bool(section.get("duration")) for section in sections) < 2:
        listing = await check_questions(tour, created)
        work = Answering(tour, made, listing.rows)
        await answer_questions(tour, work)
    await tour.end(made)


async def check_sections(tour: Tour, created: Exchange) -> None:
    """Check the sections of a new attempt, and which of them show questions."""
    sections = as_rows(at(created.tree(), "sections"))
    tour.check("sections.fields", replies.each_has(sections, shape("section"), "section"), created)
    counts: dict[str, int | None] = {}
    for section in sections:
        try:
            listing = await tour.owner.read_all(str(section.get("questions_url")))
        except ApiError:
            counts[str(section.get("name"))] = None
            continue
        shown = listing.pages[0].succeeded
        counts[str(section.get("name"))] = len(listing.rows) if shown else None
    tour.check("sections.lock", attempts.sections_lock(sections, counts), created)


def explain_untested_rules(tour: Tour) -> None:
    """Say why rules about question types and sections were not tested."""
    hint = "no exam of this walk has {}. Give one with --also SLUG"
    tour.verdicts.skip(hint.format("a question of type S or N"), "answer.text")
    tour.verdicts.skip(hint.format("a question of type E"), "answer.essay")
    tour.verdicts.skip(hint.format("a question of type G"), "answer.gaps")
    tour.verdicts.skip(hint.format("sections"), "sections.fields", "sections.lock")
