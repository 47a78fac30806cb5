"""The duration of an exam."""

from datetime import timedelta

from lms_tui.banks.model import Exam


def time_of(exam: Exam) -> timedelta | None:
    """Return the time limit, or None.

    Without a time limit of the exam it is the sum of the sections' limits, if two or more sections all have one.
    """
    sections = [section.duration for section in exam.sections if section.questions]
    given = [duration for duration in sections if duration]
    if given and len(given) == len(sections) and (len(given) > 1 or not exam.duration):
        return sum(given, timedelta())
    return exam.duration or None
