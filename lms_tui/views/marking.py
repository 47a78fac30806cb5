"""Marking by hand (pure)."""

from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.views import format as say
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, row, spans, strong, title_rows, wrapped
from lms_tui.wire.grading import AnswerToMark

_PLACES: Final = Decimal("0.01")


def name_of(answer: AnswerToMark, *, hidden: bool) -> str:
    return f"Attempt {answer.attempt}" if hidden else clean_line(answer.name or answer.username)


def listing(*, hidden: bool) -> Listing[AnswerToMark]:
    """Return the columns of the answers. `hidden`: with the number of the attempt in place of the name."""
    return Listing(
        "Student",
        (
            Column("question", 8, 26, right=True),
            Column("marks", 11, 36, right=True),
            Column("shown", 5, 46, right=True),
        ),
        lambda answer: (
            name_of(answer, hidden=hidden),
            str(answer.question),
            marks_words(answer),
            "yes" if answer.is_released else "",
        ),
        (
            lambda answer: answer.attempt if hidden else name_of(answer, hidden=False).casefold(),
            lambda answer: -answer.question,
            lambda answer: answer.marks,
            lambda answer: str(answer.is_released),
        ),
        look=lambda answer: "dim" if is_marked(answer) else "accent",
    )


def is_marked(answer: AnswerToMark) -> bool:
    """Return whether a person has marked the answer, or none needs to."""
    return answer.marks is not None or answer.automatic


def marks_words(answer: AnswerToMark) -> str:
    return f"{say.number(answer.marks)}/{say.number(answer.max_marks)}"


def ordered(answers: Iterable[AnswerToMark], *, by_student: bool) -> list[AnswerToMark]:
    """Return answers question by question, or student by student."""
    if by_student:
        return sorted(answers, key=lambda answer: (answer.attempt, answer.question))
    return sorted(answers, key=lambda answer: (answer.question, answer.attempt))


def next_unmarked(answers: Sequence[AnswerToMark], after: str) -> str:
    """Return the key of the next answer without marks, from the beginning after the last one, "" if there is none."""
    place = next((number for number, answer in enumerate(answers, 1) if str(answer.id) == after), 0)
    return next((str(answer.id) for answer in [*answers[place:], *answers[:place]] if not is_marked(answer)), "")


def summary(answers: Iterable[AnswerToMark]) -> str:
    """Return how far the marking is: `2 of 5 marked · 1 not released`."""
    found = list(answers)
    marked = [answer for answer in found if answer.marks is not None]
    waiting = sum(not answer.is_released for answer in marked)
    return f"{len(marked)} of {len(found)} marked" + (f" · {waiting} not released" if waiting else "")


def details(answer: AnswerToMark, room: int, *, hidden: bool) -> list[Row]:
    """Return the answer and its marks, with the question below."""
    shown = "Students see these marks." if answer.is_released else "Students do not see these marks yet."
    rows = [*title_rows(f"Question {answer.question} · {name_of(answer, hidden=hidden)}", room)]
    if answer.marks is None:
        automatic = "Marked automatically. Other marks need a reason." if answer.automatic else "No marks yet."
        rows += wrapped(f"0 to {say.number(answer.max_marks)} marks. {automatic}", room, "accent")
    else:
        rows += wrapped(f"{marks_words(answer)} marks. {shown}", room, "good")
    if answer.comment:
        rows += wrapped(f"Comment: {clean_line(answer.comment)}", room, "dim")
    rows += [EMPTY, row(strong("Answer")), *wrapped(clean(answer.answer) or "A file, which is not shown here.", room)]
    question = [spans(line.runs) for line in layout(parse(answer.question_html), room)]
    return [*rows, EMPTY, row(strong("Question")), *question]


def typed_marks(text: str) -> Decimal | None:
    """Read marks such as 3, 3.5 or 3,5. Return None for anything else."""
    try:
        marks = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return marks if marks.is_finite() and abs(marks) < 10**9 and marks == marks.quantize(_PLACES) else None


def fault_of_marks(text: str) -> str:
    return "" if typed_marks(text) is not None else "Type marks such as 3 or 3.5, with at most two decimals."


def fault_of_reason(text: str) -> str:
    return "" if text else "Type why the automatic marks are wrong."


def fault_of_number(text: str) -> str:
    return "" if not text or (text.isascii() and text.isdecimal() and int(text[:6]) > 0) else "Type a number."
