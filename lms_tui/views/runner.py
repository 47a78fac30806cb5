"""The words and numbers of the exam screen, from the session of an attempt (pure)."""

from decimal import Decimal
from enum import Enum, StrEnum
from itertools import groupby
from typing import Final

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Goal, Item, Phase
from lms_tui.common.frozen import frozen
from lms_tui.views.files import in_words
from lms_tui.views.format import LETTERS, spoken
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.rows import fitted
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.exams import Exam

_LONGEST_NAME: Final = 28
"""Cells for the name of a section."""
QUIET = 90.0
"""Seconds without a reply that are normal, with a heartbeat a minute and a slow network."""


class Severity(StrEnum):
    """The urgency of a text. Each screen chooses a style for it."""

    PLAIN = "plain"
    GOOD = "good"
    WARNING = "warning"
    BAD = "bad"


class Mark(Enum):
    """The state of a question in the palette."""

    UNSEEN = "unseen"
    SEEN = "seen"
    ANSWERED = "answered"
    MARKED = "marked"
    MARKED_ANSWERED = "marked_answered"


class Filter(StrEnum):
    ALL = "all"
    UNANSWERED = "unanswered"
    MARKED = "marked"
    UNSEEN = "not seen"

    def following(self) -> "Filter":
        order = tuple(Filter)
        return order[(order.index(self) + 1) % len(order)]

    def passes(self, item: Item) -> bool:
        if self is Filter.UNANSWERED:
            return not item.answer.given
        if self is Filter.UNSEEN:
            return not item.answer.visited
        return self is Filter.ALL or item.answer.marked


def mark_of(item: Item) -> Mark:
    answer = item.answer
    if answer.marked:
        return Mark.MARKED_ANSWERED if answer.given else Mark.MARKED
    if answer.given:
        return Mark.ANSWERED
    return Mark.SEEN if answer.visited else Mark.UNSEEN


@frozen
class Tally:
    """Counts over all questions. `here` counts the answers and marks that are saved, `there` those that are sent.

    `total` has the questions of sections that are not open too.
    """

    total: int = 0
    answered: int = 0
    marked: int = 0
    seen: int = 0
    counted: int = 0
    here: int = 0
    there: int = 0
    unsent: int = 0
    refused: int = 0


def tally(session: Session) -> Tally:
    """Count in one pass, because this runs after every key."""
    answered = marked = seen = counted = here = there = unsent = refused = 0
    for item in session.known:
        answer = item.answer
        if answer.review is not None:
            seen += 1
            given = answer.given
            flagged = answer.review
            answered += given
            marked += flagged
            if given or flagged:
                counted += 1
                here += item.here >= item.latest
                there += item.there >= item.latest and not item.refused
        elif answer.given:
            answered += 1
            counted += 1
            here += item.here >= item.latest
            there += item.there >= item.latest and not item.refused
        refused += bool(item.refused)
        unsent += item.latest > item.there and not item.refused and not item.visit_only
    return Tally(session.size - session.unknown, answered, marked, seen, counted, here, there, unsent, refused)


# Saving.


@frozen
class Light:
    """The numbers of saved and sent answers, and a sign for the connection."""

    sign: str
    severity: Severity
    text: str


def light(session: Session, counts: Tally, silence: float, glyphs: Glyphs) -> Light:
    if session.journal_trouble:
        sign, severity = glyphs.broken, Severity.BAD
    elif session.contact.sign_in_needed or _late(session, silence):
        sign, severity = glyphs.offline, Severity.WARNING
    elif counts.unsent:
        sign, severity = glyphs.sending, Severity.PLAIN
    else:
        sign, severity = glyphs.well, Severity.GOOD
    return Light(sign, severity, f"saved {counts.here} {glyphs.dot} sent {counts.there}")


def _late(session: Session, silence: float) -> bool:
    """Return whether a request failed, or the next reply of the server is overdue."""
    return bool(session.contact.trouble) or (silence > QUIET and not session.over)


# Notices.


