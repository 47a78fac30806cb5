"""The sentences of a running exam: questions, confirmations and counts (pure)."""

from collections.abc import Iterator, Sequence
from typing import Final

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item, Phase
from lms_tui.common.cleaning import clean, clean_line
from lms_tui.plain import typed_lines
from lms_tui.plain.speech import to_speech
from lms_tui.plain.typed_lines import Order
from lms_tui.views import ending
from lms_tui.views import runner as present
from lms_tui.views.answers import (
    UNKNOWN,
    AnswerForm,
    AnswerMode,
    form_of,
    matched_of,
    number_problem,
    why_read_only,
    written,
)
from lms_tui.views.format import LETTERS, letter, spoken
from lms_tui.views.overview import headings, waits
from lms_tui.wire.attempts import AttemptQuestion, ExamAids
from lms_tui.wire.question_types import QuestionType, label_of

_QUOTED: Final = 40
JOTTINGS: Final = {Order.NOTE: "Note", Order.SCRATCH: "Scratchpad"}


def question(session: Session, item: Item, asked: AttemptQuestion, passage: Sequence[str] = ()) -> list[str]:
    """One question after the lines of its passage. The last line is its answer, or how to answer it."""
    kind = label_of(item.kind) or f"type {clean_line(item.kind)}"
    group = clean_line(present.group_of(session, item))
    parts = [f"Question {item.number} of {session.size}.", f"{group}." if group else "", f"{kind.capitalize()}."]
    parts += ["Marked for review."] if item.answer.marked else []
    head = " ".join(part for part in parts if part)
    form = form_of(item.kind, asked.question)
    text = to_speech(asked.question.question_html)
    return [head, *passage, *text, *options(item, form), chosen(item, form)]


def options(item: Item, form: AnswerForm) -> list[str]:
    """The options, gaps or topics of a question."""
    lettered = [
        f"{letter(place)}: {' '.join(to_speech(html)) or '(nothing)'}" for place, html in enumerate(form.choices)
    ]
    match form.mode:
        case AnswerMode.GAPS:
            return [f"Blanks: {', '.join(form.fields)}."]
        case AnswerMode.MATCH:
            return ["Choices:", *lettered]
        case AnswerMode.ESSAY if lettered:
            return ["Topics:", *lettered]
        case AnswerMode.SHOWN:
            return [*lettered, why_read_only(item, form)]
        case _:
            return lettered


def chosen(item: Item, form: AnswerForm) -> str:
    """The present answer with warnings, or how to answer."""
    said = _answer(item)
    if not said:
        return f"Unanswered. {typed_lines.how_to_answer(item.kind, len(form.choices))}"
    odd = list(answer_problems(item, form))
    return " ".join([_ended(said), *odd]) if odd else said


def _answer(item: Item) -> str:
    answer = item.answer
    if answer.selected:
        letters = [letter(place) for place, option in enumerate(item.options) if option in answer.selected]
        return f"Chosen: {' and '.join(letters) or 'an option that is not shown'}."
    given = "; ".join(clean(line) for line in present.given_text(item))
    return f"Your answer: {given}" if given else ""


def answer_problems(item: Item, form: AnswerForm) -> Iterator[str]:
    """Warnings about the present answer, one sentence each. The answer is sent in any case."""
    if item.kind == QuestionType.NUMERIC and (trouble := number_problem(item.answer.short_text or "")):
        yield f"This is {trouble}."
    if form.mode is not AnswerMode.MATCH:
        return
    last = LETTERS[: len(form.texts)][-1]
    for field, place in zip(form.fields, matched_of(form, item.answer), strict=True):
        if place == UNKNOWN:
            given = clean_line(written(item.answer, field)).strip()
            if len(given) == 1:
                yield f"There is no {given} to choose for {field}: the letters are A to {last}."
            else:
                yield f"“{given[:_QUOTED]}” is not offered for {field}: type a letter from A to {last}."


def _ended(said: str) -> str:
    return said if said.endswith((".", "!", "?")) else f"{said}."


def confirmation(session: Session, question_id: int, form: AnswerForm) -> str:
    """Confirm an answer: its text, whether it is saved, and warnings."""
    item = session.items[session.places[question_id]]
    said = _answer(item) or "No answer."
    mark = " Marked for review." if item.answer.marked else ""
    kept = "Saved." if item.here >= item.latest else f"Not saved on this computer: {session.journal_trouble}"
    return " ".join([f"Question {item.number}. {_ended(said)}{mark} {kept}", *answer_problems(item, form)])


def time(left: float | None) -> str:
    return "There is no time limit." if left is None else f"{spoken(left)} left."


def saved(session: Session, silence: float) -> list[str]:
    """Say how many answers are saved and sent. `silence` is the time in seconds since the last reply of the server."""
    counts = present.tally(session)
    ago = "a moment ago" if silence < 10 else f"{spoken(int(silence))} ago"
    line = f"{counts.here} saved here, {counts.there} sent. The last reply of the server came {ago}."
    return [line, *(ending.not_accepted(session) if counts.refused else ())]


def overview(session: Session, noted: Sequence[int] = ()) -> list[str]:
    """Return the number and the questions of each state, and the sections. `noted` has the questions with a note."""
    items = session.known
    kinds = {
        "Answered": [item.number for item in items if item.answer.given],
        "Marked for review": [item.number for item in items if item.answer.marked],
        "Unanswered": [item.number for item in items if not item.answer.given],
        "Not seen": [item.number for item in items if not item.answer.visited],
        "Not sent": [item.number for item in items if waits(item)],
        "With a note": noted,
    }
    lines = [f"{name}: {len(numbers)}. {ranges(numbers)}".strip() for name, numbers in kinds.items()]
    if session.sections:
        found = headings(session)
        texts = (*found.ended, *found.named.values(), *found.later)
        lines += [f"{clean_line(text).replace(' · ', ', ')}." for text in texts]
    return lines


def sheet(known: ExamAids | None) -> list[str]:
    """The reference sheet of the exam. `known`: what the server has told."""
    if known is None:
        return ["The reference sheet has not been read yet. Try again."]
    if lines := to_speech(known.reference_sheet):
        return ["Reference sheet:", *lines, "End of the reference sheet."]
    return ["This exam has no reference sheet."]


def jotted(order: Order, text: str) -> list[str]:
    """A note or the scratchpad, line by line."""
    word = JOTTINGS[order]
    if not text:
        return [f"{word}: empty. To write: {order.value} and your words."]
    return [f"{word}:", *clean(text).split("\n")]


def ended(session: Session) -> list[str]:
    """Why the attempt is over, and the answers that the server does not have."""
    said = clean_line(session.reason) if session.phase is Phase.CLOSED else "The exam has ended."
    lines = ending.not_accepted(session)
    return (
        [said, "The server does not have these answers:", *lines]
        if lines
        else [f"{said} Every answer is on the server."]
    )


def ranges(numbers: Sequence[int]) -> str:
    """`1 to 4, 6, 9 to 10`."""
    parts: list[str] = []
    start: int | None = None
    for number, after in zip(numbers, [*numbers[1:], 0], strict=False):
        start = number if start is None else start
        if after != number + 1:
            parts.append(str(number) if start == number else f"{start} to {number}")
            start = None
    return ", ".join(parts)


def commands() -> list[str]:
    """One line for each command."""
    lines = []
    for order, meaning in typed_lines.MEANINGS.items():
        letter = typed_lines.SHORTER.get(order, "")
        lines.append(f"{order.value}{f', or {letter}' if letter else ''}: {meaning}.")
    return lines
