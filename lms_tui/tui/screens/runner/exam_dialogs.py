"""The questions that the runner asks a person: before an end, before leaving, and what was not accepted."""

from textual.app import App

from lms_tui.attempt.events import Wrote
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Phase
from lms_tui.tui import dialogs
from lms_tui.views import runner as present

_LISTED = 12
_LAST_WORDS = 120


async def end_wanted(app: App[None], session: Session, goal: Goal) -> bool:
    """Show the counts and ask; only an explicit choice ends anything."""
    what = "section" if goal is Goal.SECTION else "exam"
    rows = present.end_rows(session, goal)
    after = (
        "Its answers cannot be changed after that; the next section begins at once."
        if goal is Goal.SECTION
        else "Everything is sent and compared first. Nothing can be changed after that."
    )
    body = "\n".join([*rows, "", after])
    return await dialogs.confirm(app, f"End the {what}?", body, yes=f"End the {what}", no="Go back", danger=True)


async def leave_wanted(app: App[None], session: Session) -> bool:
    """Leaving is not an end, and says so."""
    if session.phase is Phase.RUNNING:
        until = "" if session.deadline.ends_at is None else " before the time is over"
        body = (
            "This does not end the exam, and every answer is kept.\n"
            f"Choose Resume in the list of attempts to go on{until}."
        )
    else:
        body = (
            "What is not sent yet is kept on this computer, with its times.\n"
            "It is sent when you resume the attempt from the list."
        )
    return await dialogs.confirm(app, "Leave the exam?", body, yes="Leave", no="Stay")


async def tell_end(app: App[None], session: Session, too_late: Wrote | None = None) -> None:
    """Say why the attempt closed, and list every answer that the server does not have; `too_late`: not kept at all."""
    lines = present.not_accepted(session)
    if too_late is not None and (item := session.find(too_late.question_id)) is not None:
        words = " ".join(too_late.text.split())[-_LAST_WORDS:]
        lines = (*lines, f"Question {item.number}: the last words came when it was closed already: “…{words}”")
    closed = session.phase is Phase.CLOSED
    if not closed and not lines:
        return
    parts = [session.reason] if closed and session.reason else []
    if lines:
        shown = [*lines[:_LISTED], *([f"… and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else [])]
        parts += ["Not accepted by the server (kept in the journal on this computer):", *shown]
    elif closed:
        parts.append("Every answer had been sent.")
    title = "The exam is closed" if closed else "Some answers were not accepted"
    await dialogs.notice(app, title, "\n".join(parts), error=bool(lines), unasked=True)
