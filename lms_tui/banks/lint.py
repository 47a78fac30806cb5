"""Check the keys and times of an exam."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal

from lms_tui.banks.model import Exam, Finding, Option, Question, Section, Severity
from lms_tui.banks.texts import GAP, told, unescaped
from lms_tui.common.cleaning import clean_line
from lms_tui.wire.question_types import QuestionType

Problem = tuple[Severity, str]


def lint_keys(exam: Exam) -> Iterator[Finding]:
    """Check keys and identifiers. This is fast and runs for every exam that is read."""
    seen: set[str] = set()
    for number, question in enumerate(exam.questions, 1):
        for severity, message in question_problems(question):
            yield Finding(severity, message, question.line, number)
        points = sum((each.points for each in question.rubric), Decimal(0))
        if question.rubric and points != exam.marks_of(question):
            message = (
                f"The points of its rubric add up to {told(points)}, and its marks are {told(exam.marks_of(question))}."
            )
            yield Finding(Severity.ERROR, message, question.line, number)
        if not exam.marks_of(question):
            yield Finding(Severity.WARNING, "It has 0 marks, so answers to it do not count.", question.line, number)
        if question.identifier in seen:
            message = f"The id “{clean_line(question.identifier)}” is used by an earlier question too."
            yield Finding(Severity.WARNING, message, question.line, number)
        seen.update({question.identifier} - {""})


def lint_pools(exam: Exam) -> Iterator[Finding]:
    """Check that a student can reach the same marks with each draw."""
    for pool in range(1, len(exam.picks) + 1):
        of_pool = [question for question in exam.questions if question.pool == pool]
        if len({(exam.marks_of(each), each.negative_marks) for each in of_pool}) > 1:
            message = "The questions of this pick have different marks, so students can reach different totals."
            yield Finding(Severity.WARNING, message, of_pool[0].line)


# --- keys -----------------------------------------------------------------------------------------------------------


def question_problems(question: Question) -> Iterator[Problem]:
    """Yield the problems with the answers of a question."""
    if not question.html.strip():
        yield Severity.WARNING, "The question has no text."
    match question.kind:
        case QuestionType.SINGLE | QuestionType.MULTIPLE:
            yield from _of_options(question)
        case QuestionType.SHORT if not any(key.weight > 0 for key in question.texts):
            yield Severity.ERROR, "No answer is marked as correct."
        case QuestionType.NUMERIC if not any(key.weight > 0 for key in question.numbers):
            yield Severity.ERROR, "No answer is marked as correct."
        case QuestionType.GAPS:
            yield from _of_gaps(question)
        case QuestionType.MATCH:
            yield from _of_pairs(question)
        case _:
            pass


def _of_options(question: Question) -> Iterator[Problem]:
    options = question.options
    right = [option for option in options if option.correct]
    if not right:
        yield Severity.ERROR, "No answer is marked as correct."
    if question.kind is QuestionType.SINGLE and len(right) > 1:
        yield (
            Severity.WARNING,
            "Several answers are marked as correct, but students can choose only one. Any of them is accepted.",
        )
    if len(options) == 1:
        yield Severity.WARNING, "There is only one answer to choose."
    if any(not option.html.strip() for option in options):
        yield Severity.WARNING, "An answer has no text."
    if _repeats(option.html for option in options):
        yield Severity.WARNING, "Two answers are the same."
    if question.kind is QuestionType.MULTIPLE:
        yield from _of_shares(right)


def _of_shares(right: Sequence[Option]) -> Iterator[Problem]:
    weights = [option.weight for option in right if option.weight is not None]
    if not weights:
        return
    total = sum(weights, Decimal(0))
    if abs(total - 1) > Decimal("0.01"):
        yield Severity.WARNING, f"The weights of the correct answers add up to {_percent(total)} %, not to 100 %."


def _of_gaps(question: Question) -> Iterator[Problem]:
    written = {int(found[1]) for found in GAP.finditer(question.html)}
    keyed = {key.gap for key in question.texts if key.weight > 0}
    keyed |= {key.gap for key in question.numbers if key.weight > 0}
    for gap in sorted(written - keyed):
        yield Severity.ERROR, f"Gap {gap} has no correct answer."
    for gap in sorted(keyed - written):
        yield Severity.WARNING, f"Gap {gap} has an answer but is not in the text."
    for gap, choices in enumerate(question.gap_choices, 1):
        keys = [unescaped(key.text) for key in question.texts_of(gap) if key.weight > 0]
        if choices and keys and not set(keys) & set(choices):
            yield Severity.ERROR, f"The correct answer of gap {gap} is not among its choices."
        if _repeats(choices):
            yield Severity.WARNING, f"Two choices of gap {gap} are the same."


def _of_pairs(question: Question) -> Iterator[Problem]:
    if not any(pair.left_html.strip() for pair in question.pairs):
        yield Severity.ERROR, "There is nothing to match."
    elif len({pair.right for pair in question.pairs}) < 2:
        yield Severity.WARNING, "All right sides are the same, so there is no choice."
    if _repeats(pair.left_html for pair in question.pairs if pair.left_html):
        yield Severity.WARNING, "Two left sides are the same."


def _percent(share: Decimal) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".")


def _repeats(texts: Iterable[str]) -> bool:
    seen = [" ".join(text.split()) for text in texts]
    return len(set(seen)) < len(seen)


# --- times ----------------------------------------------------------------------------------------------------------


def lint_times(exam: Exam, window: timedelta | None = None) -> Iterator[Finding]:
    """Check durations and cut-offs. `window` is the time in which the exam is open, if known."""
    whole = exam.duration
    if window is not None and whole is not None and whole > window:
        message = f"The exam takes {_time(whole)} and is open for {_time(window)} only."
        yield Finding(Severity.WARNING, message)
    spent = timedelta()
    for section in exam.sections:
        if not section.questions and not section.draws:
            yield Finding(Severity.WARNING, f"The section {_named(section)} has no question.")
        if whole is not None and spent >= whole and len(exam.sections) > 1:
            message = (
                f"The section {_named(section)} cannot be reached, because the sections before it use all the time."
            )
            yield Finding(Severity.WARNING, message)
        elif whole is not None and section.duration is not None and section.duration > whole:
            message = (
                f"The section {_named(section)} takes {_time(section.duration)}, longer than the exam’s {_time(whole)}."
            )
            yield Finding(Severity.WARNING, message)
        spent += section.duration or timedelta()
        marks = sum(map(exam.marks_of, section.questions), Decimal(0))
        if section.cut_off > marks:
            message = (
                f"The cut-off of the section {_named(section)} is {section.cut_off}, more than its {told(marks)} marks."
            )
            yield Finding(Severity.WARNING, message)


def _named(section: Section) -> str:
    return f"“{clean_line(section.name)[:60]}”"


def _time(duration: timedelta) -> str:
    minutes = Decimal(str(duration.total_seconds())) / 60
    return f"{told(minutes)} min"
