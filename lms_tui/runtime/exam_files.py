"""Exam files that the app opens itself."""

from pathlib import Path
from typing import TYPE_CHECKING

from lms_tui.common.cleaning import clean_line
from lms_tui.common.user_errors import AdvisedError

if TYPE_CHECKING:
    from lms_tui.banks.file_options import FileOptions
    from lms_tui.banks.model import Reading


class CannotOpenError(AdvisedError):
    """The app cannot be opened."""


def read_exam_file(file: Path, data: bytes, options: "FileOptions") -> "tuple[Reading, str]":
    """Read the exam. Return it with a remark about its first error, or "". Raises NotAnExam and CannotOpenError."""
    from lms_tui.banks.reader import read_exam  # noqa: PLC0415 - the other commands that open the app read no exam

    name = clean_line(str(file))
    reading = read_exam(data, file.name, options)
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
