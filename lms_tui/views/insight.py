"""A result in words: strengths and weaknesses, accuracy and speed (pure)."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.views import format as say
from lms_tui.views.marks import time_given, unmarked
from lms_tui.views.outcomes import Outcome
from lms_tui.views.rows import EMPTY, Row, Span, wrapped
from lms_tui.views.subjects import without_parts
from lms_tui.wire.attempts import Attempt, SubjectAnalytics

STRONG: Final = 0.75
WEAK: Final = 0.5
_FEWEST: Final = 2
"""Least questions of a subject for a judgement."""
_SHOWN: Final = 3


def subject_words(subjects: Sequence[SubjectAnalytics], room: int) -> list[Row]:
    """The best and the weakest subjects by their share of correct answers. Subjects without parts count."""
    ranked = _ranked(subjects)
    if not ranked:
        return wrapped("No subject has enough questions to compare.", room, "dim")
    strong = [s for s in ranked if s.correct / judged_of(s) >= STRONG][:_SHOWN]
    weak = [s for s in reversed(ranked) if s.correct / judged_of(s) <= WEAK][:_SHOWN]
    if not weak and ranked[-1] not in strong:
        weak = [ranked[-1]]
    rows: list[Row] = []
    for subject in strong:
        rows += _marked_text("✓ ", "good", f"{clean_line(subject.name)}: {share_words(subject)}", room)
    if strong and weak:
        rows.append(EMPTY)
    for subject in weak:
        rows += _marked_text("✗ ", "bad", f"{clean_line(subject.name)}: {_reason(subject)}", room)
    return rows


def _ranked(subjects: Sequence[SubjectAnalytics]) -> list[SubjectAnalytics]:
    """Subjects without parts by their share of correct answers, the best first."""
    asked = [s for s in without_parts(subjects) if judged_of(s) >= _FEWEST]
    return sorted(asked, key=lambda s: (-s.correct / judged_of(s), -s.total))


def weakest(subjects: Sequence[SubjectAnalytics]) -> SubjectAnalytics | None:
    """The subject with the smallest share of correct answers, None if there are not two to compare."""
    ranked = _ranked(subjects)
    return ranked[-1] if len(ranked) > 1 and ranked[-1].correct < judged_of(ranked[-1]) else None


def judged_of(subject: SubjectAnalytics) -> int:
    """Count the questions that are marked or unanswered."""
    return subject.correct + subject.incorrect + subject.unanswered


def share_words(subject: SubjectAnalytics) -> str:
    """For example `14 of 25 correct`."""
    return f"{subject.correct} of {judged_of(subject)} correct"


def _reason(subject: SubjectAnalytics) -> str:
    left, incorrect = subject.unanswered, subject.incorrect
    if left > incorrect:
        return f"{share_words(subject)}, {left} unanswered"
    return share_words(subject) + (f", {incorrect} incorrect" if incorrect else "")


def _marked_text(sign: str, look: str, text: str, room: int) -> list[Row]:
    lines = wrapped(text, max(4, room - len(sign)))
    return [(Span(sign if not number else " " * len(sign), look), *line) for number, line in enumerate(lines)]


def pace_rows(attempt: Attempt, room: int, partly: int = 0) -> list[Row]:
    """Accuracy and speed as sentences, with advice. `partly`: number of partly correct answers."""
    judged, waiting = attempt.correct_count + attempt.incorrect_count, unmarked(attempt)
    texts: list[str] = []
    if judged:
        accuracy = attempt.accuracy if attempt.accuracy is not None else 100 * attempt.correct_count / judged
        correct = _correct_words(attempt.correct_count, judged, waiting)
        texts.append(f"Accuracy {say.percent(round(accuracy))}: {correct}.")
    elif waiting:
        texts.append("No answer is marked yet.")
    if attempt.speed:
        each = f"{say.seconds(3600 / attempt.speed)} per answer{_allowed(attempt)}"
        texts.append(f"Speed {say.counted(round(attempt.speed), 'question')} per hour: {each}.")
    if cost := _cost(attempt, partly):
        texts.append(cost)
    if advice := _advice(attempt, judged):
        texts.append(advice)
    if not texts:
        return wrapped("You answered no question.", room, "dim")
    rows: list[Row] = []
    for number, text in enumerate(texts):
        rows += [*([EMPTY] if number else []), *wrapped(text, room)]
    return rows


def _correct_words(correct: int, judged: int, waiting: int) -> str:
    """`4 of the 6 questions you answered were correct`. `waiting`: number of answers that are not marked yet."""
    if judged == 1:
        whose = "the answer that is marked" if waiting else "the question you answered"
        return f"{whose} was {'correct' if correct else 'not correct'}"
    whose = "answers that are marked" if waiting else "questions you answered"
    return f"{correct} of the {judged} {whose} {'was' if correct == 1 else 'were'} correct"


def _allowed(attempt: Attempt) -> str:
    given, questions = time_given(attempt), attempt.exam.number_of_questions
    if not given or not questions:
        return ""
    return f"; the exam allows {say.seconds(given.total_seconds() / questions)}"


def _cost(attempt: Attempt, partly: int) -> str:
    """Say how many marks answers that are not correct cost. "" if the score shows that some of them cost less."""
    exam, incorrect = attempt.exam, attempt.incorrect_count
    if exam.variable_mark_per_question or not exam.negative_marks or not incorrect:
        return ""
    lost = abs(exam.negative_marks) * incorrect
    if exam.mark_per_question and attempt.score not in {None, attempt.correct_count * exam.mark_per_question - lost}:
        return ""
    partly = partly if partly <= incorrect else 0  # the server counts them in another way
    counts = ((incorrect - partly, "incorrect"), (partly, Outcome.PARTLY))
    kinds = " and ".join(f"{count} {kind}" for count, kind in counts if count)
    answers, marks = "answer" if incorrect == 1 else "answers", "mark" if lost == Decimal(1) else "marks"
    return f"{kinds} {answers} cost you {say.number(lost)} {marks}."


def _advice(attempt: Attempt, judged: int) -> str:
    given = time_given(attempt)
    answered = judged + unmarked(attempt)
    if judged < 5 or not given or not attempt.time_taken:
        return ""
    spent = attempt.time_taken / given
    share = attempt.correct_count / judged
    if spent < 0.75 and share < 0.6:
        return "You had time left and many incorrect answers. Check your answers before you end the exam."
    if spent < 0.75 and attempt.unanswered_count > answered // 4:
        return "You had time left and unanswered questions. Go back to them before you end the exam."
    if spent > 0.9 and attempt.unanswered_count > answered // 4:
        return "You ran short of time. Leave a long question and come back to it later."
    return ""
