"""The rules of an exam in plain words, and the keys to sit it with (pure)."""

from collections.abc import Sequence
from decimal import Decimal

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views.attempts import describe
from lms_tui.views.rows import EMPTY, Row, padded, row, strong, wrapped
from lms_tui.wire.attempts import Attempt
from lms_tui.wire.exams import Exam


def rules(exam: Exam, attempts: Sequence[Attempt] = ()) -> list[tuple[str, str]]:
    """Heading and sentence of each rule that this exam has."""
    told = [
        ("Time", _time(exam)),
        ("Marks", _marks(exam)),
        ("Sections", _sections(exam)),
        ("Time over", _time_over(exam)),
        ("Leaving", "Every answer is kept on this computer at once and sent as soon as the network allows. "
                    "You can leave, and resume before the time is over." if exam.duration else
                    "Every answer is kept on this computer at once and sent as soon as the network allows. "
                    "You can leave and resume whenever you like."),
        ("Retakes", _retakes(exam, attempts)),
        ("Afterwards", "You can look at every question with its right answer." if exam.show_answers else ""),
    ]  # fmt: skip
    return [(heading, text) for heading, text in told if text]


def _time(exam: Exam) -> str:
    count = say.counted(exam.number_of_questions, "question") if exam.number_of_questions else "The questions"
    if not exam.duration:
        return f"{count}, without a time limit."
    return f"{count} in {say.duration(exam.duration)}. The clock starts when you start the exam, not before."


def _marks(exam: Exam) -> str:
    if exam.variable_mark_per_question:
        return "Each question has marks of its own, shown beside it."
    if exam.mark_per_question is None:
        return ""
    right = f"A right answer gives {_marks_of(exam.mark_per_question)}"
    if exam.negative_marks:
        return f"{right}, a wrong one takes {say.number(abs(exam.negative_marks))} away, no answer changes nothing."
    return f"{right}. A wrong answer costs nothing, so answer every question."


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
        return f"{names}. You can go between them as you like."
    early = "You may end a section before its time." if exam.allow_preemptive_section_ending else ""
    return f"{names}. They follow one another, each with its own clock, and there is no way back. {early}".strip()


def _time_over(exam: Exam) -> str:
    if not exam.duration:
        return "Nothing ends the exam but you."
    return "What is on the screen is kept, everything is sent, and the exam ends by itself."


def _retakes(exam: Exam, attempts: Sequence[Attempt]) -> str:
    told = [a.remaining_attempts for a in attempts if a.remaining_attempts is not None and a.remaining_attempts >= 0]
    if told:
        left = min(told)
        return (
            f"You can take it {say.counted(left, 'more time')}." if left else "You have taken it as often as allowed."
        )
    if not exam.allow_retake:
        return "There is one attempt only."
    if exam.max_retakes is None or exam.max_retakes < 0:
        return "You can take it as often as you like."
    return f"You can take it again {say.counted(exam.max_retakes, 'time')}."


def rule_rows(exam: Exam, attempts: Sequence[Attempt], room: int) -> list[Row]:
    rows = describe(exam.description, room)
    label = 12 if room >= 44 else 0
    for heading, text in rules(exam, attempts):
        if rows:
            rows.append(EMPTY)
        if not label:
            rows += [(strong(heading, "title"),), *wrapped(text, room)]
            continue
        for number, line in enumerate(wrapped(text, room - label)):
            rows.append((strong(padded(heading if not number else "", label), "title"), *line))
    return rows


def key_rows(keys: Sequence[tuple[str, str]], room: int) -> list[Row]:
    """The most important keys of the exam. `keys`: each with the words that say what it does."""
    return [
        row((padded(key if not number else "", 10), "accent"), *line)
        for key, text in keys
        for number, line in enumerate(wrapped(text, room - 10))
    ]
