"""The words before and after the end of an exam (pure)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Item
from lms_tui.views.answers import number_problem
from lms_tui.views.runner import tally
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.question_types import QuestionType

ALL_OPEN: Final = "All sections are open until the end of the exam."
"""Why no section of such an exam can be ended."""
_NAMED: Final = 6
"""The number of questions that a list names."""


def end_lines(session: Session, goal: Goal = Goal.ATTEMPT) -> tuple[tuple[int, str], ...]:
    """Return the counts of what would end, each with its name and the questions that may be looked at again.

    The exam counts the questions of sections that are not open, although only the server has them.
    """
    running = session.running_section if goal is Goal.SECTION else None
    items = session.known if running is None else tuple(item for item in session.items if item.section == running)
    counts = tally(replace(session, items=items, ended=(), places={}))
    unanswered = [item.number for item in items if not item.answer.given]
    slips = [item.number for item in items if not_a_number(item)]
    closed: list[str] = []
    if goal is Goal.ATTEMPT:
        unanswered += range(session.last_number + 1, session.size + 1)
        closed = never_opened(session)
    never = f"section{'' if len(closed) == 1 else 's'} {'not seen' if session.all_open else 'never opened'}"
    return (
        (counts.answered, "answered"),
        (len(unanswered), f"unanswered{_numbers(unanswered)}"),
        (counts.marked, f"marked for review{_numbers([item.number for item in items if item.answer.marked])}"),
        *(((len(slips), f"not written as a number{_numbers(slips)}"),) if slips else ()),
        (counts.unsent, "not yet sent"),
        *(((counts.refused, "not accepted by the server"),) if counts.refused else ()),
        *(((len(closed), f"{never}: {', '.join(closed)}"),) if closed else ()),
    )


def not_a_number(item: Item) -> bool:
    """Whether a question for a number has another text as its answer."""
    return item.kind == QuestionType.NUMERIC and bool(number_problem(item.answer.short_text or ""))


def never_opened(session: Session) -> list[str]:
    """Return the names of the sections of which no question has been on a screen."""
    if all(item.section is None for item in session.known):
        return []
    opened = {item.section for item in session.known if item.answer.visited}
    if session.unknown > 0:  # it was seen on another device
        opened |= {place for place, section in enumerate(session.sections) if section.state is AttemptState.COMPLETED}
    return [section.name for place, section in enumerate(session.sections) if place not in opened]


def _numbers(numbers: Sequence[int]) -> str:
    """`: 3, 7, 12 …`: enough to find them, not a list to read."""
    if not numbers:
        return ""
    return ": " + ", ".join(map(str, numbers[:_NAMED])) + (" …" if len(numbers) > _NAMED else "")


def not_accepted(session: Session) -> tuple[str, ...]:
    """One line for each answer that the server does not have: what was refused, and what was never sent."""
    lines = [f"Question {item.number}: {item.refused}" for item in session.refused]
    lines += [f"Question {item.number}: not sent." for item in session.unsent if not item.visit_only]
    return tuple(lines)
