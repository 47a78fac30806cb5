"""Reads the questions of an attempt, all at once or section by section."""

from collections.abc import AsyncIterator
from dataclasses import replace

from lms_tui.attempt import mapping
from lms_tui.attempt.ports import AttemptService
from lms_tui.attempt.values import Item
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptQuestion, AttemptSection
from lms_tui.wire.errors import Refused, SignInNeeded


async def load(service: AttemptService, attempt: Attempt) -> tuple[list[AttemptQuestion], tuple[Item, ...]]:
    """Return all questions that may be seen now, and their items."""
    questions: list[AttemptQuestion] = []
    items: list[Item] = []
    async for place, found in lists(service, attempt):
        questions += found
        items += mapping.items_of(found, place)
    return questions, tuple(replace(item, number=number) for number, item in enumerate(items, 1))


async def lists(
    service: AttemptService, attempt: Attempt, *, ended: bool = False
) -> AsyncIterator[tuple[int | None, list[AttemptQuestion]]]:
    """Yield the questions that may be seen now by section, or all at once if the exam has no sections.

    `ended`: also those of locked sections that have ended, where the server still shows them.
    """
    sections = mapping.in_order(attempt)
    running = mapping.running_section(attempt)
    if not sections:
        yield None, await service.questions(attempt.id)
    for place, section in enumerate(sections):
        if running is None or section is running:
            yield place, await service.section_questions(section)
        elif ended and section.state == AttemptState.COMPLETED:
            yield place, await _still_shown(service, section)


async def _still_shown(service: AttemptService, section: AttemptSection) -> list[AttemptQuestion]:
    try:
        return await service.section_questions(section)
    except SignInNeeded:
        raise
    except Refused:
        return []