@frozen
class Notice:
    """A line above the question. `short` replaces `text` on narrow screens."""

    text: str
    short: str
    severity: Severity


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def _ending(session: Session, counts: Tally, send_key: str) -> Notice:
    section = session.goal is Goal.SECTION
    if session.phase is Phase.TIME_OVER:
        head, short, severity = "Section time is over" if section else "Time is over", "Time over", Severity.WARNING
    else:
        head, short, severity = f"Ending the {'section' if section else 'exam'}", "Ending", Severity.PLAIN
    kept = f"{_answers(counts.unsent)} saved here" if counts.unsent else "all answers are sent"
    if session.contact.sign_in_needed:
        return Notice(
            f"{head}. Sign in again ({send_key}) to finish: {kept}.", f"{short}. Sign in: {send_key}", severity
        )
    if session.contact.trouble:
        return Notice(f"{head}. Offline: {kept}. Trying again.", f"{short}. Offline: saved", severity)
    doing = f"sending {_answers(counts.unsent)}" if counts.unsent else "comparing with the server"
    return Notice(f"{head}: {doing}. Answers cannot be changed any more.", f"{short}: {doing}", severity)


def notice(session: Session, counts: Tally, silence: float, send_key: str = "ctrl+r") -> Notice | None:  # noqa: C901, PLR0911 - one return a case, the most pressing first
    """Return the most urgent notice, or None. `send_key` is the key that tries the server again."""
    if session.phase is Phase.CLOSED:
        return Notice(session.reason, session.reason, Severity.BAD)
    if session.read_only:
        return Notice(session.read_only, "Open in another window: read-only", Severity.WARNING)
    if session.ending:
        return _ending(session, counts, send_key)
    if session.journal_trouble:
        text = f"Not saved on this computer. {session.journal_trouble}"
        return Notice(text, "Not saved on this computer!", Severity.BAD)
    if session.journal_note:
        return Notice(session.journal_note, "Journal removed: written anew", Severity.WARNING)
    if session.contact.sign_in_needed:
        text = f"Sign in again to send your answers: press {send_key}. You can continue to answer."
        return Notice(text, f"Sign in again: {send_key}", Severity.WARNING)
    if _late(session, silence):
        return _offline(session, silence)
    if said := _by_the_institute(session):
        return said
    if session.lost_there:
        again = "It is" if session.lost_there == 1 else "They are"
        text = f"The server was restored and had lost {_answers(session.lost_there)}. {again} sent again."
        return Notice(text, "Server restored: answers sent again", Severity.WARNING)
    if conflicts := len(session.conflicts):
        text = f"{_questions(conflicts)} answered differently on another device. Each shows the answer that counts."
        return Notice(text, f"{conflicts} answered elsewhere too", Severity.WARNING)
    if session.missing_in_ended:
        missing = _answers(session.missing_in_ended)
        text = (
            f"The server does not have {missing} of a section that has ended. They stay saved here and are listed at "
            "the end."
        )
        return Notice(text, f"Server lacks {missing} of a section", Severity.WARNING)
    if counts.refused:
        text = f"The server did not accept {_answers(counts.refused)}. They stay saved here and are listed at the end."
        return Notice(text, f"{_answers(counts.refused)} not accepted", Severity.WARNING)
    return None


def _by_the_institute(session: Session) -> Notice | None:
    if len(session.told) == 1:
        return Notice(session.told[0].text, session.told[0].text, Severity.WARNING)
    if session.told:
        # One row could not tell where a notice ends.
        count = len(session.told)
        texts = [f"{number} of {count}: {one.text}" for number, one in enumerate(session.told, 1)]
        return Notice("\n".join(texts), texts[-1], Severity.WARNING)
    if session.deadline.stopped_at is not None:
        text = "Your institute has stopped the clock of this exam. You can continue to answer."
        return Notice(text, "The clock is stopped", Severity.WARNING)
    return None


def _offline(session: Session, silence: float) -> Notice:
    if session.deadline.estimated:
        text = "Offline. The time left is an estimate. Your answers are saved here."
        return Notice(text, "Offline: time is an estimate", Severity.WARNING)
    text = f"Offline for {spoken(_stepped(silence))}. Continue: answers are saved and sent later."
    return Notice(text, "Offline: continue, saved here", Severity.WARNING)


