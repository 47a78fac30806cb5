"""How long an exam takes."""

from datetime import timedelta

from lms_tui.banks.model import Exam


def time_of(exam: Exam) -> timedelta | None:
    """All the time there is; None untimed. Two or more sections that all have a time follow one another."""
    sections = [section.duration for section in exam.sections if section.questions]
    given = [duration for duration in sections if duration]
    if given and len(given) == len(sections) and (len(given) > 1 or not exam.duration):
        return sum(given, timedelta())
    return exam.duration or None
