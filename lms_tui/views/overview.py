"""The words of the overview of all questions (pure)."""

from typing import TYPE_CHECKING

from lms_tui.common.frozen import frozen
from lms_tui.views import ending
from lms_tui.views import runner as present
from lms_tui.views.format import counted
from lms_tui.wire.attempt_states import AttemptState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lms_tui.attempt.session import Session
    from lms_tui.attempt.values import Item


@frozen
class Headings:
    """The heading of each group of questions (`named`). Sections without questions here have theirs with the reason.

    `ended`: of sections that have ended. `later`: of sections that have not begun. `shorter`: for a heading that does
    not fit, the same with fewer words.
    """

    named: dict[str, str]
    shorter: dict[str, str]
    ended: dict[str, str]
    later: dict[str, str]


def headings(session: "Session") -> Headings:
    """Return the headings of sections or subjects, each with what is answered and whether it has ended."""
    groups, over = _grouped(session, session.items), _grouped(session, session.ended)
    before = {items[0].section or 0: _heading(session, name, items) for name, items in over.items()}
    known = {name: _heading(session, name, items) for name, items in groups.items()}
    later = {
        f"{section.name} · not open yet": present.why_closed(session, place)
        for place, section in enumerate(session.sections)
        if session.locked and section.state is AttemptState.NOT_STARTED and section.name not in {*groups, *over}
    }
    return Headings(
        named={name: heading for name, (heading, _) in known.items()},
        shorter=dict((*before.values(), *known.values())),
        ended={heading: present.why_closed(session, place) for place, (heading, _) in before.items()},
        later=later,
    )


def _grouped(session: "Session", items: "Iterable[Item]") -> "dict[str, list[Item]]":
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(present.group_of(session, item), []).append(item)
    return groups


def _heading(session: "Session", name: str, items: "Sequence[Item]") -> tuple[str, str]:
    """Return the heading of a group, and the same with fewer words."""
    given, state = sum(item.answer.given for item in items), ended(session, items[0])
    tail = f" · {state}" if state else ""
    return f"{name} · {given} of {len(items)} answered{tail}", f"{name} · {given}/{len(items)}{tail}"


def ended(session: "Session", item: "Item") -> str:
    """Return `ended` for a question of a section that has ended, else ""."""
    return "ended" if session.locked and item.section != session.running_section else ""


def state_words(session: "Session", item: "Item", *, noted: bool) -> str:
    """`Question 12: answered, marked for review, not sent, with a note`."""
    answer = item.answer
    words = ["answered" if answer.given else "unanswered" if answer.visited else "not seen"]
    words += ["not written as a number"] if ending.not_a_number(item) else []
    words += ["marked for review"] if answer.marked else []
    words += [f"not accepted: {item.refused}"] if item.refused else ["not sent"] if waits(item) else []
    words += ["with a note"] if noted else []
    words += ["section ended"] if ended(session, item) else []
    return f"Question {item.number}: {', '.join(words)}"


def waits(item: "Item") -> bool:
    """Return whether an answer or a mark is not on the server yet."""
    return bool(item.refused) or (item.unsent and not item.visit_only)


def count_words(session: "Session", counts: present.Tally) -> tuple[str, str]:
    """`30 of 75 answered · 45 unanswered (12 not seen) · 4 marked · 2 not sent`, for the whole exam.

    The second text is for a narrow window: `30/75 answered · 4 marked · 2 not sent`.
    """
    unanswered, unseen = counts.total - counts.answered, counts.total - counts.seen
    waiting = counts.unsent + counts.refused
    words = [
        f"{counts.answered} of {counts.total} answered",
        f"{unanswered} unanswered" + (f" ({unseen} not seen)" if unseen else ""),
        f"{counts.marked} marked",
        f"{waiting} not sent",
    ]
    ended_sections = {item.section for item in session.known if ended(session, item)}
    words += [counted(len(ended_sections), "ended section")] if ended_sections else []
    fewer = [f"{counts.answered}/{counts.total} answered", f"{counts.marked} marked"]
    fewer += [f"{waiting} not sent"] if waiting else []
    return " · ".join(words), " · ".join(fewer)
