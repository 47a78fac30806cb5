"""How the sections and the time of a session go on (pure)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from lms_tui.attempt.events import SectionBegan
from lms_tui.attempt.values import Goal, Phase, Section
from lms_tui.wire.attempt_states import AttemptState

if TYPE_CHECKING:
    from lms_tui.attempt.session import Session


def with_sections(session: "Session", sections: tuple[Section, ...]) -> "Session":
    """Adopt the states of sections. If none runs on the server, the time of ours is over."""
    if not sections:
        return session
    before, session = session.running_section, _without_lost(replace(session, sections=sections))
    if session.locked and session.running_section is None:
        return time_over(session)
    return session if session.running_section == before else _section_runs(session)


def _without_lost(session: "Session") -> "Session":
    """Count no answer as sent in a section that has not started on the server. A restored server has lost it."""
    if not session.locked:
        return session
    waiting = {n for n, section in enumerate(session.sections) if section.state is AttemptState.NOT_STARTED}
    lost = {item.question_id for item in session.items if item.section in waiting and 0 < item.latest <= item.there}
    if not lost:
        return session
    items = tuple(replace(item, there=-1) if item.question_id in lost else item for item in session.items)
    return replace(session, items=items)


def _section_runs(session: "Session") -> "Session":
    """Forget what was refused in the section that runs now. A restored server may run a section for a second time.

    Undo stays in its section.
    """
    items = tuple(
        replace(item, refused="") if item.refused and item.section == session.running_section else item
        for item in session.items
    )
    return replace(session, items=items, undo=())


def with_more_time(session: "Session", now: float) -> "Session":
    """Continue after the end of the time if the institute has given more. Another section must be read first."""
    if session.phase is not Phase.TIME_OVER or session.deadline.over(now):
        return session
    if session.locked and not session.was_read(session.running_section):
        return session
    return replace(session, phase=Phase.RUNNING, goal=Goal.ATTEMPT)


def time_over(session: "Session") -> "Session":
    if session.phase is not Phase.RUNNING:
        return session
    goal = Goal.SECTION if session.more_sections else Goal.ATTEMPT
    return replace(session, phase=Phase.TIME_OVER, goal=goal)


def began(session: "Session", event: SectionBegan) -> "Session":
    known = len(session.items)
    fresh = tuple(item for item in event.items if item.question_id not in session.places)
    running = {item.question_id for item in fresh}  # a restored server may run an ended section again
    session = replace(session, ended=tuple(item for item in session.ended if item.question_id not in running))
    numbered = tuple(replace(item, number=session.last_number + n) for n, item in enumerate(fresh, 1))
    began = replace(
        session,
        items=session.items + numbered,
        sections=event.sections,
        deadline=event.deadline,
        phase=Phase.RUNNING,
        goal=Goal.ATTEMPT,
        contact=session.heard_at(event.at),
        current=known if numbered else session.current,
        places={},
    )
    return _section_runs(began)
