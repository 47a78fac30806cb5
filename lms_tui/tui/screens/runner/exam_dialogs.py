"""The dialogs of the exam: end, leave, and answers that were not accepted."""

from textual.app import App

from lms_tui.attempt.events import Wrote
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Phase
from lms_tui.tui import dialogs
from lms_tui.views import ending

_LISTED = 12
_LAST_WORDS = 120


async def ask_end(app: App[None], session: Session, goal: Goal) -> dialogs.Answer:
    """Show the counts and ask whether to end. OTHER asks for the overview."""
    what = "section" if goal is Goal.SECTION else "exam"
    body = (
        "Once it has ended, you cannot change its answers. The next section starts at once."
        if goal is Goal.SECTION
        else "Your answers are sent and checked first. After that you cannot change them."
    )
    yes = "End section" if goal is Goal.SECTION else "End the exam"
    counts = ending.end_lines(session, goal)
    return await dialogs.ask(
        app, f"End the {what}?", body, counts=counts, yes=yes, no="Go back", other="Overview", other_key="o"
    )


async def leave_wanted(app: App[None], session: Session) -> bool:
    """Say that leaving does not end the exam, and return whether the person wants to leave."""
    if session.phase is Phase.RUNNING:
        until = "" if session.deadline.ends_at is None else " until the time is over"
        body = f"Leaving does not end the exam. Your answers are saved.\nYou can resume from the exam list{until}."
    else:
        body = (
            "Answers that are not sent yet are saved on this computer.\n"
            "They are sent when you resume the attempt from the exam list."
        )
    return await dialogs.confirm(app, "Leave the exam?", body, yes="Leave", no="Stay")


async def tell_end(app: App[None], session: Session, too_late: Wrote | None = None) -> None:
    """Say why the attempt closed and list every undelivered answer. `too_late`: text that was not saved."""
    lines = ending.not_accepted(session)
    if too_late is not None and (item := session.find(too_late.question_id)) is not None:
        words = " ".join(too_late.text.split())[-_LAST_WORDS:]
        lines = (*lines, f"Question {item.number}: this text came after the exam was closed: “…{words}”")
    closed = session.phase is Phase.CLOSED
    if not closed and not lines:
        return
    parts = [session.reason] if closed and session.reason else []
    if lines:
        shown = [*lines[:_LISTED], *([f"… and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else [])]
        parts += ["Not accepted by the server (saved on this computer):", *shown]
    elif closed:
        parts.append("All answers were sent.")
    title = "The exam is closed" if closed else "Some answers were not accepted"
    await dialogs.notice(app, title, "\n".join(parts), error=bool(lines), unasked=True)
