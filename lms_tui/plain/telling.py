"""What is said while an exam runs: a question, what became of an answer, how things stand (pure)."""

from collections.abc import Sequence

from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item
from lms_tui.cleaning import clean, clean_line
from lms_tui.content.html import parse
from lms_tui.plain import typed
from lms_tui.plain.speech import gaps_in, told
from lms_tui.tui.presenters import runner as present
from lms_tui.wire.attempts import AttemptQuestion


def question(session: Session, item: Item, asked: AttemptQuestion) -> list[str]:
    """Everything of one question, with what is chosen or how to answer as the last line."""
    kind = present.KINDS.get(item.kind, f"type {clean_line(item.kind)}")
    group = clean_line(present.group_of(session, item))
    parts = [f"Question {item.number} of {len(session.items)}.", f"{group}." if group else "", f"{kind.capitalize()}."]
    parts += ["Marked for review."] if item.answer.marked else []
    lines = [" ".join(part for part in parts if part)]
    direction = asked.question.direction or ""
    if direction.strip():
        lines += ["To be read first:", *told(direction), "The question:"]
    return [*lines, *told(asked.question.question_html), *options(item, asked), chosen(item)]


def options(item: Item, asked: AttemptQuestion) -> list[str]:
    """The options, or the blanks, that there are."""
    if item.kind in typed.CHOICES:
        return [
            f"{_letter(place)}: {' '.join(told(option.text_html)) or '(nothing)'}"
            for place, option in enumerate(asked.question.answers)
        ]
    blanks = gaps_in(parse(asked.question.question_html)) if item.kind == "G" else ()
    return [f"Blanks: {', '.join(map(str, blanks))}."] if blanks else []


def _letter(place: int) -> str:
    return typed.LETTERS[place] if place < len(typed.LETTERS) else str(place + 1)


def chosen(item: Item) -> str:
    answer = item.answer
    if not answer.given:
        return f"Not answered. {typed.how_to_answer(item.kind, len(item.options))}"
    if answer.selected:
        letters = [_letter(place) for place, option in enumerate(item.options) if option in answer.selected]
        return f"Chosen: {' and '.join(letters) or 'an option that is not shown'}."
    return f"Your answer: {'; '.join(clean(line) for line in present.given_text(item))}"


def confirmation(session: Session, question_id: int) -> str:
    """What now stands, and whether this computer has it."""
    item = session.items[session.places[question_id]]
    said = chosen(item) if item.answer.given else "No answer."
    mark = " Marked for review." if item.answer.marked else ""
    kept = "Saved." if item.here >= item.latest else f"Not saved on this computer: {session.journal_trouble}"
    return f"Question {item.number}. {said}{mark} {kept}"


def time(left: float | None) -> str:
    return "There is no time limit." if left is None else f"{present.spoken(left)} left."


def saved(session: Session, silence: float) -> list[str]:
    """`silence`: seconds since the server was last heard."""
    counts = present.tally(session)
    line = f"{counts.here} saved here, {counts.there} on the server, which was last heard {present.age(silence)}."
    return [line, *(present.not_accepted(session) if counts.refused else ())]


def overview(session: Session) -> list[str]:
    """Counts, then the questions of each kind: quicker to hear than a list of them all."""
    kinds = {
        "Answered": [item.number for item in session.items if item.answer.given],
        "Marked for review": [item.number for item in session.items if item.answer.marked],
        "Not answered": [item.number for item in session.items if not item.answer.given],
    }
    return [f"{name}: {len(numbers)}. {ranges(numbers)}".strip() for name, numbers in kinds.items()]


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
    for order, meaning in typed.MEANINGS.items():
        letter = typed.SHORTER.get(order, "")
        lines.append(f"{order.value}{f', or {letter}' if letter else ''}: {meaning}.")
    return lines
