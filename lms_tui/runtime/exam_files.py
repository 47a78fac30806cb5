"""Exam files that the app opens itself."""

from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    from lms_tui.banks.model import Exam, Reading
    from lms_tui.runtime.dry_run import Request


class CannotOpenError(AdvisedError):
    """The app cannot be opened."""


def read_exam_file(file: Path, data: bytes) -> "tuple[Reading, str]":
    """Read the exam. Return it with a remark about its first error, or "". Raises NotAnExam and CannotOpenError."""
    from lms_tui.banks.reader import read_exam  # noqa: PLC0415 - the other commands that open the app read no exam

    name = clean_line(str(file))
    reading = read_exam(data, file.name)
    first = reading.errors[0] if reading.errors else None
    if reading.exam.draws:
        raise CannotOpenError(f"{name} draws from a question bank of an institute.", "Try a file of the bank.")
    if not reading.exam.questions:
        reason = f" ({first.message.rstrip('.')})" if first else ""
        raise CannotOpenError(f"{name} has no questions that can be answered{reason}.", "Correct the file.")
    if not first:
        return reading, ""
    count = "1 error" if len(reading.errors) == 1 else f"{len(reading.errors)} errors"
    where = f"line {first.line}: " if first.line else ""
    return reading, f"lms-tui: {name}: {count}. {where}{clean_line(first.message)}"


def packed_exam(request: "Request", data: bytes) -> tuple[bytes, str]:
    """Return the exam of a dry run as its service takes it, and a remark about its first error, or "".

    The exam itself does not stay in memory. The app gets its questions from the service.
    """
    from lms_tui.banks.exam_transfer import packed  # noqa: PLC0415 - after the service has been started

    reading, remark = read_exam_file(request.file, data)
    return packed(_with_times_of(request, reading.exam)), remark


def _with_times_of(request: "Request", exam: "Exam") -> "Exam":
    """Return the exam with the time limit of a dry run. Raises CannotOpenError where --at does not fit it."""
    from lms_tui.banks.times import time_of  # noqa: PLC0415 - the same

    if request.duration is not None:
        exam = exam.limited_to(request.duration)
    if request.left is not None:
        limit = time_of(exam)
        if limit is None:
            raise CannotOpenError("This exam has no time limit, so --at cannot shorten it.", "Leave out --at.")
        if request.left >= limit:
            raise CannotOpenError(f"The time limit is {limit}.", "Use --at with less time, such as 0:00:30.")
    return exam