def _stepped(silence: float) -> float:
    return max(1, int(silence) // 10 * 10) if silence < 60 else int(silence) // 60 * 60


# Where we are.


def group_of(session: Session, item: Item) -> str:
    if item.section is not None and item.section < len(session.sections):
        return session.sections[item.section].name
    return item.subject


def headed(session: Session) -> bool:
    """Return whether lists get headings: always for sections, and for subjects that are long and not mixed."""
    if session.sections or not session.items:
        return bool(session.sections)
    runs = [subject for subject, _ in groupby(item.subject for item in session.items)]
    return len(runs) == len(set(runs)) and len(session.items) >= 5 * len(runs)


def group_name(session: Session) -> str:
    """Return the name of the question's section or subject, cut to fit beside the title, or ""."""
    return fitted(group_of(session, session.item), _LONGEST_NAME) if session.items else ""


@frozen
class Tab:
    text: str
    current: bool
    locked: bool


def tabs(session: Session) -> tuple[Tab, ...]:
    """Return the sections in order. A single section gives no tabs."""
    if len(session.sections) < 2:
        return ()
    states: dict[str | None, str] = {AttemptState.COMPLETED: " (ended)", AttemptState.NOT_STARTED: " (locked)"}
    return tuple(
        Tab(
            section.name + (states.get(section.state, "") if session.locked else ""),
            current=session.item.section == place,
            locked=session.locked and section.state is not AttemptState.RUNNING,
        )
        for place, section in enumerate(session.sections)
    )


def why_closed(session: Session, place: int) -> str:
    """Return why the questions of a section cannot be shown, or "" if they can. Those of an ended one may be there."""
    section = session.sections[place]
    if session.was_read(place):
        return ""
    name = fitted(section.name, _LONGEST_NAME)
    if section.state is AttemptState.COMPLETED:
        return f"{name} has ended. You cannot open it again."
    how = "has ended" if session.preemptive else "has ended with its time"
    return f"{name} opens when the section before it {how}."


def marks(exam: Exam | None) -> str:
    """Return the marks for a correct and an incorrect answer, such as `+4 −1`, or "" if they are unknown or differ."""
    if exam is None or exam.variable_mark_per_question or exam.mark_per_question is None:
        return ""
    loss = abs(exam.negative_marks or Decimal())
    gain = f"+{exam.mark_per_question.normalize():f}"
    return f"{gain} −{loss.normalize():f}" if loss else gain


def no_further(session: Session, *, forward: bool, end_key: str, section_key: str) -> tuple[str, str]:
    """Return why there is no next or previous question, and what to press. The second text is for a narrow window."""
    if not forward:
        return ("This is the first question.",) * 2
    short = "This is the last question."
    if not session.editable:
        return short, short
    if session.more_sections:
        how = f"{section_key} ends the section." if session.preemptive else "It ends with its time."
        return f"This is the last question of the section. {how}", short
    return f"{short} {end_key} ends the exam.", short


def no_question(session: Session, number: int) -> str:
    """Return why no question of this number can be shown."""
    if 1 <= number < session.first_number:
        return f"Question {number} is in a section that has ended."
    if 1 <= number <= session.size and session.more_sections:
        return f"Question {number} is in a section that is not open yet."
    return f"There is no question {number}."


def all_answered(session: Session) -> str:
    """Return what to say where no question without an answer is left."""
    if session.running_section is not None:
        return "Every question of this section has an answer."
    return "Every question has an answer."


def note(item: Item, switch_key: str = "") -> str:
    """Return the note about a refused answer, or about the answers of two devices.

    `switch_key` is the key that chooses the other answer. It is "" if the other answer cannot be chosen.
    """
    if item.refused:
        return f"not accepted: {item.refused}"
    if item.other_answer is None:
        return ""
    letters = [LETTERS[place] for place, option in enumerate(item.options[:26]) if option in item.other_answer.selected]
    other = (
        " ".join(letters) or item.other_answer.short_text or ("an answer" if item.other_answer.given else "no answer")
    )
    switch = f" ({switch_key}: switch)" if switch_key else ""
    if item.theirs:
        return f"the answer from your other device counts. Here you gave {other}{switch}"
    counts = "not sent yet" if item.unsent else "your answer here counts"
    return f"{counts}. Your other device gave {other}{switch}"


def given_text(item: Item) -> tuple[str, ...]:
    """Return the answer to a question that can only be viewed, as it was sent."""
    answer = item.answer
    lines = [answer.essay_topic or "", answer.short_text or "", answer.essay_text or ""]
    lines += [f"{order}: {in_words(text)}" for order, text in answer.gaps]
    return tuple(line for line in lines if line)
