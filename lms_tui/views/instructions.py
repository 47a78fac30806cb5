"""The instructions of an exam, and its most important keys (pure)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.views import format as say
from lms_tui.views.attempts import describe
from lms_tui.views.rows import EMPTY, Row, padded, row, strong, wrapped
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.base import parse_duration
from lms_tui.wire.exams import Exam, ListedExam, SingleExam

CODE_WANTED: Final = "Type the access code that you were given for this exam."


@frozen
class AidKeys:
    """How a student opens each aid in the exam, as the middle of a sentence: `press F`, `type sheet`."""

    calculator: str
    sheet: str


def instructions_of(exam: Exam, aid_keys: AidKeys, attempts: Sequence[Attempt] = ()) -> list[tuple[str, str]]:
    """Return the heading and the text of each instruction."""
    saved = "Every answer is saved on this computer and sent as soon as the network allows."
    when = "before the time is over" if exam.duration else "whenever you like"
    found = [
        ("Time", _time(exam)),
        ("Marks", _marks(exam)),
        ("Sections", _sections(exam)),
        ("Aids", _aids(exam, aid_keys)),
        ("Access", "You need an access code to start." if asks_for_code(exam) else ""),
        ("Time over", _time_over(exam)),
        ("Leaving", f"{saved} You can leave and resume {when}."),
        ("Retakes", _retakes(exam, attempts)),
        ("Feedback", _feedback(exam)),
        ("Afterwards", "You can review every question with its correct answer." if exam.show_answers else ""),
    ]
    return [(heading, text) for heading, text in found if text]


def time_limit(exam: Exam) -> str:
    """Return the time limit of the student in words, "" without one."""
    own = exam.own_time if isinstance(exam, ListedExam) else ""
    if own == "none" or not exam.duration:
        return ""
    usual, longer = say.duration(exam.duration), parse_duration(own)
    return f"{say.duration(longer)} (others have {usual})" if longer else usual


def _time(exam: Exam) -> str:
    count = say.counted(exam.number_of_questions, "question") if exam.number_of_questions else "The questions"
    limit = time_limit(exam)
    return f"{count} in {limit}. The clock starts when you start the exam." if limit else f"{count}, no time limit."


def _marks(exam: Exam) -> str:
    if exam.variable_mark_per_question:
        return "Each question shows its own marks."
    if exam.mark_per_question is None:
        return ""
    gain = f"A correct answer gives {_marks_of(exam.mark_per_question)}"
    if exam.negative_marks:
        loss = f"An incorrect answer costs {_marks_of(abs(exam.negative_marks))}."
        return f"{gain}. {loss} An unanswered question gives 0 marks."
    return f"{gain}. An incorrect answer costs nothing, so answer every question."


def _marks_of(marks: Decimal) -> str:
    return f"{say.number(marks)} {'mark' if marks == 1 else 'marks'}"


def _sections(exam: Exam) -> str:
    sections = exam.sections
    if len(sections) < 2:
        return ""
    timed = all(section.duration for section in sections)
    names = ", ".join(
        clean_line(section.name) + (f" ({say.duration(section.duration)})" if timed else "") for section in sections
    )
    if not timed:
        return f"{names}. You can move between the sections at any time."
    early = " You can end a section early." if exam.allow_preemptive_section_ending else ""
    return f"{names}. Each section has its own clock. You cannot return to an earlier section.{early}"


def _aids(exam: Exam, keys: AidKeys) -> str:
    """Return what the exam allows and how it opens, or "" where the server does not tell."""
    if not isinstance(exam, SingleExam) or not exam.calculator:
        return ""
    named = "A basic calculator (+ - * / % √)" if exam.calculator == "basic" else "A scientific calculator"
    calculator = "No calculator" if exam.calculator == "no" else f"{named}: {keys.calculator} in the exam"
    sheet = f"A reference sheet: {keys.sheet} in the exam" if exam.has_reference_sheet else "No reference sheet"
    return f"{calculator}. {sheet}."


def asks_for_code(exam: Exam | None) -> bool:
    """Return whether a person must type an access code to start the exam."""
    return isinstance(exam, SingleExam) and exam.needs_access_code


def _time_over(exam: Exam) -> str:
    if not exam.duration:
        return "The exam ends when you end it."
    return "Your answers are saved and sent, and the exam ends."


def _retakes(exam: Exam, attempts: Sequence[Attempt]) -> str:
    counts = [a.remaining_attempts for a in attempts if a.remaining_attempts is not None and a.remaining_attempts >= 0]
    if counts:
        left = min(counts)
        return f"You can take this exam {say.counted(left, 'more time')}." if left else "You have no attempts left."
    if not exam.allow_retake:
        return "You have one attempt."
    if exam.max_retakes is None or exam.max_retakes < 0:
        return "You can take this exam as often as you like."
    return f"You can take this exam again {'once' if exam.max_retakes == 1 else say.counted(exam.max_retakes, 'time')}."


def _feedback(exam: Exam) -> str:
    """Return why an exam with immediate feedback gives none: the API has no keys in a running attempt."""
    if not exam.immediate_feedback:
        return ""
    reason = "This exam is set to show each correct answer at once, but the server sends no answers before the end."
    return f"{reason} The review shows them." if exam.show_answers else reason


def instruction_rows(exam: Exam, aid_keys: AidKeys, attempts: Sequence[Attempt], room: int) -> list[Row]:
    rows = describe(exam.description, room)
    label = 12 if room >= 44 else 0
    for heading, text in instructions_of(exam, aid_keys, attempts):
        if rows:
            rows.append(EMPTY)
        if not label:
            rows += [(strong(heading, "title"),), *wrapped(text, room)]
            continue
        for number, line in enumerate(wrapped(text, room - label)):
            rows.append((strong(padded(heading if not number else "", label), "title"), *line))
    return rows


def key_rows(keys: Sequence[tuple[str, str]], room: int) -> list[Row]:
    """`keys`: each key with its description."""
    wide = max(width(key) for key, _ in keys) + 2
    return [
        row((padded(key if not number else "", wide), "accent"), *line)
        for key, text in keys
        for number, line in enumerate(wrapped(text, room - wide))
    ]
