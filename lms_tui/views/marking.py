"""Marking by hand (pure)."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final

from lms_tui.common.cleaning import clean, clean_line
from lms_tui.content.html import parse
from lms_tui.content.layout import layout
from lms_tui.views import format as say
from lms_tui.views.listing import Column, Listing
from lms_tui.views.rows import EMPTY, Row, row, spans, strong, title_rows, wrapped
from lms_tui.wire.grading import AnswerToMark, Marker

MODES: Final = {
    Marker.FIRST: "First marks.",
    Marker.SECOND: "Second marks. Those of the first marker are hidden.",
    Marker.FINAL: "Final marks, in place of the first and the second ones.",
}
_PLACES: Final = Decimal("0.01")
_TEN: Final = 10


def name_of(answer: AnswerToMark, *, hidden: bool) -> str:
    return f"Attempt {answer.attempt}" if hidden else clean_line(answer.name or answer.username)


def listing(*, hidden: bool, marker: Marker = Marker.FIRST) -> Listing[AnswerToMark]:
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
            marks_words(answer, marker),
            "yes" if answer.is_released else "",
        ),
        (
            lambda answer: answer.attempt if hidden else name_of(answer, hidden=False).casefold(),
            lambda answer: -answer.question,
            lambda answer: marks_of(answer, marker),
            lambda answer: str(answer.is_released),
        ),
        look=lambda answer: "dim" if is_marked(answer, marker) else "accent",
    )


def marks_of(answer: AnswerToMark, marker: Marker) -> Decimal | None:
    return answer.second_marks if marker is Marker.SECOND else answer.marks


def is_marked(answer: AnswerToMark, marker: Marker = Marker.FIRST) -> bool:
    """Return whether this marker has marked the answer, or does not need to."""
    if marker is Marker.FINAL:
        return answer.second_marks is None
    waits_for_first = marker is Marker.SECOND and (answer.marks is None or answer.is_released)
    return marks_of(answer, marker) is not None or answer.automatic or waits_for_first


def marks_words(answer: AnswerToMark, marker: Marker = Marker.FIRST) -> str:
    """Return `3/5`, and `3|4/5` with the second marks for who gives final marks."""
    second = f"|{say.number(answer.second_marks)}" if marker is Marker.FINAL and answer.second_marks is not None else ""
    return f"{say.number(marks_of(answer, marker))}{second}/{say.number(answer.max_marks)}"


def ordered(answers: Iterable[AnswerToMark], *, by_student: bool) -> list[AnswerToMark]:
    """Return answers question by question, or student by student."""
    if by_student:
        return sorted(answers, key=lambda answer: (answer.attempt, answer.question))
    return sorted(answers, key=lambda answer: (answer.question, answer.attempt))


def next_unmarked(answers: Sequence[AnswerToMark], after: str, marker: Marker = Marker.FIRST) -> str:
    """Return the key of the next answer without marks, from the beginning after the last one, "" if there is none."""
    place = next((number for number, answer in enumerate(answers, 1) if str(answer.id) == after), 0)
    return next(
        (str(answer.id) for answer in [*answers[place:], *answers[:place]] if not is_marked(answer, marker)), ""
    )


def summary(answers: Iterable[AnswerToMark], marker: Marker = Marker.FIRST) -> str:
    """Return how far the marking is: `2 of 5 marked · 1 not released`."""
    found = list(answers)
    if marker is Marker.SECOND:
        return f"{sum(answer.second_marks is not None for answer in found)} of {len(found)} with second marks"
    marked = [answer for answer in found if answer.marks is not None]
    waiting = sum(not answer.is_released for answer in marked)
    return f"{len(marked)} of {len(found)} marked" + (f" · {waiting} not released" if waiting else "")


def words_of_range(answer: AnswerToMark) -> str:
    """Return which marks can be typed for an answer."""
    points = ", or the points of each criterion, such as 2+1.5" if answer.rubric else ""
    return f"0 to {say.number(answer.max_marks)} marks, such as 3.5{points}"


def _marks_rows(answer: AnswerToMark, room: int, marker: Marker) -> list[Row]:
    if marker is Marker.SECOND:
        return wrapped(f"Second marks: {marks_words(answer, marker)}. The first marks are hidden.", room, "accent")
    if answer.marks is None:
        automatic = "Marked automatically. Other marks need a reason." if answer.automatic else "No marks yet."
        return wrapped(f"0 to {say.number(answer.max_marks)} marks. {automatic}", room, "accent")
    shown = "Students see these marks." if answer.is_released else "Students do not see these marks yet."
    return wrapped(f"{marks_words(answer)} marks. {shown}", room, "good")


def details(answer: AnswerToMark, room: int, *, hidden: bool, marker: Marker = Marker.FIRST) -> list[Row]:
    """Return the answer and its marks, with the question below."""
    rows = [*title_rows(f"Question {answer.question} · {name_of(answer, hidden=hidden)}", room)]
    rows += _marks_rows(answer, room, marker)
    if marker is Marker.FINAL and answer.second_marks is not None:
        rows += wrapped(
            f"Second marks: {marks_words(answer, Marker.SECOND)}. Final marks replace both.", room, "accent"
        )
    if answer.rubric:
        criteria = ", ".join(f"{clean_line(each.criterion)} {say.number(each.points)}" for each in answer.rubric)
        rows += wrapped(f"Rubric: {criteria}. Type the points of each, such as 2+1.5.", room, "dim")
    if marker is not Marker.SECOND:
        points, comment = parts_of_comment(answer)
        rows += wrapped(f"Points: {clean_line(points)}", room, "dim") if points else []
        rows += wrapped(f"Comment: {clean_line(comment)}", room, "dim") if comment else []
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


def typed_points(text: str) -> tuple[Decimal, ...]:
    """Read points of criteria such as 2+1.5. Return none for anything else."""
    found = [typed_marks(part) for part in text.split("+")] if "+" in text else []
    points = tuple(one for one in found if one is not None)
    return points if len(points) == len(found) else ()


def fault_of_marks(answer: AnswerToMark, text: str) -> str:
    """Return why the typed marks or points do not fit the answer, "" if they do."""
    points, marks = typed_points(text), typed_marks(text)
    if points:
        return "" if _fit_rubric(answer, points) else _words_of_points(answer)
    if marks is None:
        return "Type marks such as 3 or 3.5, with at most two decimals."
    if answer.automatic:
        return ""  # such a question may have negative marks, which the service knows
    if marks < 0 or (answer.max_marks is not None and marks > answer.max_marks):
        return f"Type marks from 0 to {say.number(answer.max_marks)}."
    return ""


def _fit_rubric(answer: AnswerToMark, points: Sequence[Decimal]) -> bool:
    most = [criterion.points or Decimal() for criterion in answer.rubric]
    return len(points) == len(most) and all(0 <= given <= top for given, top in zip(points, most, strict=True))


def _words_of_points(answer: AnswerToMark) -> str:
    if not answer.rubric:
        return "This question has no rubric. Type its marks as one number."
    limits = ", ".join(f"{clean_line(each.criterion)} 0 to {say.number(each.points)}" for each in answer.rubric)
    return f"Type one number for each criterion: {limits}."


def digit_is_all(answer: AnswerToMark) -> bool:
    """Return whether one digit can be all of the marks: points of criteria and marks from 10 have more to type."""
    return not answer.rubric and (answer.max_marks is None or answer.max_marks < _TEN)


def parts_of_comment(answer: AnswerToMark) -> tuple[str, str]:
    """Return the line with the points of the rubric, which the service puts first, and the comment of the marker."""
    first, _, rest = answer.comment.partition("\n")
    points = " · ".join(rf"{re.escape(each.criterion)} [0-9.]+/[0-9.]+" for each in answer.rubric)
    return (first, rest) if points and re.fullmatch(points, first) else ("", answer.comment)


def fault_of_difference(text: str) -> str:
    marks = typed_marks(text)
    return "" if not text or (marks is not None and marks >= 0) else "Type a difference such as 1 or 1.5, or nothing."


def fault_of_reason(text: str) -> str:
    return "" if text else "Type why the automatic marks are wrong."


def fault_of_number(text: str) -> str:
    return "" if not text or (text.isascii() and text.isdecimal() and int(text[:6]) > 0) else "Type a number."
